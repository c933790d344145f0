/** @file
   Convex hulls: options, what cooking made of them, faces and edges, and hulls cooked without a store. */
#pragma once

#include <abut/c/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Of a cooked hull. */
#define ABUT_MAX_HULL_VERTICES 4096

/** What cooking may leave out. */
typedef struct abut_hull_options {
    size_t size; /**< of this struct, in bytes: see abut.h */
    /** At most so many vertices, chosen among the points so that those left out are near. 0, the default: as many as
       the points make, an error above ABUT_MAX_HULL_VERTICES. Less than the 4 vertices of a solid (3 of a polygon, 2
       of a segment) is an error where the points make one. */
    uint32_t max_vertices;
    float tolerance; /**< metres: points this close to the hull of the rest may be dropped. Default 0 */
    /** abut_store_add_hull adds a box where the points are one, centred on the origin and along the local axes: several
       times as fast. Default false */
    bool recognise_box;
    uint8_t unused[7]; /**< any value */
} abut_hull_options;

/** Writes the defaults and `size`, which is sizeof the struct as the program knows it. */
ABUT_API abut_error_code abut_hull_options_init(abut_hull_options* options, size_t size, abut_error* error);
/** The defaults, with `size` set. */
static inline abut_hull_options abut_hull_options_default(void) {
    abut_hull_options options;
    memset(&options, 0, sizeof options);
    abut_hull_options_init(&options, sizeof options, ABUT_NULL);
    return options;
}

/** What cooking made of the points. */
typedef struct abut_hull_report {
    size_t size; /**< of this struct, in bytes: see abut.h */
    uint32_t vertices, faces, edges;
    /** interior, duplicate, collinear on an edge or coplanar in a face, or given up for the options */
    uint32_t dropped_points;
    uint32_t dimension; /**< 0 point, 1 segment, 2 polygon, 3 solid */
    /** Metres, of the hull unscaled and without rounding, measured in double and rounded up. */
    float deviation; /**< no point is farther outside the hull */
    float overshoot; /**< the hull reaches no farther out of that of the points */
    bool is_box;     /**< a box along the local axes */
    abut_vec3 box_half_extents, box_centre;
} abut_hull_report;

/** In the frame of the vertices: the body's, unscaled and without rounding. Its index is that of a contact's feature
   id. */
typedef struct abut_hull_face {
    abut_vec3 normal; /**< unit, outward */
    float offset;     /**< normal . x <= offset for every vertex x, to rounding */
    /** Vertex indices, counter-clockwise seen from outside, the lowest first. The store's own memory: valid until the
       store changes. */
    const uint16_t* corners;
    size_t corner_count;
} abut_hull_face;

/** The plane of the same face of an instance with this scale; its corners are the vertices times the scale. */
ABUT_API abut_error_code abut_scaled_hull_face(const abut_hull_face* face, abut_vec3 scale, abut_hull_face* out,
                                               abut_error* error);

/** v0 < v1 but for a segment's one edge; from v0 to v1 face f0 is on the left and f1 on the right, seen from outside. */
typedef struct abut_hull_edge {
    uint16_t v0, v1, f0, f1;
} abut_hull_edge;
/** In abut_hull_edge: there is no face. */
#define ABUT_NO_FACE ((uint16_t)0xffff) /* f0 and f1 of a segment's edge */

/* --- Cooked hulls: made on any thread, or long before, and kept as bytes --- */

/** Reading one from several threads is safe. */
typedef struct abut_cooked_hull abut_cooked_hull;

/** The first half of abut_store_add_hull, with the same checks and errors. Any number of threads may cook at once. */
ABUT_API abut_error_code abut_cook_hull(const abut_vec3* points, size_t count, const abut_hull_options* options,
                                        abut_cooked_hull** hull, abut_error* error);
/** Null is allowed. */
ABUT_API void abut_cooked_hull_destroy(abut_cooked_hull* hull);
/** The caller sets report->size. */
ABUT_API abut_error_code abut_cooked_hull_report(const abut_cooked_hull* hull, abut_hull_report* report,
                                                 abut_error* error);

/** Its length as bytes: little-endian, without pointers, equal for equal points and options on every machine. 0 of a
   null hull. */
ABUT_API size_t abut_cooked_hull_byte_count(const abut_cooked_hull* hull);
/** ABUT_BAD_SIZE, and nothing is written, where there is no room for all. */
ABUT_API abut_error_code abut_cooked_hull_write(const abut_cooked_hull* hull, void* bytes, size_t room,
                                                abut_error* error);
/** From bytes of unknown origin, which are checked: an error names the first fault and its place. */
ABUT_API abut_error_code abut_cooked_hull_read(const void* bytes, size_t count, abut_cooked_hull** hull,
                                               abut_error* error);

#ifdef __cplusplus
}
#endif
