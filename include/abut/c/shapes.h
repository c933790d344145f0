/** @file
   abut_store: every shape of a world, checked and cooked once. */
#pragma once

#include <abut/c/base.h>
#include <abut/c/cooking.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The numbers are in ids and in captures; they stay. */
enum {
    ABUT_SPHERE = 0,
    ABUT_CAPSULE = 1,
    ABUT_BOX = 2,
    ABUT_HULL = 3,
    ABUT_CYLINDER = 4,
    ABUT_CONE = 5,
    ABUT_ELLIPSOID = 6,
    ABUT_CUSTOM = 7,
    ABUT_HALFSPACE = 8,
    ABUT_COMPOUND = 9,
    ABUT_MESH = 10,
    ABUT_HEIGHTFIELD = 11,
    ABUT_NO_KIND = 15
};
typedef uint32_t abut_shape_kind; /**< one of the enumeration above */

/** "sphere", "capsule", ...; "none" for other numbers. */
ABUT_API const char* abut_shape_kind_name(abut_shape_kind kind);

/** Names one instance in a store: kind (4 bits), generation (8), slot (20). The id of a removed shape is found out:
   nothing else has it before abut_store_forget_removed. */
typedef uint32_t abut_shape_id;
/** Names no shape. */
#define ABUT_NO_SHAPE ((abut_shape_id)0xffffffffu) /* names nothing */

static inline abut_shape_kind abut_shape_id_kind(abut_shape_id id) { return id >> 28; }

/** What may vary between instances of one geometry. */
typedef struct abut_instance_options {
    size_t size;    /**< of this struct, in bytes: see abut.h */
    float rounding; /**< metres, 0 or more: the shape swept by a sphere of this radius. Default 0 */
    /** Not 0, along the local axes and about the local origin, before the rounding. Negative factors mirror. Boxes,
       hulls and ellipsoids may be scaled by another factor along each axis, compounds as their children allow, anything
       else by one for all (abut/shape_store.hpp). Default 1, 1, 1 */
    abut_vec3 scale;
    /** Of the shape in its body's frame, after scale and rounding; of unit length to within 1%. Answers are about the
       body. Default: the body's frame */
    abut_relative_pose pose;
    uint32_t reserved; /**< 0 */
} abut_instance_options;

/** Writes the defaults and `size`, which is sizeof the struct as the program knows it. */
ABUT_API abut_error_code abut_instance_options_init(abut_instance_options* options, size_t size, abut_error* error);
/** The defaults, with `size` set. */
static inline abut_instance_options abut_instance_options_default(void) {
    abut_instance_options options;
    memset(&options, 0, sizeof options);
    abut_instance_options_init(&options, sizeof options, ABUT_NULL);
    return options;
}

/** A part of a compound. */
typedef struct abut_compound_child {
    abut_shape_id shape;   /**< a living convex instance, or another compound, whose children then become this one's */
    abut_vec3 position;    /**< of the child's origin, in the compound's frame, metres */
    abut_quat orientation; /**< of unit length to within 1% */
    /** the caller's own. The children of a compound within the compound keep theirs instead of this */
    uint64_t user_data;
} abut_compound_child;

/** A convex shape of the caller's, known by its support function: the point that is farthest along a direction (of any
   length but 0), about the local origin, for up to three lengths of the instance. It must be right to rounding, depend
   on nothing else, and scale with the lengths. All answers follow from it; contacts have one point. Both functions give
   the same shape, are called from any thread, and do not fail. custom_shape.hpp says more, and makes both from one
   template in C++. */
typedef struct abut_custom_shape {
    const char* name; /**< tells the shapes of a store apart: two of one name must be the same */
    /** For `count` directions, a multiple of four. `lengths`, `directions` and `points` are rows of `count` floats: all
       x, then all y, then all z. */
    void (*support_lanes)(size_t count, const float* lengths, const float* directions, float* points);
    /** For one direction. */
    abut_dvec3 (*support)(const abut_dvec3* lengths, const abut_dvec3* direction);
} abut_custom_shape;

/** A look at one instance, in the caller's own frame and units. Lengths are as they were given, before the scale,
   unless they say otherwise. */
typedef struct abut_shape_view {
    size_t size; /**< of this struct, in bytes: see abut.h */
    abut_shape_kind kind;
    float radius;           /**< sphere, capsule, cylinder, cone; 0 otherwise */
    float half_height;      /**< capsule (half the segment, without the caps), cylinder, cone */
    abut_vec3 half_extents; /**< box; an ellipsoid's radii; a custom shape's lengths */
    abut_vec3 normal;       /**< half-space */
    float offset;           /**< half-space */
    float rounding;
    abut_vec3 scale;
    /** half the longest side of the local bounds, scale and rounding included; half-space: 0 */
    float extent;
    abut_vec3 bounds_min, bounds_max; /**< local bounds, scale and rounding included; half-space: infinite */
    uint32_t children;                /**< compound: those of compounds within it counted, not the compounds */
    const abut_custom_shape* custom;  /**< custom shape */
    abut_relative_pose pose;          /**< of the shape in its body's frame; the bounds are without it */
    uint32_t reserved;                /**< 0 */
} abut_shape_view;

