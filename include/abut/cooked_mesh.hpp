/// @file
/// A triangle mesh cooked without a store: on any thread, or ahead of time as bytes, which are the same on every
/// machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <abut/compiler.hpp>
#include <abut/math.hpp>
#include <abut/status.hpp>

namespace abut {

/// Which sides of a triangle a body collides with.
enum class MeshSides : std::uint8_t {
    front,  ///< the side from which the corners are counter-clockwise: the outside of a closed mesh
    both,
};

/// Three indices of vertices, counter-clockwise seen from the front.
struct MeshTriangle {
    std::uint32_t corners[3] = {};  ///< indices of vertices
};

/// How a mesh is cooked.
struct MeshOptions {
    MeshSides sides = MeshSides::front;  ///< which sides collide
    /// Metres, finite, >= 0: a vertex this near to an earlier one is that one. Vertices of equal coordinates are one in
    /// any case.
    float weld_tolerance = 0.0f;
    /// The caller's, one for each triangle, or none: a material, an index. abut does not read them.
    std::span<const std::uint32_t> user_values = {};
};

/// The result of cooking. An edge or a triangle is counted after vertices were welded.
struct MeshReport {
    std::uint32_t input_triangles = 0;          ///< that were given
    std::uint32_t vertices = 0, triangles = 0;  ///< kept
    std::uint32_t welded_vertices = 0;          ///< equal to an earlier one, or within the tolerance
    std::uint32_t unused_vertices = 0;          ///< of no triangle that was kept
    std::uint32_t degenerate_triangles = 0;     ///< dropped: lower than 1e-6 of their longest edge
    /// dropped: the same corners as an earlier one; of a one-sided mesh also in the same order
    std::uint32_t duplicate_triangles = 0;
    std::uint32_t needles = 0;                                          ///< kept: lower than 1e-3 of their longest edge
    std::uint32_t convex_edges = 0, flat_edges = 0, concave_edges = 0;  ///< of two triangles, seen from the front
    /// of one triangle, or of triangles that do not continue each other
    std::uint32_t open_edges = 0;
    std::uint32_t nonmanifold_edges = 0;  ///< of more than two triangles
    /// of two triangles that run along it in the same direction: their fronts are on different sides
    std::uint32_t inconsistent_edges = 0;
    /// vertices within an open edge of a triangle that they are no corner of; on crowded meshes a lower bound
    std::uint32_t t_junctions = 0;
    MeshSides sides = MeshSides::front;  ///< as given
    std::size_t bytes = 0;               ///< of memory, for all instances together
};

struct MeshGeometry;

/// cook_mesh returns it, ShapeStore::add_mesh takes it and shares its memory. Several threads may read one.
class ABUT_API CookedMesh {
public:
    CookedMesh() = default;

    /// Whether nothing was cooked.
    bool empty() const { return geometry_ == nullptr; }
    MeshReport report() const;  ///< of an empty one: zeros

    /// The size of the mesh as bytes, for a file or a network: 72 + 12 * vertices + 28 * triangles + 4 * user values
    /// (34 per triangle of a large closed mesh, 64 of triangles that share no vertex). They are little-endian, without
    /// pointers, and equal for equal triangles and options on every machine. An empty mesh has 0.
    std::size_t byte_count() const;
    /// Writes the bytes and returns their number. Returns 0 if `out` has no room for all.
    std::size_t write(std::span<std::byte> out) const;
    /// Reads bytes of unknown origin and checks them: format, version, sizes, a checksum, every index, finite numbers,
    /// no degenerate triangle, and that neighbours share an edge. An error names the first fault and its place. It
    /// takes a fraction of the time of cooking (docs/performance.md), as nothing is sorted or searched. It does not
    /// look again for equal vertices and duplicate triangles.
    static Expected<CookedMesh> read(std::span<const std::byte> bytes);

    /// the library's own
    explicit CookedMesh(std::shared_ptr<const MeshGeometry> geometry) : geometry_(std::move(geometry)) {}
    /// The library's own.
    const std::shared_ptr<const MeshGeometry>& geometry() const { return geometry_; }

private:
    std::shared_ptr<const MeshGeometry> geometry_;
};

/// The first half of ShapeStore::add_mesh, with the same checks and errors. Any number of threads may cook at once.
ABUT_API Expected<CookedMesh> cook_mesh(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles,
                                        const MeshOptions& options = {});

}  // namespace abut
