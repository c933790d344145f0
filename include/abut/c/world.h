/** @file
   Queries against a whole world in one call: the first hits of rays, the bodies that shapes overlap, the first hits of
   moving shapes. world.hpp says what is promised.
     abut_world_bounds(store, &bodies, bounds, count, NULL, &error);
     abut_world_tree_build(tree, &boxes, NULL, &error);                    once per frame, for any number of queries
     abut_narrow_phase_raycast_world(narrow, &world, &rays, &hits, NULL, &error); */
#pragma once

#include <abut/c/base.h>
#include <abut/c/broad.h>
#include <abut/c/cast.h>
#include <abut/c/frame.h>
#include <abut/c/narrow_phase.h>
#include <abut/c/rays.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ABUT_NO_BODY 0xffffffffu /**< no body of a world */

/** A tree over the bounds of a world's bodies. Queries of several threads may read one tree at once. */
typedef struct abut_world_tree abut_world_tree;

/** Null settings are the defaults. An error where they cannot be met. */
ABUT_API abut_error_code abut_world_tree_create(const abut_broad_settings* settings, abut_world_tree** tree,
                                                abut_error* error);
/** Null is allowed. */
ABUT_API void abut_world_tree_destroy(abut_world_tree* tree);
/** Box i is that of body i, relative to `origin` (null: (0, 0, 0)). Groups and masks are copied, `moving` is not
   read. */
ABUT_API abut_error_code abut_world_tree_build(abut_world_tree* tree, const abut_boxes* boxes, const abut_dvec3* origin,
                                               abut_error* error);
/** The indices of the bad boxes of the last build, ascending, valid until the next one; returns their number. */
ABUT_API size_t abut_world_tree_bad(const abut_world_tree* tree, const uint32_t** bad);

/** The bodies of a world. */
typedef struct abut_world {
    size_t size; /**< of this struct, in bytes: see abut.h */
    const abut_store* shapes;
    const abut_bodies* bodies; /**< as many as the tree has boxes */
    const abut_world_tree* tree;
} abut_world;

/** Which bodies a query sees. All columns are optional, with one element per ray or shape. */
typedef struct abut_world_filter {
    size_t size;         /**< of this struct, in bytes: see abut.h */
    abut_column groups;  /**< uint32_t, as those of boxes */
    abut_column masks;   /**< uint32_t */
    abut_column ignored; /**< uint32_t: a body that is not seen, or ABUT_NO_BODY */
} abut_world_filter;

/* --- Rays --- */

/** What is a hit, and how many hits of a ray are listed. */
typedef struct abut_world_ray_options {
    size_t size;                     /**< of this struct, in bytes: see abut.h */
    uint32_t max_hits;               /**< per ray, 1 to 65,536, at most one with each body. Default 1 */
    bool any;                        /**< any hits instead of the first ones. Default: false */
    bool count_left_out;             /**< rays do not end at their last listed hit. Default: false */
    bool solid_meshes;               /**< as of abut_ray_options */
    abut_query_sides sides;          /**< of all rays */
    const abut_world_filter* filter; /**< optional */
} abut_world_ray_options;

/** Writes the defaults and `size`, which is sizeof the struct as the program knows it. */
ABUT_API abut_error_code abut_world_ray_options_init(abut_world_ray_options* options, size_t size, abut_error* error);
/** The defaults, with `size` set. */
static inline abut_world_ray_options abut_world_ray_options_default(void) {
    abut_world_ray_options options;
    memset(&options, 0, sizeof options);
    abut_world_ray_options_init(&options, sizeof options, ABUT_NULL);
    return options;
}

/** Any column may be null. The hits of ray i begin at i * max_hits, ascending by fraction. Elements without a hit have
   ABUT_NO_BODY, fraction 1, ABUT_NO_FACE and zeros. */
