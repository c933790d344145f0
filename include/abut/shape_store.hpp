/// @file
/// ShapeStore: every shape of a world, checked and cooked once, stored in the layout that the lanes read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <abut/compiler.hpp>
#include <abut/cooking.hpp>
#include <abut/frame.hpp>
#include <abut/math.hpp>
#include <abut/shape_id.hpp>
#include <abut/status.hpp>

namespace abut {

struct CustomShape;
struct ShapeTables;  ///< the library's own

/// The parameters that may differ between instances of one geometry.
struct InstanceOptions {
    float rounding = 0.0f;  ///< metres, >= 0: the shape swept by a sphere of this radius
    /// Not 0, along the local axes and about the local origin, applied before the rounding. Negative factors mirror the
    /// shape; half-spaces and custom shapes have none, cones none along y. Boxes, hulls and ellipsoids may have a
    /// different factor along each axis, and compounds of these if no child has a rounding and all are rotated by right
    /// angles; other shapes have one factor. Meshes and height fields may have any factors. The outside of a mirrored
    /// surface remains the outside, as the corners of its triangles change their order.
    Vec3 scale = {1.0f, 1.0f, 1.0f};
    /// The shape's pose in its body's frame, after scale and rounding: a quaternion of unit length to within 1%,
    /// |position| up to kMostMetres. Every query takes it into account. The answers are about the body: points are
    /// relative to its position, and a motion's centre of rotation is in its frame.
    RelativePose pose = {};
};

/// The half height and the pose of a capsule, cylinder or cone whose axis is from one point to another:
/// add_capsule(radius, axis.half_height, {.pose = axis.pose}). In double, rounded once. Equal points: upright.
struct ShapeAxis {
    float half_height = 0.0f;  ///< metres
    RelativePose pose;         ///< of the shape in its body's frame
};
ABUT_API ShapeAxis axis_between(Vec3 bottom, Vec3 top);  ///< two points in the body's frame, metres

/// A part of a compound.
struct CompoundChild {
    ShapeId shape;     ///< a living convex instance, or another compound, whose children then become this one's
    Vec3 position;     ///< of the child's origin, in the compound's frame
    Quat orientation;  ///< unit length to within 1%; normalised
    /// The caller's: a material, a pointer. abut does not read it. If the child is a compound, its children keep their
    /// own values.
    std::uint64_t user_data = 0;
};

/// A face of a cooked hull, in the body's frame, without scale and rounding, as ShapeStore::hull_vertices. For the face
/// of a scaled instance see scaled(HullFace) below. The index of a face is that in a contact's feature id
/// (results.hpp).
struct HullFace {
    Vec3 normal;          ///< unit, outward
    float offset = 0.0f;  ///< normal . x <= offset for every vertex x, to rounding
    /// Vertex indices, counter-clockwise seen from outside, the lowest first. They are in the store's memory: valid
    /// until the store changes.
    std::span<const std::uint16_t> corners = {};
};

/// The plane of the same face of an instance with this scale (ShapeView::scale). The corners of the scaled face are the
/// vertices times the scale.
ABUT_API HullFace scaled(const HullFace& face, Vec3 scale);

/// An edge of a cooked hull. v0 < v1; the only edge of a segment is 0, 1. On the way from v0 to v1 face f0 is on the
/// left and f1 on the right, seen from outside. A contact's feature id names an edge by v0 and v1.
struct HullEdge {
    std::uint16_t v0, v1, f0, f1;  ///< indices of vertices and faces
};
inline constexpr std::uint16_t kNoFace = 0xffff;  ///< f0 and f1 of a segment's edge

/// A read-only view of one instance, in the caller's frame and units. Lengths are as they were given, before the scale,
/// unless a comment says otherwise.
struct ShapeView {
    ShapeKind kind = ShapeKind::none;  ///< none: the id names no living shape
    float radius = 0.0f;               ///< sphere, capsule, cylinder, cone; 0 otherwise
    float half_height = 0.0f;          ///< capsule (half the segment, without the caps), cylinder, cone
    Vec3 half_extents;                 ///< box; an ellipsoid's radii; a custom shape's lengths
    Vec3 normal;                       ///< half-space
    float offset = 0.0f;               ///< half-space
    float rounding = 0.0f;             ///< as InstanceOptions::rounding
    /// as InstanceOptions::scale; of a hull without signs, because a mirrored hull has mirrored vertices of its own
    Vec3 scale = {1.0f, 1.0f, 1.0f};
    /// half the longest side of the local bounds, scale and rounding included; half-space: 0
    float size = 0.0f;
    Vec3 bounds_min, bounds_max;          ///< local bounds, scale and rounding included, pose not; half-space: infinite
    HullReport hull;                      ///< hull only
    MeshReport mesh;                      ///< mesh only
    HeightfieldReport heightfield;        ///< height field only
    const CustomShape* custom = nullptr;  ///< custom only
    /// compound only: the children of nested compounds count, these compounds do not
    std::uint32_t children = 0;
    RelativePose pose;  ///< of the shape in its body's frame
};

/// If there is no memory, add_... and set_instance return ErrorCode::out_of_memory and the store does not change. Add,
/// change and remove shapes from one thread at a time and not during a query. Any number of NarrowPhases may read one
/// store.
class ABUT_API ShapeStore {
public:
    static constexpr std::uint32_t kMaxHullVertices = 4096;  ///< of a cooked hull

