/** @file
   abut_distance_gradients: the derivatives of signed distances by the poses of both bodies. gradients.hpp says what
   they are where they do not exist. */
#pragma once

#include <abut/c/base.h>
#include <abut/c/frame.h>
#include <abut/c/results.h>

#ifdef __cplusplus
extern "C" {
#endif

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