typedef struct abut_world_ray_columns {
    size_t size;       /**< of this struct, in bytes: see abut.h */
    size_t count;      /**< the elements of left_out: one per ray or more */
    size_t slot_count; /**< the elements of every other column: max_hits per ray or more */
    uint32_t* body;
    double* fraction;  /**< in [0, 1], of the ray's length */
    abut_vec3* point;  /**< relative to the body's position, world axes */
    abut_vec3* normal; /**< outward; zero if the ray starts inside */
    uint32_t* child;   /**< of a compound the child, of a mesh or height field the triangle */
    uint8_t* inside;   /**< 1: the ray starts in the solid */
    abut_status* status;
    uint32_t* left_out; /**< how many hits more a ray has (count_left_out) */
    uint16_t* face;     /**< as abut_ray_columns.face */
} abut_world_ray_columns;

/** Null options are the defaults. */
ABUT_API abut_error_code abut_narrow_phase_raycast_world(abut_narrow_phase* narrow, const abut_world* world,
                                                         const abut_rays* rays, abut_world_ray_columns* out,
                                                         const abut_world_ray_options* options, abut_error* error);

/* --- Overlaps --- */

/** The pairs of a shape (abut_pair.a) and a body that overlap, ascending by a, then by b. */
typedef struct abut_world_overlap_columns {
    size_t size;      /**< of this struct, in bytes: see abut.h */
    size_t count;     /**< the elements of `status`: one per shape or more */
    abut_pair* pairs; /**< as many as fit */
    size_t pair_room;
    size_t pair_count;   /**< out: how many there are, whether or not `pairs` had room */
    abut_status* status; /**< optional */
} abut_world_overlap_columns;

/** Null `filter`: all bodies. */
ABUT_API abut_error_code abut_narrow_phase_overlap_world(abut_narrow_phase* narrow, const abut_world* world,
                                                         const abut_bodies* shapes, abut_world_overlap_columns* out,
                                                         const abut_world_filter* filter, abut_error* error);

/* --- Casts --- */

/** What is a hit. The bodies of the world do not move. */
typedef struct abut_world_cast_options {
    size_t size;     /**< of this struct, in bytes: see abut.h */
    float target;    /**< metres. Default 0 */
    float tolerance; /**< of the smaller size. Default 1e-4 */
    abut_cast_start start;
    abut_query_sides sides;
    uint8_t reserved[3];             /**< 0 */
    const abut_world_filter* filter; /**< optional */
} abut_world_cast_options;

/** Writes the defaults and `size`, which is sizeof the struct as the program knows it. */
ABUT_API abut_error_code abut_world_cast_options_init(abut_world_cast_options* options, size_t size, abut_error* error);
/** The defaults, with `size` set. */
static inline abut_world_cast_options abut_world_cast_options_default(void) {
    abut_world_cast_options options;
    memset(&options, 0, sizeof options);
    abut_world_cast_options_init(&options, sizeof options, ABUT_NULL);
    return options;
}

/** Columns but `body` may be null. A miss has ABUT_NO_BODY, the time 1, a signed distance of +infinity, and zeros. */
typedef struct abut_world_cast_columns {
    size_t size;  /**< of this struct, in bytes: see abut.h */
    size_t count; /**< the elements of each column that is not null: one per shape or more */
    uint32_t* body;
    double* time;
    float* signed_distance; /**< metres, at that time */
    abut_vec3* normal;      /**< from the shape to the body */
    abut_vec3* point_a;     /**< relative to the shape's position at that time */
    abut_vec3* point_b;
    uint32_t* child_a; /**< of a compound the child, of a surface the triangle */
    uint32_t* child_b;
    abut_status* status;
} abut_world_cast_columns;

/** Null options are the defaults. */
ABUT_API abut_error_code abut_narrow_phase_cast_world(abut_narrow_phase* narrow, const abut_world* world,
                                                      const abut_bodies* shapes, const abut_motions* motions,
                                                      abut_world_cast_columns* out,
                                                      const abut_world_cast_options* options, abut_error* error);

#ifdef __cplusplus
}
#endif