/* --- The store --- */

/** Adding, changing and removing is for one thread at a time and not during a query; any number of narrow phases may
   read one store. Where memory ends, a call returns ABUT_OUT_OF_MEMORY and the store is as it was. */
typedef struct abut_store abut_store;

/** An empty store. */
ABUT_API abut_error_code abut_store_create(abut_store** store, abut_error* error);
/** Null is allowed. */
ABUT_API void abut_store_destroy(abut_store* store);
/** Whether a hull, mesh or height field that is added from now on and is equal to one of the store, report and user
   values included, shares its memory, as abut_store_add_instance does. Its id, scale, rounding, pose and user data are
   its own, answers are the same. Off at first. */
ABUT_API abut_error_code abut_store_share_equal(abut_store* store, bool is_on, abut_error* error);

/** Options may be null, which stands for the defaults. `id` gets the new shape, and is left alone on an error. Lengths
   are finite and 0 or more; 0 is allowed (a sphere of radius 0 is a point). No shape reaches farther than 1e27 m from
   its origin. */

/** The half height and the pose of a capsule, cylinder or cone whose axis is from one point of the body's frame to
   another. Equal points: upright. */
ABUT_API void abut_axis_between(abut_vec3 bottom, abut_vec3 top, float* half_height, abut_relative_pose* pose);

/** Lengths are metres, finite and 0 or more; 0 is a point. Null options are the defaults, here and below. */
ABUT_API abut_error_code abut_store_add_sphere(abut_store* store, float radius, const abut_instance_options* options,
                                               abut_shape_id* id, abut_error* error);
/** Along local Y; half_height is half the segment, without the caps. */
ABUT_API abut_error_code abut_store_add_capsule(abut_store* store, float radius, float half_height,
                                                const abut_instance_options* options, abut_shape_id* id,
                                                abut_error* error);
/** Along the local axes, about the local origin. */
ABUT_API abut_error_code abut_store_add_box(abut_store* store, abut_vec3 half_extents,
                                            const abut_instance_options* options, abut_shape_id* id, abut_error* error);
/** Along local Y, about the local origin. A radius or a height of 0 is a segment, a disc, a point. */
ABUT_API abut_error_code abut_store_add_cylinder(abut_store* store, float radius, float half_height,
                                                 const abut_instance_options* options, abut_shape_id* id,
                                                 abut_error* error);
/** The apex at +half_height on local Y, the base at -half_height. */
ABUT_API abut_error_code abut_store_add_cone(abut_store* store, float radius, float half_height,
                                             const abut_instance_options* options, abut_shape_id* id,
                                             abut_error* error);
/** Radii above 0. */
ABUT_API abut_error_code abut_store_add_ellipsoid(abut_store* store, abut_vec3 radii,
                                                  const abut_instance_options* options, abut_shape_id* id,
                                                  abut_error* error);
/** `shape` and its name outlive the store. */
ABUT_API abut_error_code abut_store_add_custom(abut_store* store, const abut_custom_shape* shape, abut_vec3 lengths,
                                               const abut_instance_options* options, abut_shape_id* id,
                                               abut_error* error);
/** Solid where normal . x <= offset, in the local frame; the normal has any length but 0. */
ABUT_API abut_error_code abut_store_add_halfspace(abut_store* store, abut_vec3 normal, float offset,
                                                  const abut_instance_options* options, abut_shape_id* id,
                                                  abut_error* error);
/** The convex hull of `count` points, 1 or more, in the body's frame, metres. 1, 2, 3 or coplanar points make a point,
   a segment, a polygon. At most 4,096 vertices, unless the options ask for fewer. O(n log n). */
ABUT_API abut_error_code abut_store_add_hull(abut_store* store, const abut_vec3* points, size_t count,
                                             const abut_instance_options* options, const abut_hull_options* hull,
                                             abut_shape_id* id, abut_error* error);
/** The same with a hull cooked before, which may be destroyed afterwards. */
ABUT_API abut_error_code abut_store_add_cooked_hull(abut_store* store, const abut_cooked_hull* hull,
                                                    const abut_instance_options* options, abut_shape_id* id,
                                                    abut_error* error);
/** Several convex shapes as one rigid body: the union of the children, one at least, which may overlap. The children's
   ids may be removed afterwards. The scale scales each child whole; the rounding is added to
   each child's. Half-spaces are no children. O(n log n). */
