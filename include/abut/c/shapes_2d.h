/** @file
   abut_d2_store: the shapes of a world in the plane, checked and cooked once. d2/shapes_2d.hpp says what each shape
   is. */
#pragma once

#include <abut/c/base.h>
#include <abut/c/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Metres, x to the right and y up, unless a name says otherwise. */
typedef struct abut_vec2 {
    float x, y;
} abut_vec2;

/** Positions of a large world. */
typedef struct abut_dvec2 {
    double x, y;
} abut_dvec2;

/** The cosine and the sine of an angle, counter-clockwise; of unit length to within 1%. No rotation is {1, 0}. */
typedef struct abut_rot {
    float c, s;
} abut_rot;

/** The rotation by an angle in radians: the nearest floats, the same bits on every machine. */
ABUT_API abut_rot abut_rotation_of(double angle);

/** The pose of one frame in another: x becomes rotation * x + position. */
typedef struct abut_d2_pose {
    abut_vec2 position;
    abut_rot rotation;
} abut_d2_pose;

/** The numbers are in ids; they stay. */
enum {
    ABUT_D2_CIRCLE = 0,
    ABUT_D2_CAPSULE = 1,
    ABUT_D2_BOX = 2,
    ABUT_D2_POLYGON4 = 3, /**< of 3 or 4 corners; abut_d2_store_add_polygon chooses among the three */
    ABUT_D2_POLYGON8 = 4, /**< of 5 to 8 corners */
    ABUT_D2_POLYGON = 5,  /**< of more corners */
    ABUT_D2_HALFPLANE = 6,
    ABUT_D2_CHAIN = 7,
    ABUT_D2_COMPOUND = 8
};

/** What may vary between instances of one geometry. */
typedef struct abut_d2_instance_options {
    size_t size;    /**< of this struct, in bytes: see abut.h */
    float rounding; /**< metres, 0 or more: the shape swept by a circle of this radius. Default 0 */
    /** Not 0, along the local axes, before the rounding. Negative factors mirror. Circles, capsules and half-planes have
       one factor, with any signs, compounds as their children allow. Default 1, 1 */
    abut_vec2 scale;
    abut_d2_pose pose; /**< of the shape in its body's frame. Default: the body's frame */
    uint32_t reserved; /**< 0 */
} abut_d2_instance_options;

/** Writes the defaults and `size`, which is sizeof the struct as the program knows it. */
ABUT_API abut_error_code abut_d2_instance_options_init(abut_d2_instance_options* options, size_t size,
                                                       abut_error* error);
/** The defaults, with `size` set. */
static inline abut_d2_instance_options abut_d2_instance_options_default(void) {
    abut_d2_instance_options options;
    memset(&options, 0, sizeof options);
    abut_d2_instance_options_init(&options, sizeof options, ABUT_NULL);
    return options;
}

/** A part of a compound. */
typedef struct abut_d2_compound_child {
    abut_shape_id shape; /**< a living convex instance, or another compound, whose children then become this one's */
    abut_d2_pose pose;   /**< of the child in the compound's frame */
} abut_d2_compound_child;

/** What a store knows of an instance. Lengths have scale and rounding applied. */
typedef struct abut_d2_shape_view {
    size_t size;                      /**< of this struct, in bytes: see abut.h */
    uint32_t kind;                    /**< ABUT_D2_CIRCLE, ... */
    float rounding;                   /**< of the options */
    float radius;                     /**< swept around the core: a circle's or capsule's own, plus the rounding */
    float extent;                     /**< half the longest side of the local bounds; 0 for half-planes */
    abut_vec2 bounds_min, bounds_max; /**< in the body's frame; infinite for half-planes */
    uint32_t corners;                 /**< of the core, counter-clockwise; a chain's points */
    uint32_t children;                /**< of a compound; a chain's segments */
} abut_d2_shape_view;

/** For threads and exhausted memory as abut_store. */
typedef struct abut_d2_store abut_d2_store;

/** An empty store. */
ABUT_API abut_error_code abut_d2_store_create(abut_d2_store** store, abut_error* error);
/** Null is allowed. */
ABUT_API void abut_d2_store_destroy(abut_d2_store* store);

/** Lengths are metres, finite and 0 or more. Null options are the defaults, here and below. `id` gets the new shape, and
   is left alone on an error. */
ABUT_API abut_error_code abut_d2_store_add_circle(abut_d2_store* store, float radius,
                                                  const abut_d2_instance_options* options, abut_shape_id* id,
                                                  abut_error* error);
