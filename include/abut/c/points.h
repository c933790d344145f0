/** @file
   abut_narrow_phase_measure: signed distances of points from bodies. points.hpp says what is promised. */
#pragma once

#include <abut/c/base.h>
#include <abut/c/frame.h>
#include <abut/c/narrow_phase.h>
#include <abut/c/results.h>
#include <abut/c/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

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