ABUT_API abut_error_code abut_store_add_compound(abut_store* store, const abut_compound_child* children, size_t count,
                                                 const abut_instance_options* options, abut_shape_id* id,
                                                 abut_error* error);
/** Balls of one radius (metres, >= 0) about `count` points, 1 or more, in the body's frame: the compound of these
   spheres, child i about points[i], in which the queries on configurations find the near ones fast. O(n log n). */
ABUT_API abut_error_code abut_store_add_point_cloud(abut_store* store, const abut_vec3* points, size_t count,
                                                    float radius, const abut_instance_options* options,
                                                    abut_shape_id* id, abut_error* error);
/** A surface of triangles, cooked here, O(n log n). With another mesh, a height field or itself it has overlaps and
   distances, but no contacts and no casts: ABUT_STATUS_UNSUPPORTED. Meshes are no children of compounds and have no
   mass. `mesh` may be null, which stands for the defaults. */
ABUT_API abut_error_code abut_store_add_mesh(abut_store* store, const abut_vec3* vertices, size_t vertex_count,
                                             const abut_mesh_triangle* triangles, size_t triangle_count,
                                             const abut_instance_options* options, const abut_mesh_options* mesh,
                                             abut_shape_id* id, abut_error* error);
/** The same with a mesh cooked before, which may be destroyed afterwards. Its memory is shared, not copied. */
ABUT_API abut_error_code abut_store_add_cooked_mesh(abut_store* store, const abut_cooked_mesh* mesh,
                                                    const abut_instance_options* options, abut_shape_id* id,
                                                    abut_error* error);
/** rows * columns samples on a grid, row by row; NaN is a hole. Sample (r, c) is at (c * spacing_x, height, r *
   spacing_z). Each cell is the triangles (r,c) (r+1,c) (r+1,c+1) and (r,c) (r+1,c+1) (r,c+1), unless
   abut_heightfield_options.cells says otherwise. At least two rows and two columns. Otherwise like the mesh of these
   triangles. O(n). */
ABUT_API abut_error_code abut_store_add_heightfield(abut_store* store, const float* heights, uint32_t rows,
                                                    uint32_t columns, const abut_instance_options* options,
                                                    const abut_heightfield_options* field, abut_shape_id* id,
                                                    abut_error* error);
/** Another instance of the geometry of `original` (not of its scale, rounding or pose), which may be removed
   afterwards. */
ABUT_API abut_error_code abut_store_add_instance(abut_store* store, abut_shape_id original,
                                                 const abut_instance_options* options, abut_shape_id* id,
                                                 abut_error* error);

/** Gives a living instance another scale, rounding and pose in place. Its id stays; caches of its pairs may be kept. */
ABUT_API abut_error_code abut_store_set_instance(abut_store* store, abut_shape_id id,
                                                 const abut_instance_options* options, abut_error* error);
/** 64 bits of the caller's own for each instance: 0 at first, and as they are after _set_instance. abut does not use
   them. */
ABUT_API abut_error_code abut_store_set_user_data(abut_store* store, abut_shape_id id, uint64_t value,
                                                  abut_error* error);
/** 0 where `id` names no living shape, or there is no such child. */
ABUT_API uint64_t abut_store_user_data(const abut_store* store, abut_shape_id id);
/** abut_compound_child.user_data of the child that abut_manifold.child_a or child_b counts. O(1). */
ABUT_API uint64_t abut_store_child_user_data(const abut_store* store, abut_shape_id compound, uint32_t child);
/** Frees the instance, and its hull with the last instance of it. An error, and nothing changes, where `id` names none
   or is a compound's own. */
ABUT_API abut_error_code abut_store_remove(abut_store* store, abut_shape_id id, abut_error* error);

/* --- Reading the store --- */

/** Of a null store these are false and 0. */
ABUT_API bool abut_store_contains(const abut_store* store, abut_shape_id id);
ABUT_API size_t abut_store_size(const abut_store* store); /**< living instances */
/** How many ids are left for new shapes of a kind, of 266,338,304; linear in its slots. */
ABUT_API size_t abut_store_ids_left(const abut_store* store, abut_shape_kind kind);
/** Makes the ids of removed shapes available again: where none of them is held any more. */
ABUT_API abut_error_code abut_store_forget_removed(abut_store* store, abut_error* error);

/** The caller sets view->size. The others write what `id` is; an error where it names no living shape, or none of the
   kind. */
ABUT_API abut_error_code abut_store_view(const abut_store* store, abut_shape_id id, abut_shape_view* view,
                                         abut_error* error);
/** The caller sets report->size. An error where `id` names no living hull. */
ABUT_API abut_error_code abut_store_hull_report(const abut_store* store, abut_shape_id id, abut_hull_report* report,
                                                abut_error* error);