    ShapeStore() noexcept;
    ~ShapeStore();
    ShapeStore(ShapeStore&&) noexcept;
    ShapeStore& operator=(ShapeStore&&) noexcept;

    /// Lengths are finite and >= 0; zero is allowed (a sphere of radius 0 is a point). No shape reaches farther than
    /// kMostMetres (math.hpp) from its origin or is smaller than kLeastMetres, but for points. Errors name the field
    /// and its value.
    Expected<ShapeId> add_sphere(float radius, const InstanceOptions& options = {});
    /// Along local Y; half_height is half the segment, without the caps.
    Expected<ShapeId> add_capsule(float radius, float half_height, const InstanceOptions& options = {});
    /// Along the local axes, about the local origin. A half extent of 0 makes it flat.
    Expected<ShapeId> add_box(Vec3 half_extents, const InstanceOptions& options = {});
    /// Along local Y, about the local origin. With a radius or a height of 0 it is a segment, a disc or a point.
    Expected<ShapeId> add_cylinder(float radius, float half_height, const InstanceOptions& options = {});
    /// The apex is at +half_height on local Y, the base at -half_height.
    Expected<ShapeId> add_cone(float radius, float half_height, const InstanceOptions& options = {});
    /// Radii above 0.
    Expected<ShapeId> add_ellipsoid(Vec3 radii, const InstanceOptions& options = {});
    /// A shape of your own, `custom_shape<S>` of custom_shape.hpp, with these lengths. A store may have any number of
    /// them. `shape` must outlive the store. Two with the same name must be the same.
    Expected<ShapeId> add_custom(const CustomShape& shape, Vec3 lengths, const InstanceOptions& options = {});
    /// Solid where normal . x <= offset, in the local frame. The normal has any length except 0. A half-space has no
    /// size (promise 1). Two half-spaces have no answer: Status::unsupported.
    Expected<ShapeId> add_halfspace(Vec3 normal, float offset, const InstanceOptions& options = {});
    /// The convex hull of `points` (any number >= 1, in the body's frame; 1, 2, 3 or coplanar points make a point, a
    /// segment, a triangle, a polygon), or a box (HullOptions::recognise_box). It is cooked here by a quickhull
    /// [Barber, Dobkin, Huhdanpaa 1996] with exact predicates: O(n log n).
    Expected<ShapeId> add_hull(std::span<const Vec3> points, const InstanceOptions& options = {},
                               const HullOptions& hull = {});
    /// The same with a cooked hull (cooking.hpp), made on any thread or machine. It has the same bits as add_hull
    /// with its points.
    Expected<ShapeId> add_hull(const CookedHull& hull, const InstanceOptions& options = {});
    /// Several convex shapes as one rigid body: the union of the children, which may overlap. There is at least one
    /// child. The compound keeps what it needs, so that the children's ids may be removed afterwards. Its scale, about
    /// its origin, scales each child as a whole; set_instance refuses one for which equal children need different ones.
    /// Its rounding is added to that of each child. Half-spaces cannot be children. Manifold::child_a and child_b
    /// number the children in the given order; a nested compound is replaced by its children in their order. The seams
    /// of boxes and hulls that share faces tilt no contact (docs/numerics.md, "Compounds"). O(n log n).
    Expected<ShapeId> add_compound(std::span<const CompoundChild> children, const InstanceOptions& options = {});
    /// A surface of triangles, each with three indices of `vertices` (in the body's frame). It is cooked here, O(n log
    /// n): see MeshOptions and view(id).mesh for what is welded and dropped. An error names the first bad vertex or
    /// triangle. Meshes cannot be children of compounds and have no mass. A signed distance is the least over the
    /// triangles, each a flat convex shape; for that of two surfaces see NarrowPhase::distance. With MeshSides::front a
    /// triangle takes part only if the centre of the other body's local bounds is in front of its plane or on it (a
    /// compound's own, not its children's); a body behind all triangles has the distance infinity and no contact.
    /// Contacts are pushed out of the front, never through it (docs/numerics.md, "Meshes and height fields").
    Expected<ShapeId> add_mesh(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles,
                               const InstanceOptions& options = {}, const MeshOptions& mesh = {});
    /// The same with a cooked mesh (cooking.hpp), made on any thread or machine. Its memory is shared, not copied.
    Expected<ShapeId> add_mesh(const CookedMesh& mesh, const InstanceOptions& options = {});
    /// Samples on a grid, row by row; NaN is a hole. Sample (r, c) is at (c * spacing_x, height, r * spacing_z). Each
    /// cell is the triangles (r,c) (r+1,c) (r+1,c+1) and (r,c) (r+1,c+1) (r,c+1), with the numbers 2 * (r * (columns -
    /// 1) + c) and one more; those with a hole at a corner are not there. HeightfieldOptions::cells makes single cells
    /// holes or gives them the other diagonal. At least two rows and two columns. Otherwise like the mesh of these
    /// triangles. O(n).
    Expected<ShapeId> add_heightfield(std::span<const float> heights, std::uint32_t rows, std::uint32_t columns,
                                      const InstanceOptions& options = {}, const HeightfieldOptions& field = {});
    /// Another instance of the geometry of `original` (without its scale, rounding and pose), which may be removed
    /// afterwards. If the scale shows what cooking dropped or treated as flat (of a plate or a needle, some hundred
    /// times larger along its short side than along a long one), the hull is cooked again for it. The instance then has
    /// its own vertices, faces and report, shared with other instances of that scale. add_hull and set_instance do the
    /// same. Returns an error if this makes more than kMaxHullVertices.
    Expected<ShapeId> add_instance(ShapeId original, const InstanceOptions& options);

