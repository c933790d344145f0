/// @file
/// d2::ShapeStore: the shapes of a world in the plane, checked and cooked once, stored in the layout that the lanes
/// read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <abut/compiler.hpp>
#include <abut/d2/vec2.hpp>
#include <abut/shape_id.hpp>
#include <abut/status.hpp>

namespace abut::d2 {

struct ShapeTables;  ///< the library's own

/// In canonical order: of the two bodies of a pair, that of the earlier kind is computed as A. The numbers are in ids
/// and in files, and do not change.
enum class ShapeKind : std::uint8_t {
    circle,
    capsule,   ///< a segment swept by a circle; with radius 0 the segment
    box,       ///< a rectangle along its own axes
    polygon4,  ///< convex, of 3 or 4 corners; add_polygon chooses among the three
    polygon8,  ///< convex, of 5 to 8 corners
    polygon,   ///< convex, of 9 to kMostCorners corners
    halfplane,
    chain,     ///< segments one after another, one-sided, static
    compound,  ///< convex shapes
    none = 15,
};

/// The kind's name in the formats' spelling: "polygon" for all three of polygons.
ABUT_API const char* to_string(ShapeKind kind);

/// 32 bits that name an instance: its geometry, scale, rounding and pose.
using ShapeId = BasicShapeId<ShapeKind>;

inline constexpr std::uint32_t kMostCorners = 1024;  ///< of a cooked polygon

/// The pose of one frame in another: x becomes rotation * x + position.
struct Pose {
    Vec2 position;  ///< metres
    Rot rotation;   ///< from the inner frame's axes to the outer's
};

/// The parameters that may differ between instances of one geometry.
struct InstanceOptions {
    float rounding = 0.0f;  ///< metres, >= 0: the shape swept by a circle of this radius
    /// Not 0, along the local axes and about the local origin, applied before rounding and pose. Negative factors
    /// mirror. Circles, capsules and half-planes have one factor, with any signs; so have compounds, unless all
    /// children are rotated by right angles and none has a rounding. The front of a mirrored chain stays the front.
    Vec2 scale = {1.0f, 1.0f};
    Pose pose = {};  ///< of the shape in its body's frame
};

/// A part of a compound.
struct CompoundChild {
    ShapeId shape;  ///< a living convex instance, or another compound, whose children then become this one's
    Pose pose;      ///< of the child in the compound's frame
};

/// What a store knows of an instance. Lengths have scale and rounding applied.
struct ShapeView {
    ShapeKind kind = ShapeKind::none;  ///< of the id
    float rounding = 0.0f;             ///< of the options
    float radius = 0.0f;               ///< swept around the core: a circle's or capsule's own, plus the rounding
    float size = 0.0f;                 ///< half the longest side of the local bounds; 0 for half-planes
    Vec2 bounds_min, bounds_max;       ///< in the body's frame; infinite for half-planes
    std::uint32_t corners = 0;         ///< in ShapeStore::corners: of the core, counter-clockwise, or of a chain
    std::uint32_t children = 0;        ///< of a compound; a chain's segments
};

/// Every shape of a world. Reading is thread-safe; adding and removing is not.
class ABUT_API ShapeStore {
public:
    ShapeStore();
    ~ShapeStore();
    ShapeStore(ShapeStore&&) noexcept;
    ShapeStore& operator=(ShapeStore&&) noexcept;

    /// Lengths are metres, 0 or more and finite. An error names the parameter and its value.
    Expected<ShapeId> add_circle(float radius, const InstanceOptions& options = {});
    /// The segment along local Y, `half_height` to both sides, without the caps.
    Expected<ShapeId> add_capsule(float radius, float half_height, const InstanceOptions& options = {});
    /// From one point to another.
    Expected<ShapeId> add_segment(Vec2 from, Vec2 to, float radius = 0.0f, const InstanceOptions& options = {});
    /// Half extents along local X and Y.
    Expected<ShapeId> add_box(Vec2 half_extents, const InstanceOptions& options = {});
    /// The convex hull of points in any order, exact: points inside, on an edge and equal ones are dropped. One point
    /// becomes a circle of radius 0, points on a line a segment. Its corners keep their bits (without scale and pose).
    Expected<ShapeId> add_polygon(std::span<const Vec2> points, const InstanceOptions& options = {});
    /// Solid where normal . x <= offset; the normal has any length but 0.
    Expected<ShapeId> add_halfplane(Vec2 normal, float offset, const InstanceOptions& options = {});
    /// Segments points[i] to points[i + 1], and from the last point to the first if it is a loop. Each has its front on
    /// its right, as in Box2D: a counter-clockwise loop bounds an island, a clockwise one a hole. A segment takes part
    /// if the centre of the other body's local bounds is in front of its line or on it. Equal neighbours are merged.
    /// Segment i keeps the number i as a child.
    Expected<ShapeId> add_chain(std::span<const Vec2> points, bool is_loop = false,
                                const InstanceOptions& options = {});
    /// Children may overlap. They may be compounds, not half-planes or chains.
    Expected<ShapeId> add_compound(std::span<const CompoundChild> children, const InstanceOptions& options = {});
    /// Another instance of the geometry of `original`, without its options.
    Expected<ShapeId> add_instance(ShapeId original, const InstanceOptions& options);

    /// False, and nothing changes, if `id` names no living shape. The id is not issued again.
    bool remove(ShapeId id);
    bool contains(ShapeId id) const;   ///< whether it names a living shape
    ShapeView view(ShapeId id) const;  ///< kind none if it names no living shape
    std::size_t size() const;          ///< living instances
    /// Writes the corners of the core of a convex shape in the body's frame, or the points of a chain, as many as fit.
    /// Returns the number written.
    std::size_t corners(ShapeId id, std::span<Vec2> out) const;
    /// Writes the children of a compound, flattened, in the order of Manifold::child_a. Returns the number written.
    std::size_t compound_children(ShapeId id, std::span<CompoundChild> out) const;

private:
    friend struct ShapeTables;
    std::unique_ptr<ShapeTables> tables_;  // null after a move
};

/// Mass, centre of mass in the body's frame, and moment of inertia about that centre.
struct MassProperties {
    float mass = 0.0f;     ///< kg
    Vec2 center;           ///< metres, in the body's frame
    float inertia = 0.0f;  ///< kg m^2
};
/// For a density in kg per square metre. Closed forms in double; children of a compound count fully where they overlap.
/// An error for chains and half-planes.
ABUT_API Expected<MassProperties> mass_properties(const ShapeStore& shapes, ShapeId shape, float density);

}  // namespace abut::d2
