// ShapeStore: every shape of a world, checked and cooked once, kept as lanes want to read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <abut/math.hpp>
#include <abut/shape_id.hpp>
#include <abut/status.hpp>

namespace abut {

// What may vary between instances of one geometry.
struct InstanceOptions {
    float rounding = 0.0f;               // metres, >= 0: the shape swept by a sphere of this radius
    // Above 0, along the local axes and about the local origin, before the rounding. Boxes, hulls and ellipsoids may be scaled by another
    // factor along each axis, anything else by one for all.
    Vec3 scale = {1.0f, 1.0f, 1.0f};
};

struct HullOptions {
    // At most so many vertices, chosen among the points so that those left out are near; HullReport::deviation says how near. Goes
    // before tolerance, which may leave fewer. 0: as many as the points make, an error above kMaxHullVertices; anything above that
    // counts as it. Less than the 4 vertices of a solid (3 of a polygon, 2 of a segment) is an error where the points make one.
    std::uint32_t max_vertices = 0;
    // Metres: points this close to the hull of the rest may be dropped. At least float32's resolution of the points counts, about
    // 2.4e-7 of their extent.
    float tolerance = 0.0f;
};

// A part of a compound.
struct CompoundChild {
    ShapeId shape;      // a living convex instance, or another compound, whose children then become this one's
    Vec3 position;      // of the child's origin, in the compound's frame
    Quat orientation;   // unit length to within 1%; normalised
};

// What cooking made of the points.
struct HullReport {
    std::uint32_t vertices = 0, faces = 0, edges = 0;
    std::uint32_t dropped_points = 0;  // interior, duplicate, collinear on an edge or coplanar in a face, or given up for the options
    std::uint8_t dimension = 3;        // 0 point, 1 segment, 2 polygon, 3 solid
    // Metres, of the hull unscaled and without rounding, measured in double and rounded up. An instance's are at most its largest scale
    // times as much.
    float deviation = 0.0f;  // no point is farther outside the hull
    float overshoot = 0.0f;  // the hull reaches no farther out of that of the points: vertices are points, rounded relative to their centroid
};

// A read-only look at one instance, in the caller's own frame and units. Lengths are as they were given, before the scale, unless they
// say otherwise.
struct ShapeView {
    ShapeKind kind = ShapeKind::none;
    float radius = 0.0f;        // sphere, capsule, cylinder, cone; 0 otherwise
    float half_height = 0.0f;   // capsule (half the segment, without the caps), cylinder, cone
    Vec3 half_extents;          // box; an ellipsoid's radii; a custom shape's lengths
    Vec3 normal;                // half-space
    float offset = 0.0f;        // half-space
    float rounding = 0.0f;
    Vec3 scale = {1.0f, 1.0f, 1.0f};
    float size = 0.0f;          // half the longest side of the local bounds, scale and rounding included; half-space: 0
    Vec3 bounds_min, bounds_max;  // local bounds, scale and rounding included; half-space: infinite
    HullReport hull;            // hull only
    std::uint32_t children = 0; // compound only: those of compounds within it counted, not the compounds
};

// Where memory ends, add_... returns ErrorCode::out_of_memory and the store is as it was. Adding and removing is for one thread at a time and not during a query; any number of NarrowPhases may read one store.
class ShapeStore {
public:
    static constexpr std::uint32_t kMaxHullVertices = 4096;

    ShapeStore() noexcept;
    ~ShapeStore();
    ShapeStore(ShapeStore&&) noexcept;
    ShapeStore& operator=(ShapeStore&&) noexcept;

    // Lengths are finite and >= 0; zero is allowed (a sphere of radius 0 is a point). No shape reaches farther than kMostMetres (range.hpp)
    // from its origin. Errors name the field and its value.
    Expected<ShapeId> add_sphere(float radius, const InstanceOptions& options = {});
    // Along local Y; half_height is half the segment, without the caps.
    Expected<ShapeId> add_capsule(float radius, float half_height, const InstanceOptions& options = {});
    Expected<ShapeId> add_box(Vec3 half_extents, const InstanceOptions& options = {});
    // Along local Y, about the local origin. A radius or a height of 0 is a segment, a disc, a point.
    Expected<ShapeId> add_cylinder(float radius, float half_height, const InstanceOptions& options = {});
    // The apex at +half_height on local Y, the base at -half_height.
    Expected<ShapeId> add_cone(float radius, float half_height, const InstanceOptions& options = {});
    // Radii above 0.
    Expected<ShapeId> add_ellipsoid(Vec3 radii, const InstanceOptions& options = {});
    // The shape of your own that the library was built with (custom_shape.hpp), of these lengths; refused as unsupported where there is none.
    Expected<ShapeId> add_custom(Vec3 lengths, const InstanceOptions& options = {});
    // Solid where normal . x <= offset, in the local frame; the normal has any length but 0. It has no size of its own (promise 1).
    // Two half-spaces have no answer: Status::unsupported.
    Expected<ShapeId> add_halfspace(Vec3 normal, float offset, const InstanceOptions& options = {});
    // The convex hull of `points` (any number >= 1, in the body's frame; 1, 2, 3 or coplanar points make a point, a segment, a
    // triangle, a polygon). Cooked here by a quickhull [Barber, Dobkin, Huhdanpaa 1996] with exact predicates: O(n log n).
    Expected<ShapeId> add_hull(std::span<const Vec3> points, const InstanceOptions& options = {}, const HullOptions& hull = {});
    // Several convex shapes as one rigid body: the union of the children, which may overlap. Any number of them, one at least. The compound
    // keeps what it needs, so that the children's ids may be removed afterwards. Its scale, about its origin and the same along all
    // axes, scales each child whole; its rounding is added to each child's. Half-spaces are no children. Manifold::child_a and child_b
    // count the children in the order given; those of a compound come in its own order in its place. O(n log n).
    Expected<ShapeId> add_compound(std::span<const CompoundChild> children, const InstanceOptions& options = {});
    // Another instance of the geometry of `original` (not of its scale or rounding), which may be removed afterwards.
    Expected<ShapeId> add_instance(ShapeId original, const InstanceOptions& options);

    // Frees the instance (and its hull with the last instance of it). False, and nothing changes, where `id` names none.
    bool remove(ShapeId id);
    bool contains(ShapeId id) const;
    // Precondition: contains(id).
    ShapeView view(ShapeId id) const;
    // Writes a hull's cooked vertices, as many as `out` has room for (view(id).hull.vertices are all), in the body's frame, unscaled
    // and without rounding. Returns how many it wrote: 0 where `id` names no living hull.
    std::size_t hull_vertices(ShapeId id, std::span<Vec3> out) const;
    std::size_t size() const;  // living instances

    struct Tables;  // kernel/shapes/tables.hpp: what the kernels read
    const Tables& tables() const;

private:
    Expected<ShapeId> add_round(ShapeKind kind, float radius, float half_height, const InstanceOptions& options);

    std::unique_ptr<Tables> tables_;  // null until the first shape
};

}  // namespace abut