    /// From now on a hull, mesh or height field that is added and is equal to one of the store, report and user values
    /// included, shares its memory, as add_instance does: it has an id, scale, rounding, pose and user data of its own.
    /// What hulls and meshes are cooked from is kept, too: the same bits are not cooked again. All else is cooked and
    /// compared. Off at first; a store's bytes have shared geometry once. Linear in the store.
    CallResult share_equal(bool is_on = true);

    /// Gives a living instance another scale, rounding and pose in place. It keeps its id. Other instances and
    /// compounds made of it do not change. The shape is that of add_instance. Caches of its pairs may be kept: they are
    /// checked against the shapes' contents. On an error nothing changes. A compound's own instances are refused
    /// (compound_children).
    CallResult set_instance(ShapeId id, const InstanceOptions& options);

    /// 64 bits of the caller for each instance. They are 0 at first, and set_instance keeps them. abut does not read
    /// them. If `id` names no living shape, set_user_data changes nothing and returns false, and user_data returns 0.
    bool set_user_data(ShapeId id, std::uint64_t value);
    /// What set_user_data gave; 0 before.
    std::uint64_t user_data(ShapeId id) const;
    /// CompoundChild::user_data of the child with the number Manifold::child_a or child_b, also for other instances of
    /// the compound. 0 if there is no such child. O(1): call it per manifold.
    std::uint64_t child_user_data(ShapeId compound, std::uint32_t child) const;