/** A hull's vertices in the body's frame, unscaled and without rounding. Writes as many as there is room for; `count`
   gets the number of all. `vertices` may be null where `room` is 0. */
ABUT_API abut_error_code abut_store_hull_vertices(const abut_store* store, abut_shape_id id, abut_vec3* vertices,
                                                  size_t room, size_t* count, abut_error* error);
/** A face of a hull, whose index is below the report's `faces`. */
ABUT_API abut_error_code abut_store_hull_face(const abut_store* store, abut_shape_id id, uint32_t face,
                                              abut_hull_face* out, abut_error* error);
/** Ascending by (v0, v1). The store's own memory: valid until the store changes. */
ABUT_API abut_error_code abut_store_hull_edges(const abut_store* store, abut_shape_id id, const abut_hull_edge** edges,
                                               size_t* count, abut_error* error);
/** A compound's children in the order of abut_manifold.child_a, in the compound's frame, its scale applied. The shapes
   are the compound's own instances, which live as long as it does. Writes as many as there is room for; `count` gets
   the number of all. */
ABUT_API abut_error_code abut_store_compound_children(const abut_store* store, abut_shape_id id,
                                                      abut_compound_child* children, size_t room, size_t* count,
                                                      abut_error* error);
/** The caller sets report->size. An error where `id` names no living mesh (height field). */
ABUT_API abut_error_code abut_store_mesh_report(const abut_store* store, abut_shape_id id, abut_mesh_report* report,
                                                abut_error* error);
/** The same of a height field. */
ABUT_API abut_error_code abut_store_heightfield_report(const abut_store* store, abut_shape_id id,
                                                       abut_heightfield_report* report, abut_error* error);
/** The cooked vertices of a mesh, in the body's frame, without the scale: as many as there is room for. `count` gets
   how many there are. */
ABUT_API abut_error_code abut_store_mesh_vertices(const abut_store* store, abut_shape_id id, abut_vec3* vertices,
                                                  size_t room, size_t* count, abut_error* error);
/** Likewise its triangles by the caller's index, with indices of those vertices. Three times 0 for those that were
   dropped. */
ABUT_API abut_error_code abut_store_mesh_triangles(const abut_store* store, abut_shape_id id,
                                                   abut_mesh_triangle* triangles, size_t room, size_t* count,
                                                   abut_error* error);
/** Of a triangle, by the caller's index; 0 if there is none. */
ABUT_API uint32_t abut_store_triangle_user_value(const abut_store* store, abut_shape_id id, uint32_t triangle);
/** A height field's samples, row by row: as many as there is room for. NaN for a hole. `count` gets rows * columns. */
ABUT_API abut_error_code abut_store_field_heights(const abut_store* store, abut_shape_id id, float* heights,
                                                  size_t room, size_t* count, abut_error* error);
/** Likewise the flags of its cells, row by row; `count` gets (rows - 1) * (columns - 1). */
ABUT_API abut_error_code abut_store_field_cells(const abut_store* store, abut_shape_id id, uint8_t* cells, size_t room,
                                                size_t* count, abut_error* error);

/* --- A store as bytes: a snapshot, for a file or another process --- */

/** The length: all shapes, their ids, the ids still to come and user data; little-endian, without pointers, equal for
   equal stores on every machine. 0 of a null store, where there are custom shapes, or where memory ends. */
ABUT_API size_t abut_store_byte_count(const abut_store* store);
/** An error where `room` is less than that. */
ABUT_API abut_error_code abut_store_write(const abut_store* store, void* bytes, size_t room, abut_error* error);
/** A new store from bytes of unknown origin, which are checked: an error names the first fault. Ids and answers are
   those of the store that was written. */
ABUT_API abut_error_code abut_store_read(const void* bytes, size_t count, abut_store** store, abut_error* error);

/* --- Mass --- */

/** The mass properties of a solid, in double. */
typedef struct abut_mass_properties {
    double volume;    /**< cubic metres */
    double mass;      /**< kilograms: density times volume */
    double centre[3]; /**< of mass, in the shape's local frame, metres */
    /** About the centre, along the local axes: ixx is the integral of (y^2 + z^2) dm, ixy that of -x y dm. Symmetric. */
    double ixx, iyy, izz, ixy, ixz, iyz;
} abut_mass_properties;

/** Of a solid of this density (kilograms per cubic metre), scale and rounding included. A compound's children are
   summed up: where they overlap the mass counts for each. Errors: no living shape, a half-space, a density below 0 or
   not finite, a result past double's range. */
ABUT_API abut_error_code abut_store_mass_properties(const abut_store* store, abut_shape_id id, double density,
                                                    abut_mass_properties* out, abut_error* error);

#ifdef __cplusplus
}
#endif