/** Along local Y; half_height is half the segment, without the caps. */
ABUT_API abut_error_code abut_d2_store_add_capsule(abut_d2_store* store, float radius, float half_height,
                                                   const abut_d2_instance_options* options, abut_shape_id* id,
                                                   abut_error* error);
/** From one point to another, swept by a circle of the radius. */
ABUT_API abut_error_code abut_d2_store_add_segment(abut_d2_store* store, abut_vec2 from, abut_vec2 to, float radius,
                                                   const abut_d2_instance_options* options, abut_shape_id* id,
                                                   abut_error* error);
/** Half extents along local X and Y. */
ABUT_API abut_error_code abut_d2_store_add_box(abut_d2_store* store, abut_vec2 half_extents,
                                               const abut_d2_instance_options* options, abut_shape_id* id,
                                               abut_error* error);
/** The convex hull of `count` points, 1 or more, exact. One point becomes a circle of radius 0, points on a line a
   segment. At most 1,024 corners. */
ABUT_API abut_error_code abut_d2_store_add_polygon(abut_d2_store* store, const abut_vec2* points, size_t count,
                                                   const abut_d2_instance_options* options, abut_shape_id* id,
                                                   abut_error* error);
/** Solid where normal . x <= offset, in the local frame; the normal has any length but 0. */
ABUT_API abut_error_code abut_d2_store_add_halfplane(abut_d2_store* store, abut_vec2 normal, float offset,
                                                     const abut_d2_instance_options* options, abut_shape_id* id,
                                                     abut_error* error);
/** Segments from each point to the next, each with its front on its right, and from the last to the first if it is a
   loop: a counter-clockwise one bounds an island, a clockwise one a hole. */
ABUT_API abut_error_code abut_d2_store_add_chain(abut_d2_store* store, const abut_vec2* points, size_t count,
                                                 bool is_loop, const abut_d2_instance_options* options,
                                                 abut_shape_id* id, abut_error* error);
/** Several convex shapes as one rigid body, which may overlap. No half-planes, no chains. */
ABUT_API abut_error_code abut_d2_store_add_compound(abut_d2_store* store, const abut_d2_compound_child* children,
                                                    size_t count, const abut_d2_instance_options* options,
                                                    abut_shape_id* id, abut_error* error);
/** Another instance of the geometry of `original`, without its options. */
ABUT_API abut_error_code abut_d2_store_add_instance(abut_d2_store* store, abut_shape_id original,
                                                    const abut_d2_instance_options* options, abut_shape_id* id,
                                                    abut_error* error);
/** An error, and nothing changes, where `id` names no living shape. The id is not issued again. */
ABUT_API abut_error_code abut_d2_store_remove(abut_d2_store* store, abut_shape_id id, abut_error* error);

/** Of a null store these are false and 0. */
ABUT_API bool abut_d2_store_contains(const abut_d2_store* store, abut_shape_id id);
ABUT_API size_t abut_d2_store_size(const abut_d2_store* store); /**< living instances */
/** The caller sets view->size. An error where `id` names no living shape, here and below. */
ABUT_API abut_error_code abut_d2_store_view(const abut_d2_store* store, abut_shape_id id, abut_d2_shape_view* view,
                                            abut_error* error);
/** The corners of the core of a convex shape in the body's frame, or the points of a chain: as many as there is room
   for. `count` gets the number of all. `corners` may be null where `room` is 0. */
ABUT_API abut_error_code abut_d2_store_corners(const abut_d2_store* store, abut_shape_id id, abut_vec2* corners,
                                               size_t room, size_t* count, abut_error* error);
/** The children of a compound, flattened, in the order of abut_d2_manifold.child_a: as many as there is room for.
   `count` gets the number of all. */
ABUT_API abut_error_code abut_d2_store_compound_children(const abut_d2_store* store, abut_shape_id id,
                                                         abut_d2_compound_child* children, size_t room, size_t* count,
                                                         abut_error* error);

/** Mass, centre of mass in the body's frame, and moment of inertia about that centre. */
typedef struct abut_d2_mass_properties {
    float mass;       /**< kilograms */
    abut_vec2 center; /**< metres */
    float inertia;    /**< kg m^2 */
} abut_d2_mass_properties;

/** For a density in kilograms per square metre. Errors: no living shape, a chain, a half-plane, a density below 0 or not
   finite. */
ABUT_API abut_error_code abut_d2_store_mass_properties(const abut_d2_store* store, abut_shape_id id, float density,
                                                       abut_d2_mass_properties* out, abut_error* error);

#ifdef __cplusplus
}
#endif
