/// @file
/// Cooking: points and triangles are checked and become hulls, meshes and height fields. A hull or a mesh can be cooked
/// without a store: on any thread, or ahead of time as bytes, which are the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include <abut/compiler.hpp>
#include <abut/math.hpp>
#include <abut/status.hpp>

namespace abut {

// --- Convex hulls ---

/// What cooking may leave out.
struct HullOptions {
    /// The limit on vertices. They are chosen among the points so that the omitted points are near the hull;
    /// HullReport::deviation says how near. It applies after the tolerance, which may leave fewer. 0: no limit, but
    /// more than kMaxHullVertices is an error. Values above kMaxHullVertices count as kMaxHullVertices. A limit above
    /// 2,048 is met by a larger tolerance, which is fast and may leave fewer vertices than the limit. Less than the 4
    /// vertices of a solid (3 of a polygon, 2 of a segment) is an error if the points make one.
    std::uint32_t max_vertices = 0;
    /// Metres: points this close to the hull of the rest may be dropped. The least tolerance is float32's resolution of
    /// the points, about 2.4e-7 of their extent.
    float tolerance = 0.0f;
    /// For engines that know only hulls: if HullReport::is_box is true and the box's centre is the origin,
    /// ShapeStore::add_hull adds a box (kind box). A box is several times as fast and as exact. Its features are
    /// numbered as a box's. cook_hull always makes a hull.
    bool recognise_box = false;
};

/// The result of cooking.
struct HullReport {
    std::uint32_t vertices = 0, faces = 0, edges = 0;  ///< of the hull
    /// interior, duplicate, collinear on an edge or coplanar in a face, or dropped by the options
    std::uint32_t dropped_points = 0;
    std::uint8_t dimension = 3;  ///< 0 point, 1 segment, 2 polygon, 3 solid
    /// Metres, of the hull without scale and rounding, measured in double and rounded up. Those of an instance are at
    /// most its largest scale times as large. A hull that is cooked again for an instance's scale has its own report
    /// (ShapeStore::view).
    float deviation = 0.0f;  ///< no point is farther outside the hull
    /// the hull reaches no farther outside the hull of the points: vertices are points, rounded relative to their
    /// centroid
    float overshoot = 0.0f;
    /// The hull is a box along the local axes: its eight vertices are that box's corners to within float32's
    /// resolution.
    bool is_box = false;
    Vec3 box_half_extents = {}, box_centre = {};  ///< of such a box, metres
};

/// A box in any orientation: a point x of its own frame is at centre + orientation * x in the body's. Metres, without
/// scale and rounding.
struct HullBox {
    Vec3 half_extents, centre;  ///< metres, in the frame of the points
    Quat orientation;           ///< from the box's axes to those of the points
};

struct HullGeometry;

/// cook_hull returns it, ShapeStore::add_hull takes it. It is empty after it was moved from. Several threads may read
/// one.
class ABUT_API CookedHull {
public:
    ~CookedHull();
    CookedHull(CookedHull&&) noexcept;
    CookedHull& operator=(CookedHull&&) noexcept;

    /// Whether nothing was cooked.
    bool empty() const { return geometry_ == nullptr; }
    HullReport report() const;  ///< of an empty one: zeros
    /// The box that the hull is, in any orientation, to within float32's resolution of its corners; nothing if it is
    /// none. Of the orientations of a box the nearest to the identity, which it is if report().is_box. A body or a
    /// compound's child with this pose and add_box is several times as fast as the hull, but has the features of a box.
    std::optional<HullBox> box() const;

    /// The size of the hull as bytes, for a file or a network: 60 + 12 * vertices + 14 * faces + 2 * their corners (2
    /// kB for 36 vertices, 52 kB for 1,000, in triangles). They are little-endian, without pointers, and equal for
    /// equal points and options on every machine. If a scale can show what cooking dropped (of a plate or needle),
    /// there are 12 more, and 12 for each point from which it is cooked again. An empty hull has 0.
    std::size_t byte_count() const;
    /// Writes the bytes and returns their number. Returns 0 if `out` has no room for all.
    std::size_t write(std::span<std::byte> out) const;
    /// Reads bytes of unknown origin and checks them: format, version, sizes, a checksum, every index, that loops and
    /// edges close a surface, and that this surface is convex, with finite numbers and faces as flat as cooked ones. An
    /// error names the first fault and its place.
    static Expected<CookedHull> read(std::span<const std::byte> bytes);

    explicit CookedHull(std::unique_ptr<HullGeometry> geometry);  ///< the library's own
    /// The library's own.
    const HullGeometry* geometry() const { return geometry_.get(); }

private:
    std::unique_ptr<HullGeometry> geometry_;
};

/// The first half of ShapeStore::add_hull, with the same checks and errors. Any number of threads may cook at once.
ABUT_API Expected<CookedHull> cook_hull(std::span<const Vec3> points, const HullOptions& options = {});

// --- Triangle meshes ---

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
    /// The mesh bounds a solid: a body whose centre is inside overlaps it and is pushed out through the nearest
    /// triangle (docs/numerics.md, "Solids"); points and the starts of rays count as inside. An error if the mesh is
    /// not closed (has_inside of rays.hpp).
    bool solid = false;
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
    bool solid = false;                  ///< as given
    /// closed, but its fronts are inside, so that bodies fall into it: exchange two corners of every triangle
    bool inside_out = false;
    /// square metres: the sum of area times front normal. 0 for a closed mesh; of ground it points up, else bodies fall
    /// through.
    Vec3 front_area;
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

// --- Height fields: a grid of samples, two triangles for each cell ---

/// Flags of a cell. A cell without flags is the triangles (r,c) (r+1,c) (r+1,c+1) and (r,c) (r+1,c+1) (r,c+1).
inline constexpr std::uint8_t kCellHole = 1;           ///< it has no triangles
inline constexpr std::uint8_t kCellOtherDiagonal = 2;  ///< they are (r,c) (r+1,c) (r,c+1) and (r+1,c) (r+1,c+1) (r,c+1)

/// How samples become triangles.
struct HeightfieldOptions {
    float spacing_x = 1.0f, spacing_z = 1.0f;  ///< metres between samples, above 0
    MeshSides sides = MeshSides::front;        ///< the front is +Y
    /// Flags for each of the (rows - 1) * (columns - 1) cells, row by row, or one byte for all, or none.
    std::span<const std::uint8_t> cells = {};
    /// Metres, >= 0, along Y, scaled as the heights are: what is so far below the triangles is solid; infinity: all
    /// that is below. A body whose centre is there overlaps the field and is pushed out through the nearest triangle
    /// (docs/numerics.md, "Solids"). world_bounds has it, up to kMostMetres. 0: nothing is solid.
    float thickness = 0.0f;
};

/// The result of cooking.
struct HeightfieldReport {
    std::uint32_t rows = 0, columns = 0;                ///< of samples
    std::uint32_t triangles = 0;                        ///< whose three samples are there
    std::uint32_t holes = 0;                            ///< samples that are NaN
    float spacing_x = 0, spacing_z = 0;                 ///< metres between samples
    MeshSides sides = MeshSides::front;                 ///< as given
    std::size_t bytes = 0;                              ///< of memory, for all instances together
    std::uint32_t hole_cells = 0, other_diagonals = 0;  ///< cells with these flags
    float thickness = 0;                                ///< metres, as given
};

}  // namespace abut