    /// Frees the instance (and its hull with the last instance of it). Returns false, and changes nothing, if `id`
    /// names no living shape. Not for a compound's own instances (compound_children): these are freed with it.
    bool remove(ShapeId id);
    /// Whether `id` names a living shape.
    bool contains(ShapeId id) const;
    /// If `id` names no living shape: kind none.
    ShapeView view(ShapeId id) const;
    /// Writes a hull's cooked vertices, as many as `out` has room for (there are view(id).hull.vertices), in the body's
    /// frame, without scale and rounding. Returns the number written: 0 if `id` names no living hull.
    std::size_t hull_vertices(ShapeId id, std::span<Vec3> out) const;
    /// A hull's face, and its edges; view(id).hull has the counts. An empty face and no edges if there are none.
    HullFace hull_face(ShapeId id, std::uint32_t face) const;
    /// Ascending by (v0, v1). They are in the store's memory: valid until the store changes.
    std::span<const HullEdge> hull_edges(ShapeId id) const;
    /// Writes a compound's children in the order of Manifold::child_a, as many as `out` has room for (there are
    /// view(id).children). Returns the number written: 0 if `id` names no living compound. Poses are in the compound's
    /// frame, with its scale applied. Shapes are the compound's own instances, with its scale and rounding. Equal
    /// children share one instance. They live as long as the compound; set_instance of the compound changes them in
    /// place. All functions that read a shape accept them.
    std::size_t compound_children(ShapeId id, std::span<CompoundChild> out) const;
    /// Writes the cooked vertices of a mesh, as many as `out` has room for (there are view(id).mesh.vertices), in the
    /// body's frame, without the scale. Returns the number written: 0 if `id` names no living mesh.
    std::size_t mesh_vertices(ShapeId id, std::span<Vec3> out) const;
    /// Likewise its triangles by the caller's index (there are view(id).mesh.input_triangles), with indices of
    /// mesh_vertices. Three times 0 for those that were dropped. Cooking both again makes the same mesh.
    std::size_t mesh_triangles(ShapeId id, std::span<MeshTriangle> out) const;
    /// MeshOptions::user_values of a triangle, by the caller's index. 0 if there is none. O(1).
    std::uint32_t triangle_user_value(ShapeId id, std::uint32_t triangle) const;
    /// A height field's samples, row by row (there are rows * columns). NaN for a hole.
    std::size_t field_heights(ShapeId id, std::span<float> out) const;
    /// The flags of its cells, row by row (there are (rows - 1) * (columns - 1)), also if they were given as one byte
    /// or none.
    std::size_t field_cells(ShapeId id, std::span<std::uint8_t> out) const;
    std::size_t size() const;  ///< living instances

    /// The number of ids left for new shapes of a kind. Each kind has 266,338,304 ids (254 generations of 1,048,576
    /// slots). None is issued twice, so that a stale id is always detected. Adding 100 shapes of one kind in each of 60
    /// frames per second uses them up in 12 hours; then adding is an error (ErrorCode::limit). set_instance uses no id.
    /// Linear in the kind's slots.
    std::size_t ids_left(ShapeKind kind) const;
    /// Makes the ids of removed shapes available again. Call it when no such id is held any more, for example between
    /// two levels or after a sweep over all bodies. Afterwards a stale id may name another shape of its kind. Living
    /// shapes keep their ids.
    void forget_removed();

    /// The size of the store as bytes: a snapshot, for a file or another process. They hold all shapes, ids, the ids
    /// still to come and user data, are little-endian, without pointers, and equal for equal stores on every machine. 0
    /// if there are custom shapes, whose functions they cannot hold, or no memory.
    std::size_t byte_count() const;
    /// Writes the bytes and returns their number. Returns 0 if `out` has no room for all. Linear in the store; nothing
    /// is cooked.
    std::size_t write(std::span<std::byte> out) const;
    /// Reads bytes of unknown origin and checks them: a checksum, sizes, every index, and all that adding a shape
    /// checks. An error names the first fault. The store has the ids of the one that was written, and pairs have the
    /// same answers, bit for bit.
    static Expected<ShapeStore> read(std::span<const std::byte> bytes);

private:
    friend const ShapeTables& tables_of(const ShapeStore& store);
    Expected<ShapeId> add_round(ShapeKind kind, float radius, float half_height, const InstanceOptions& options);

    std::unique_ptr<ShapeTables> tables_;  // null until the first shape
};

}  // namespace abut
