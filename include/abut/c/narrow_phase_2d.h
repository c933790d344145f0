/** @file
   abut_d2_narrow_phase: the queries of a frame in the plane. Options, statuses and settings are those of three
   dimensions; d2/narrow_phase_2d.hpp says what each query answers. */
#pragma once

#include <abut/c/cast.h>
#include <abut/c/configurations.h>
#include <abut/c/narrow_phase.h>
#include <abut/c/rays.h>
#include <abut/c/shapes_2d.h>
#include <abut/c/warm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- A frame: bodies and pairs, read in place --- */

/** 20 bytes: the fastest layout. abut::d2::Body of the C++ headers. */
typedef struct abut_d2_body {
    abut_vec2 position; /**< metres, world axes */
    abut_rot rotation;
    abut_shape_id shape;
} abut_d2_body;

/** Records, or a column for each field, of one length. All zeros: no bodies. */
typedef struct abut_d2_bodies {
    abut_column records; /**< abut_d2_body; then no other column */
    abut_column shapes;  /**< abut_shape_id */
    /** One of the next two. Of doubles only the difference of a pair's two positions is taken, in double. */
    abut_column positions;        /**< abut_vec2 */
    abut_column double_positions; /**< abut_dvec2; a multiple of 4 bytes is alignment enough */
    /** One of the next two. */
    abut_column rotations;   /**< abut_rot */
    abut_column angles;      /**< float, radians, any number of turns */
    abut_column reserved[2]; /**< zeros */
} abut_d2_bodies;

/** An array of records. */
static inline abut_d2_bodies abut_d2_body_records(const abut_d2_body* bodies, size_t count) {
    abut_d2_bodies records;
    memset(&records, 0, sizeof records);
    records.records = abut_array(bodies, count);
    return records;
}

/** Bodies, pairs and what a query needs for each pair. {.size = sizeof frame} is an empty one. */
typedef struct abut_d2_frame {
    size_t size; /**< of this struct, in bytes: see abut.h */
    const abut_d2_store* shapes;
    abut_d2_bodies bodies;
    abut_column pairs;   /**< abut_pair; at most 2,147,483,647 */
    abut_column margins; /**< optional: float, metres, one per pair, instead of the settings' speculative margin */
} abut_d2_frame;

/* --- Results: normals and points along world axes, points relative to the position of the pair's body A --- */

/** As abut_distance_columns. The distance is +infinity where no segment of a chain takes part. */
typedef struct abut_d2_distance_columns {
    size_t size;            /**< of this struct, in bytes: see abut.h */
    size_t count;           /**< the elements of each column that is not null: the frame's pairs or more */
    float* signed_distance; /**< metres */
    abut_vec2* normal;      /**< optional */
    abut_vec2* point_a;     /**< optional */
    abut_vec2* point_b;     /**< optional */
    abut_status* status;    /**< optional */
} abut_d2_distance_columns;

/** A point of a manifold. */
typedef struct abut_d2_contact {
    abut_vec2 position; /**< midpoint between the two surfaces, relative to A's position */
    float separation;   /**< metres along the manifold's normal; negative where the surfaces overlap */
    uint32_t feature;   /**< A's corner in the high half, B's in the low; 0xffff for a half-plane */
} abut_d2_contact;

/** Contacts of one pair of convex shapes, with one normal. */
typedef struct abut_d2_manifold {
    uint32_t pair;               /**< index into the frame's pairs */
    uint32_t child_a, child_b;   /**< the child of a compound, the segment of a chain; 0 for a convex shape */
    uint32_t contact_count;      /**< 1 or 2 */
    abut_vec2 normal;            /**< unit, from A to B */
    abut_d2_contact contacts[2]; /**< deepest first */
} abut_d2_manifold;

/** Pair i's manifolds are [first_manifold[i], first_manifold[i + 1]). Where the list is too short the call runs all the
   same: the pairs that did not fit have ABUT_STATUS_NO_ROOM, and the counts say what would have been needed. */
typedef struct abut_d2_manifold_columns {
    size_t size; /**< of this struct, in bytes: see abut.h */
    uint32_t* first_manifold;
    size_t first_manifold_count; /**< pairs + 1, or more */
    abut_d2_manifold* manifolds;
    size_t manifold_room; /**< any */
    abut_status* status;  /**< optional */
    size_t status_count;
    size_t manifold_count;   /**< out: written */
    size_t manifolds_needed; /**< out: what the whole frame needs */
} abut_d2_manifold_columns;

/** The library's own memory for the answers of collide, as abut_manifolds. */
typedef struct abut_d2_manifolds abut_d2_manifolds;

/** Empty at first. */
ABUT_API abut_error_code abut_d2_manifolds_create(abut_d2_manifolds** manifolds, abut_error* error);
/** Null is allowed. */
ABUT_API void abut_d2_manifolds_destroy(abut_d2_manifolds* manifolds);
/** The columns of the last call that filled it, valid until the next one. The caller sets columns->size. */
ABUT_API abut_error_code abut_d2_manifolds_columns(const abut_d2_manifolds* manifolds,
                                                   abut_d2_manifold_columns* columns, abut_error* error);

