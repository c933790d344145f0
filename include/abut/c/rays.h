/** @file
   abut_narrow_phase_raycast: where rays first meet bodies. abut_narrow_phase_measure: signed distances of points from
   bodies. rays.hpp says what is promised. */
#pragma once

#include <abut/c/base.h>
#include <abut/c/frame.h>
#include <abut/c/narrow_phase.h>
#include <abut/c/results.h>
#include <abut/c/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Rays --- */

/** From where a ray or a cast meets the triangles of a mesh or a height field. */
enum {
    ABUT_QUERY_AS_COOKED = 0, /**< as abut_mesh_sides says */
    ABUT_QUERY_FRONT = 1,     /**< in front of a triangle only */
    ABUT_QUERY_BACK = 2,      /**< behind a triangle only */
    ABUT_QUERY_BOTH = 3
};
typedef uint8_t abut_query_sides; /**< one of the enumeration above */

/** One element per ray. */
typedef struct abut_rays {
    size_t size;                /**< of this struct, in bytes: see abut.h */
    abut_column origins;        /**< abut_vec3, world positions, metres */
    abut_column double_origins; /**< abut_dvec3, instead of origins */
    abut_column directions;     /**< abut_vec3, world axes, of any length but 0: a ray ends at origin + direction */
    abut_column lengths;        /**< float, optional, metres: a ray ends so far along its direction */
    /** optional, as many as directions: instead of abut_ray_options.sides */
    const abut_query_sides* sides;
} abut_rays;

/** Which hits count. */
enum {
    ABUT_RAY_EVERY_PAIR = 0,
    ABUT_RAY_FIRST_OF_RAY = 1, /**< of the pairs of one ray the first hit alone */
    ABUT_RAY_ANY_OF_RAY = 2    /**< of the pairs of one ray one hit, not always the first */
};
typedef uint32_t abut_ray_reduction; /**< one of the enumeration above */

/** What is a hit. */
typedef struct abut_ray_options {
    size_t size; /**< of this struct, in bytes: see abut.h */
    abut_ray_reduction reduction;
    bool solid_meshes;      /**< a ray may start inside a mesh that abut_store_has_inside. Default: false */
    uint8_t unused[3];      /**< any value */
    abut_query_sides sides; /**< of all rays. Default: ABUT_QUERY_AS_COOKED */
    uint8_t reserved[7];    /**< 0 */
} abut_ray_options;

/** Writes the defaults and `size`, which is sizeof the struct as the program knows it. */
ABUT_API abut_error_code abut_ray_options_init(abut_ray_options* options, size_t size, abut_error* error);
/** The defaults, with `size` set. */
static inline abut_ray_options abut_ray_options_default(void) {
    abut_ray_options options;
    memset(&options, 0, sizeof options);
    abut_ray_options_init(&options, sizeof options, ABUT_NULL);
    return options;
}

/** Columns but `bits` and `fraction` may be null. A miss has fraction 1, ABUT_NO_FACE, and zeros. */
typedef struct abut_ray_columns {
    size_t size;       /**< of this struct, in bytes: see abut.h */
    size_t count;      /**< the elements of each column that is not null: the frame's pairs or more */
    uint32_t* bits;    /**< (count + 31) / 32 words; bit i % 32 of word i / 32 is pair i */
    double* fraction;  /**< in [0, 1], of the ray's length */
    abut_vec3* point;  /**< relative to the body's position, world axes */
    abut_vec3* normal; /**< outward; zero if the ray starts inside */
    uint32_t* child;   /**< of a compound the child, of a mesh or height field the triangle */
    uint8_t* inside;   /**< 1: the ray starts in the solid */
    abut_status* status;
    uint32_t* hits; /**< the hit pairs' indices, ascending; as many as fit */
    size_t hit_room;
    size_t hit_count; /**< out: how many hit, whether or not `hits` had room */
    /** the hit face of a convex shape or of a compound's child, numbered as in abut_feature; ABUT_NO_FACE: a shape
       without faces, a triangle, a ray that starts inside */
    uint16_t* face;
} abut_ray_columns;

/** In the frame's pairs, a is the index of a ray and b that of a body. Null options are the defaults. */
ABUT_API abut_error_code abut_narrow_phase_raycast(abut_narrow_phase* narrow, const abut_frame* frame,
                                                   const abut_rays* rays, abut_ray_columns* out,
                                                   const abut_ray_options* options, abut_error* error);

/* --- Points --- */

/** World positions, metres: one of the two columns. */
typedef struct abut_points {
    size_t size;                  /**< of this struct, in bytes: see abut.h */
    abut_column positions;        /**< abut_vec3 */
    abut_column double_positions; /**< abut_dvec3 */
} abut_points;

/** What is inside, and what is far. */
typedef struct abut_point_options {
    size_t size;        /**< of this struct, in bytes: see abut.h */
    float max_distance; /**< metres: a point that is farther outside has the distance +infinity. Default +infinity */
    bool solid_meshes;  /**< meshes that abut_store_has_inside have a negative distance inside. Default: false */
    uint8_t unused[3];  /**< any value */
} abut_point_options;

/** Writes the defaults and `size`, which is sizeof the struct as the program knows it. */
ABUT_API abut_error_code abut_point_options_init(abut_point_options* options, size_t size, abut_error* error);
/** The defaults, with `size` set. */
static inline abut_point_options abut_point_options_default(void) {
    abut_point_options options;
    memset(&options, 0, sizeof options);
    abut_point_options_init(&options, sizeof options, ABUT_NULL);
    return options;
}

/** Columns but `signed_distance` may be null. */
typedef struct abut_point_columns {
    size_t size;  /**< of this struct, in bytes: see abut.h */
    size_t count; /**< the elements of each column that is not null: the frame's pairs or more */
    /** metres, negative inside; +infinity and zeros: past max_distance, or behind all triangles */
    float* signed_distance;
    abut_vec3* normal;  /**< outward */
    abut_vec3* nearest; /**< the nearest point of the surface, relative to the body's position */
    uint32_t* child;    /**< of a compound the child, of a mesh or height field the triangle */
    abut_status* status;
} abut_point_columns;

/** In the frame's pairs, a is the index of a point and b that of a body. Null options are the defaults. */
ABUT_API abut_error_code abut_narrow_phase_measure(abut_narrow_phase* narrow, const abut_frame* frame,
                                                   const abut_points* points, abut_point_columns* out,
                                                   const abut_point_options* options, abut_error* error);

/** Whether the shape is a mesh that is closed and whose fronts are outside. */
ABUT_API bool abut_store_has_inside(const abut_store* store, abut_shape_id id);

#ifdef __cplusplus
}
#endif
