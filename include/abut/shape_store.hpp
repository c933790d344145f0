// ShapeStore: every shape of a world, checked and cooked once, kept as lanes want to read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <abut/compiler.hpp>
#include <abut/cooked_hull.hpp>
#include <abut/math.hpp>
#include <abut/shape_id.hpp>
#include <abut/status.hpp>

namespace abut {

struct CustomShape;
struct ShapeTables;  // the library's own

// What may vary between instances of one geometry.
struct InstanceOptions {
    float rounding = 0.0f;  // metres, >= 0: the shape swept by a sphere of this radius
    // Above 0, along the local axes and about the local origin, before the rounding. Boxes, hulls and ellipsoids may be scaled by another
    // factor along each axis, anything else by one for all.
    Vec3 scale = {1.0f, 1.0f, 1.0f};
};

// A part of a compound.
struct CompoundChild {
    ShapeId shape;     // a living convex instance, or another compound, whose children then become this one's
    Vec3 position;     // of the child's origin, in the compound's frame
    Quat orientation;  // unit length to within 1%; normalised
    // The caller's own: a material, a pointer. Not read. The children of a compound within the compound keep theirs instead of this.
    std::uint64_t user_data = 0;
};

// A face of a cooked hull, in the frame of ShapeStore::hull_vertices: the body's, unscaled and without rounding. For the face of a scaled
// instance see scaled(HullFace) below. Its index is that of a contact's feature id (feature_id.hpp).
struct HullFace {
    Vec3 normal;          // unit, outward
    float offset = 0.0f;  // normal . x <= offset for every vertex x, to rounding
    // Vertex indices, counter-clockwise seen from outside, the lowest first. The store's own memory: valid until the store changes.
    std::span<const std::uint16_t> corners = {};
};

// The plane of the same face of an instance with this scale (ShapeView::scale); its corners are the vertices times the scale.
ABUT_API HullFace scaled(const HullFace& face, Vec3 scale);

// An edge of a cooked hull. v0 < v1 but for a segment's one edge 0, 1; walking from v0 to v1 keeps face f0 on the left and f1 on the
// right, seen from outside. A contact's feature id names it by v0 and v1.
struct HullEdge {
    std::uint16_t v0, v1, f0, f1;
};
inline constexpr std::uint16_t kNoFace = 0xffff;  // f0 and f1 of a segment's edge

// A read-only look at one instance, in the caller's own frame and units. Lengths are as they were given, before the scale, unless they
// say otherwise.
struct ShapeView {
    ShapeKind kind = ShapeKind::none;
    float radius = 0.0f;       // sphere, capsule, cylinder, cone; 0 otherwise
    float half_height = 0.0f;  // capsule (half the segment, without the caps), cylinder, cone
    Vec3 half_extents;         // box; an ellipsoid's radii; a custom shape's lengths
    Vec3 normal;               // half-space
    float offset = 0.0f;       // half-space
    float rounding = 0.0f;
    Vec3 scale = {1.0f, 1.0f, 1.0f};
    float size = 0.0f;                    // half the longest side of the local bounds, scale and rounding included; half-space: 0
    Vec3 bounds_min, bounds_max;          // local bounds, scale and rounding included; half-space: infinite
    HullReport hull;                      // hull only
    const CustomShape* custom = nullptr;  // custom only
    std::uint32_t children = 0;           // compound only: those of compounds within it counted, not the compounds
};

// Where memory ends, add_... and set_instance return ErrorCode::out_of_memory and the store is as it was. Adding, changing and removing is for
// one thread at a time and not during a query; any number of NarrowPhases may read one store.
class ABUT_API ShapeStore {
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
    // A shape of your own, custom_shape<S> of custom_shape.hpp, of these lengths. Any number of them may be in a store. `shape` outlives the store;
    // two of the same name must be the same.
    Expected<ShapeId> add_custom(const CustomShape& shape, Vec3 lengths, const InstanceOptions& options = {});
    // Solid where normal . x <= offset, in the local frame; the normal has any length but 0. It has no size of its own (promise 1).
    // Two half-spaces have no answer: Status::unsupported.
    Expected<ShapeId> add_halfspace(Vec3 normal, float offset, const InstanceOptions& options = {});
    // The convex hull of `points` (any number >= 1, in the body's frame; 1, 2, 3 or coplanar points make a point, a segment, a
    // triangle, a polygon); a box where HullOptions::recognise_box asks for it. Cooked here by a quickhull [Barber, Dobkin, Huhdanpaa 1996] with exact predicates: O(n log n).
    Expected<ShapeId> add_hull(std::span<const Vec3> points, const InstanceOptions& options = {}, const HullOptions& hull = {});
    // The same with a hull cooked before (cooked_hull.hpp), on any thread or machine: the bits are those of add_hull with its points.
    Expected<ShapeId> add_hull(const CookedHull& hull, const InstanceOptions& options = {});
    // Several convex shapes as one rigid body: the union of the children, which may overlap. Any number of them, one at least. The compound
    // keeps what it needs, so that the children's ids may be removed afterwards. Its scale, about its origin and the same along all
    // axes, scales each child whole; its rounding is added to each child's. Half-spaces are no children. Manifold::child_a and child_b
    // count the children in the order given; those of a compound come in its own order in its place. O(n log n).
    Expected<ShapeId> add_compound(std::span<const CompoundChild> children, const InstanceOptions& options = {});
    // Another instance of the geometry of `original` (not of its scale or rounding), which may be removed afterwards. Where the scale shows what
    // cooking dropped or took for flat (that of a plate or a needle, some hundred times larger along its short side than along a long one), the
    // hull is cooked again for it: the instance has vertices, faces and a report of its own, shared with others of that scale. add_hull and
    // set_instance do the same. An error where that makes more than kMaxHullVertices.
    Expected<ShapeId> add_instance(ShapeId original, const InstanceOptions& options);