/** The poses at the end of the motion. */
typedef struct abut_d2_motions {
    size_t size; /**< of this struct, in bytes: see abut.h */
    /** as many as the frame has; shapes are not read, but columns of bodies have them. If the frame's bodies and these
       have angles, a body turns by their difference, any number of turns; else along the shorter arc */
    abut_d2_bodies ends;
    abut_column centers; /**< abut_vec2, optional, one per body: the centre of rotation in its frame, metres */
} abut_d2_motions;

/** As abut_cast_columns. */
typedef struct abut_d2_cast_columns {
    size_t size;    /**< of this struct, in bytes: see abut.h */
    size_t count;   /**< the elements of each column that is not null: the frame's pairs or more */
    uint32_t* bits; /**< (count + 31) / 32 words; bit i % 32 of word i / 32 is pair i */
    double* time;
    float* signed_distance; /**< metres, at that time */
    abut_vec2* normal;      /**< from A to B */
    abut_vec2* point_a;     /**< relative to A's position at that time */
    abut_vec2* point_b;
    uint32_t* child_a; /**< of a compound the child, of a chain the segment */
    uint32_t* child_b;
    abut_status* status;
    uint32_t* hits; /**< the hit pairs' indices, ascending; as many as fit */
    size_t hit_room;
    size_t hit_count; /**< out: how many hit, whether or not `hits` had room */
} abut_d2_cast_columns;

/** One element per ray. */
typedef struct abut_d2_rays {
    size_t size;                /**< of this struct, in bytes: see abut.h */
    abut_column origins;        /**< abut_vec2, world positions, metres */
    abut_column double_origins; /**< abut_dvec2, instead of origins */
    abut_column directions;     /**< abut_vec2, of any length but 0: a ray ends at origin + direction */
    abut_column lengths;        /**< float, optional, metres: a ray ends so far along its direction */
} abut_d2_rays;

/** As abut_ray_columns. */
typedef struct abut_d2_ray_columns {
    size_t size;       /**< of this struct, in bytes: see abut.h */
    size_t count;      /**< the elements of each column that is not null: the frame's pairs or more */
    uint32_t* bits;    /**< (count + 31) / 32 words; bit i % 32 of word i / 32 is pair i */
    double* fraction;  /**< in [0, 1], of the ray's length */
    abut_vec2* point;  /**< relative to the body's position, world axes */
    abut_vec2* normal; /**< outward; zero if the ray starts inside */
    uint32_t* child;   /**< of a compound the child, of a chain the segment */
    uint8_t* inside;   /**< 1: the ray starts in the solid */
    abut_status* status;
    uint32_t* hits; /**< the hit pairs' indices, ascending; as many as fit */
    size_t hit_room;
    size_t hit_count; /**< out: how many hit, whether or not `hits` had room */
} abut_d2_ray_columns;

/** World positions, metres: one of the two columns. */
typedef struct abut_d2_points {
    size_t size;                  /**< of this struct, in bytes: see abut.h */
    abut_column positions;        /**< abut_vec2 */
    abut_column double_positions; /**< abut_dvec2 */
} abut_d2_points;

/** As abut_point_columns. */
typedef struct abut_d2_point_columns {
    size_t size;            /**< of this struct, in bytes: see abut.h */
    size_t count;           /**< the elements of each column that is not null: the frame's pairs or more */
    float* signed_distance; /**< metres, negative inside; +infinity and zeros: past max_distance, behind a chain */
    abut_vec2* normal;      /**< outward */
    abut_vec2* nearest;     /**< the nearest point of the surface, relative to the body's position */
    uint32_t* child;        /**< of a compound the child, of a chain the segment */
    abut_status* status;
} abut_d2_point_columns;

/* --- The narrow phase --- */

/** For threads, memory and refused calls as abut_narrow_phase. */
typedef struct abut_d2_narrow_phase abut_d2_narrow_phase;

/** Null settings are the defaults. An error where they cannot be met. */
ABUT_API abut_error_code abut_d2_narrow_phase_create(const abut_settings* settings, abut_d2_narrow_phase** narrow,
                                                     abut_error* error);
/** Null is allowed. */
ABUT_API void abut_d2_narrow_phase_destroy(abut_d2_narrow_phase* narrow);

/** One bit per pair: whether the signed distance is 0 or less. */
ABUT_API abut_error_code abut_d2_narrow_phase_overlap(abut_d2_narrow_phase* narrow, const abut_d2_frame* frame,
                                                      abut_overlap_columns* out, abut_error* error);
/** Null options are the defaults, here and below. */
ABUT_API abut_error_code abut_d2_narrow_phase_distance(abut_d2_narrow_phase* narrow, const abut_d2_frame* frame,
                                                       const abut_d2_distance_columns* out,
                                                       const abut_distance_options* options, abut_error* error);
/** Into the caller's columns. */
ABUT_API abut_error_code abut_d2_narrow_phase_collide(abut_d2_narrow_phase* narrow, const abut_d2_frame* frame,
                                                      abut_d2_manifold_columns* out, abut_error* error);
