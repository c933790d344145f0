/** @file
   One list of bodies and pairs in many configurations. abut_distance_gradients: the derivatives of signed distances by
   the poses of both bodies. configurations.hpp says what is promised. */
#pragma once

#include <abut/c/base.h>
#include <abut/c/frame.h>
#include <abut/c/narrow_phase.h>
#include <abut/c/results.h>
#include <abut/c/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Configurations --- */

/** Poses, as in abut_bodies: that of a body is at configuration * bodies + body. The columns are equally long, a
   multiple of the bodies. Obstacle i has the index bodies + i. */
typedef struct abut_configurations {
    size_t size; /**< of this struct, in bytes: see abut.h */
    const abut_store* shapes;
    abut_column bodies;           /**< abut_shape_id: the shape of each body, in all configurations */
    abut_column pairs;            /**< abut_pair, of bodies and obstacles */
    abut_column positions;        /**< abut_vec3, metres; or */
    abut_column double_positions; /**< abut_dvec3; or those of the transforms */
    abut_column orientations;     /**< abut_quat; or */
    abut_column transforms;       /**< abut_mat44 */
    abut_bodies obstacles;        /**< the same in all configurations; may be empty */
} abut_configurations;

/** One element per configuration. */
typedef struct abut_any_overlap_columns {
    size_t size;          /**< of this struct, in bytes: see abut.h */
    size_t count;         /**< the elements of each column that is not null */
    uint32_t* pair;       /**< the first pair of the list that overlaps, or ABUT_NO_PAIR */
    uint32_t* unanswered; /**< optional: how many pairs before it have no answer */
} abut_any_overlap_columns;

/** One element per path; PathOverlapColumns in configurations.hpp has the rule. */
typedef struct abut_path_overlap_columns {
    size_t size;             /**< of this struct, in bytes: see abut.h */
    size_t count;            /**< the elements of each column that is not null */
    uint32_t* configuration; /**< one in which a pair overlaps, or ABUT_NO_PAIR */
    uint32_t* pair;          /**< optional: the first pair of the list that overlaps in it, or ABUT_NO_PAIR */
    uint32_t* unanswered;    /**< optional: how many pairs that were looked at before have no answer */
} abut_path_overlap_columns;

/** One element per configuration. */
typedef struct abut_least_distance_columns {
    size_t size; /**< of this struct, in bytes: see abut.h */
    size_t count;
    float* signed_distance; /**< the least of all pairs, or +infinity */
    uint32_t* pair;         /**< optional, and all below: which has it, the lowest of equals, or ABUT_NO_PAIR */
    abut_vec3* normal;      /**< as in abut_distance_columns */
    abut_vec3* point_a;
    abut_vec3* point_b;
    uint32_t* unanswered; /**< how many pairs have no answer */
} abut_least_distance_columns;

/** An element of each column per (configuration, pair), at configuration * pairs + pair: the bits of a call for each
   configuration. */
ABUT_API abut_error_code abut_narrow_phase_overlap_configurations(abut_narrow_phase* narrow,
                                                                  const abut_configurations* all,
                                                                  abut_overlap_columns* out, abut_error* error);
/** Null options are the defaults, here and below; max_distances is one per pair of the list. */
ABUT_API abut_error_code abut_narrow_phase_distance_configurations(abut_narrow_phase* narrow,
                                                                   const abut_configurations* all,
                                                                   const abut_distance_columns* out,
                                                                   const abut_distance_options* options,
                                                                   abut_error* error);
/** An answer per configuration. Pairs that can no longer change it are not asked. */
ABUT_API abut_error_code abut_narrow_phase_any_overlap(abut_narrow_phase* narrow, const abut_configurations* all,
                                                       const abut_any_overlap_columns* out, abut_error* error);
/** An answer per path, a row of configurations: path i has those from ends[i - 1], or 0, up to ends[i] (uint32_t),
   without it. */
ABUT_API abut_error_code abut_narrow_phase_any_path_overlap(abut_narrow_phase* narrow, const abut_configurations* all,
                                                            abut_column ends, const abut_path_overlap_columns* out,
                                                            abut_error* error);
/** An answer per configuration: the least distance of all pairs. */
ABUT_API abut_error_code abut_narrow_phase_least_distance(abut_narrow_phase* narrow, const abut_configurations* all,
                                                          const abut_least_distance_columns* out,
                                                          const abut_distance_options* options, abut_error* error);

/* --- Gradients --- */

/** Along world axes; a rotation is a rotation vector about the body's position. Columns may be null. */
typedef struct abut_gradient_columns {
    size_t size;           /**< of this struct, in bytes: see abut.h */
    size_t count;          /**< the elements of each column that is not null: the frame's pairs or more */
    abut_vec3* position_a; /**< by a translation of A: no unit */
    abut_vec3* rotation_a; /**< metres per radian */
    abut_vec3* position_b;
    abut_vec3* rotation_b;
} abut_gradient_columns;

/** How exact gradients are. */
typedef struct abut_gradient_options {
    size_t size; /**< of this struct, in bytes: see abut.h */
    /** Computes the normals of cylinders, cones and ellipsoids again in double; their relative error is then below 1e-3.
       Default: true */
    bool refine;
    uint8_t reserved[7]; /**< 0 */
} abut_gradient_options;

/** Writes the defaults and `size`, which is sizeof the struct as the program knows it. */
ABUT_API abut_error_code abut_gradient_options_init(abut_gradient_options* options, size_t size, abut_error* error);
/** The defaults, with `size` set. */
static inline abut_gradient_options abut_gradient_options_default(void) {
    abut_gradient_options options;
    memset(&options, 0, sizeof options);
    abut_gradient_options_init(&options, sizeof options, ABUT_NULL);
    return options;
}

/** `distances`: the answer of abut_narrow_phase_distance for this frame, with normal, point_a and point_b. A pair
   without an answer, or at an infinite distance, gets zeros. Null options are the defaults. Any thread. */
ABUT_API abut_error_code abut_distance_gradients(const abut_frame* frame, const abut_distance_columns* distances,
                                                 const abut_gradient_columns* out, const abut_gradient_options* options,
                                                 abut_error* error);

#ifdef __cplusplus
}
#endif