    // Gives a living instance another scale and rounding in place. Its id stays, other instances and compounds made of it do not change,
    // and it takes no new id. The result is that of add_instance. Caches of its pairs may be kept: they are checked against the shapes'
    // contents. On an error nothing changes. A compound's own instances are refused (compound_children).
    CallResult set_instance(ShapeId id, const InstanceOptions& options);

    // 64 bits of the caller's own for each instance: 0 at first, and as they are after set_instance. abut does not read them. set_user_data returns
    // false, and nothing changes, where `id` names no living shape; user_data is 0 there.
    bool set_user_data(ShapeId id, std::uint64_t value);
    std::uint64_t user_data(ShapeId id) const;
    // CompoundChild::user_data of the child that Manifold::child_a or child_b counts, also of other instances of the compound. 0 where there is no
    // such child. O(1), to be asked per manifold.
    std::uint64_t child_user_data(ShapeId compound, std::uint32_t child) const;

    // Frees the instance (and its hull with the last instance of it). False, and nothing changes, where `id` names none.
    // Not for a compound's own instances (compound_children): these go with it.
    bool remove(ShapeId id);
    bool contains(ShapeId id) const;
    // Of an id that names no living shape: kind none.
    ShapeView view(ShapeId id) const;
    // Writes a hull's cooked vertices, as many as `out` has room for (view(id).hull.vertices are all), in the body's frame, unscaled
    // and without rounding. Returns how many it wrote: 0 where `id` names no living hull.
    std::size_t hull_vertices(ShapeId id, std::span<Vec3> out) const;
    // A hull's face and edges, as many as view(id).hull has. An empty face and no edges where there are none.
    HullFace hull_face(ShapeId id, std::uint32_t face) const;
    // Ascending by (v0, v1). The store's own memory: valid until the store changes.
    std::span<const HullEdge> hull_edges(ShapeId id) const;
    // Writes a compound's children in the order of Manifold::child_a, as many as `out` has room for (view(id).children are all), and
    // returns how many: 0 where `id` names no living compound. Poses are in the compound's frame, its scale applied. Shapes are instances
    // of the compound's own, its scale and rounding included: equal children share one, they live as long as the compound (a
    // set_instance of it changes them in place), and everything that reads a shape takes them.
    std::size_t compound_children(ShapeId id, std::span<CompoundChild> out) const;
    std::size_t size() const;  // living instances

    // Each kind has 267,386,880 ids (255 generations of 1,048,576 slots), and none is issued twice: a stale id is always found out. Adding
    // 100 shapes of one kind in each of 60 frames per second uses them up in 12 hours; then adding is an error (ErrorCode::limit).
    // set_instance uses none. How many are left for new shapes of a kind; linear in its slots.
    std::size_t ids_left(ShapeKind kind) const;
    // Makes the ids of removed shapes available again. Call it where none of them is held any more, such as between two levels or after a
    // sweep over all bodies: afterwards a stale id may name another shape of its kind. Living shapes keep theirs.
    void forget_removed();

private:
    friend const ShapeTables& tables_of(const ShapeStore& store);
    Expected<ShapeId> add_round(ShapeKind kind, float radius, float half_height, const InstanceOptions& options);

    std::unique_ptr<ShapeTables> tables_;  // null until the first shape
};

}  // namespace abut