/** Into memory that grows. */
ABUT_API abut_error_code abut_d2_narrow_phase_collide_all(abut_d2_narrow_phase* narrow, const abut_d2_frame* frame,
                                                          abut_d2_manifolds* out, abut_error* error);
/** The first time at which the bodies of each pair come within a distance. */
ABUT_API abut_error_code abut_d2_narrow_phase_cast(abut_d2_narrow_phase* narrow, const abut_d2_frame* frame,
                                                   const abut_d2_motions* motions, abut_d2_cast_columns* out,
                                                   const abut_cast_options* options, abut_error* error);
/** In the frame's pairs, a is the index of a ray and b that of a body. */
ABUT_API abut_error_code abut_d2_narrow_phase_raycast(abut_d2_narrow_phase* narrow, const abut_d2_frame* frame,
                                                      const abut_d2_rays* rays, abut_d2_ray_columns* out,
                                                      const abut_ray_options* options, abut_error* error);
/** In the frame's pairs, a is the index of a point and b that of a body. */
ABUT_API abut_error_code abut_d2_narrow_phase_measure(abut_d2_narrow_phase* narrow, const abut_d2_frame* frame,
                                                      const abut_d2_points* points, abut_d2_point_columns* out,
                                                      const abut_point_options* options, abut_error* error);

/* --- Configurations: a robot in many poses among obstacles that rest --- */

/** d2/configurations_2d.hpp says what is promised. */
typedef struct abut_d2_configurations {
    size_t size; /**< of this struct, in bytes: see abut.h */
    const abut_d2_store* shapes;
    abut_d2_bodies robot;     /**< body i in configuration c is at c * robot_bodies + i */
    size_t robot_bodies;      /**< of one configuration */
    abut_column pairs;        /**< abut_pair: below robot_bodies of the robot's, robot_bodies + i is obstacle i */
    abut_d2_bodies obstacles; /**< the same in all configurations; may be empty */
} abut_d2_configurations;

/** As abut_least_distance_columns. */
typedef struct abut_d2_least_distance_columns {
    size_t size; /**< of this struct, in bytes: see abut.h */
    size_t count;
    float* signed_distance; /**< the least of all pairs, or +infinity */
    uint32_t* pair;         /**< optional, and all below: which has it, the lowest of equals, or ABUT_NO_PAIR */
    abut_vec2* normal;      /**< as in abut_d2_distance_columns */
    abut_vec2* point_a;
    abut_vec2* point_b;
    uint32_t* unanswered; /**< how many pairs have no answer */
} abut_d2_least_distance_columns;

/** An answer per configuration: the first pair that overlaps. Pairs after it are not asked. */
ABUT_API abut_error_code abut_d2_narrow_phase_any_overlap(abut_d2_narrow_phase* narrow,
                                                          const abut_d2_configurations* all,
                                                          const abut_any_overlap_columns* out, abut_error* error);
/** An answer per configuration: the least distance of all pairs. */
ABUT_API abut_error_code abut_d2_narrow_phase_least_distance(abut_d2_narrow_phase* narrow,
                                                             const abut_d2_configurations* all,
                                                             const abut_d2_least_distance_columns* out,
                                                             const abut_distance_options* options, abut_error* error);

/* --- From bodies to pairs, and from frame to frame: the broad phase and the warm table are those of 3D --- */

/** As abut_world_bounds: boxes for abut_broad_phase, with z 0. */
ABUT_API abut_error_code abut_d2_world_bounds(const abut_d2_store* shapes, const abut_d2_bodies* bodies,
                                              abut_bounds* bounds, size_t count, const abut_dvec2* origin,
                                              abut_error* error);
/** As abut_swept_bounds, with any number of turns: boxes that contain the bodies on their way to the poses of
   `motions`. */
ABUT_API abut_error_code abut_d2_swept_bounds(const abut_d2_store* shapes, const abut_d2_bodies* bodies,
                                              const abut_d2_motions* motions, abut_bounds* bounds, size_t count,
                                              const abut_dvec2* origin, abut_error* error);
/** As abut_warm_table_carry_over: between abut_warm_table_begin, whose caches have no use in the plane, and
   abut_warm_table_impulses. Contact k of manifold m has the impulse 2 * m + k; those of no contact are 0. */
ABUT_API abut_error_code abut_d2_warm_table_carry_over(abut_warm_table* table, const abut_d2_frame* frame,
                                                       const abut_d2_manifold_columns* now,
                                                       const abut_carry_over_options* options, abut_error* error);

/** The caller sets counters->size. */
ABUT_API abut_error_code abut_d2_narrow_phase_counters(const abut_d2_narrow_phase* narrow, abut_counters* counters,
                                                       abut_error* error);
/** The one in use; ABUT_ISA_BEST of a null narrow phase. */
ABUT_API abut_isa abut_d2_narrow_phase_isa(const abut_d2_narrow_phase* narrow);

#ifdef __cplusplus
}
#endif
