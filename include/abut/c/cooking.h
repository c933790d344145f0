/** @file
   Cooking: options and reports of hulls, meshes and height fields, and what is cooked without a store. */
#pragma once

#include <abut/c/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Convex hulls --- */

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

/* --- Triangle meshes and height fields --- */

/** Which sides of a triangle a body collides with. */
enum {
    /** the side from which the corners are counter-clockwise: the outside of a closed mesh; of a height field +Y */
    ABUT_SIDES_FRONT = 0,
    ABUT_SIDES_BOTH = 1
};
typedef uint8_t abut_mesh_sides; /**< one of the enumeration above */

/** Three indices of vertices, counter-clockwise seen from the front. */
typedef struct abut_mesh_triangle {
    uint32_t corners[3];
} abut_mesh_triangle;

/** How a mesh is cooked. */
typedef struct abut_mesh_options {
    size_t size; /**< of this struct, in bytes: see abut.h */
    /** Metres, finite, 0 or more: a vertex this near to an earlier one is that one. Vertices of equal coordinates are
       one in any case. Default 0 */
    float weld_tolerance;
    abut_mesh_sides sides; /**< default ABUT_SIDES_FRONT */
    uint8_t unused[3];     /**< any value */
    /** The caller's, one for each triangle, or null and 0: a material, an index. abut does not read them. */
    const uint32_t* user_values;
    size_t user_value_count;
    /** The mesh bounds a solid, in which bodies overlap it; an error if it is not closed. Default: false */
    bool solid;
    uint8_t reserved[7]; /**< 0 */
} abut_mesh_options;

/** Writes the defaults and `size`, which is sizeof the struct as the program knows it. */
ABUT_API abut_error_code abut_mesh_options_init(abut_mesh_options* options, size_t size, abut_error* error);
/** The defaults, with `size` set. */
static inline abut_mesh_options abut_mesh_options_default(void) {
    abut_mesh_options options;
    memset(&options, 0, sizeof options);
    abut_mesh_options_init(&options, sizeof options, ABUT_NULL);
    return options;
}

/** Flags of a cell of a height field. */
enum {
    ABUT_CELL_HOLE = 1,          /**< it has no triangles */
    ABUT_CELL_OTHER_DIAGONAL = 2 /**< its triangles are (r,c) (r+1,c) (r,c+1) and (r+1,c) (r+1,c+1) (r,c+1) */
};

/** How samples become triangles. */
typedef struct abut_heightfield_options {
    size_t size;                /**< of this struct, in bytes: see abut.h */
    float spacing_x, spacing_z; /**< metres between samples, above 0. Default 1 */
    abut_mesh_sides sides;      /**< default ABUT_SIDES_FRONT */
    uint8_t unused[7];          /**< any value */
    /** Flags for each of the (rows - 1) * (columns - 1) cells, row by row; or one for all; or null and 0. */
    const uint8_t* cells;
    size_t cell_count;
    /** Metres, 0 or more: what is so far below the triangles is solid, and bodies in it overlap the field; infinity: all
       that is below. Default 0: nothing */
    float thickness;
    uint8_t reserved[4]; /**< 0 */
} abut_heightfield_options;

/** Writes the defaults and `size`, which is sizeof the struct as the program knows it. */
ABUT_API abut_error_code abut_heightfield_options_init(abut_heightfield_options* options, size_t size,
                                                       abut_error* error);
/** The defaults, with `size` set. */
static inline abut_heightfield_options abut_heightfield_options_default(void) {
    abut_heightfield_options options;
    memset(&options, 0, sizeof options);
    abut_heightfield_options_init(&options, sizeof options, ABUT_NULL);
    return options;
}

/** What cooking made of the triangles. An edge or a triangle is counted after vertices were welded. */
typedef struct abut_mesh_report {
    size_t size; /**< of this struct, in bytes: see abut.h */
    uint32_t input_triangles;
    uint32_t vertices, triangles;  /**< kept */
    uint32_t welded_vertices;      /**< equal to an earlier one, or within the tolerance */
    uint32_t unused_vertices;      /**< of no triangle that was kept */
    uint32_t degenerate_triangles; /**< dropped: lower than 1e-6 of their longest edge */
    /** dropped: the same corners as an earlier one; of a one-sided mesh also in the same order */
    uint32_t duplicate_triangles;
    uint32_t needles; /**< kept: lower than 1e-3 of their longest edge */
    uint32_t convex_edges, flat_edges, concave_edges;
    uint32_t open_edges;         /**< of one triangle, or of triangles that do not continue each other */
    uint32_t nonmanifold_edges;  /**< of more than two triangles */
    uint32_t inconsistent_edges; /**< of two triangles whose fronts are on different sides */
    /** vertices within an open edge of a triangle that they are no corner of; on crowded meshes a lower bound */
    uint32_t t_junctions;
    abut_mesh_sides sides;
    size_t bytes; /**< of memory, for all instances together */
    bool solid;
    bool inside_out;     /**< closed, but its fronts are inside, so that bodies fall into it */
    uint8_t reserved[2]; /**< 0 */
    /** square metres: the sum of area times front normal. 0 for a closed mesh; of ground it points up */
    abut_vec3 front_area;
} abut_mesh_report;

/** The result of cooking. */
typedef struct abut_heightfield_report {
    size_t size; /**< of this struct, in bytes: see abut.h */
    uint32_t rows, columns;
    uint32_t triangles; /**< whose three samples are there */
    uint32_t holes;     /**< samples that are NaN */
    float spacing_x, spacing_z;
    abut_mesh_sides sides;
    size_t bytes;                         /**< of memory, for all instances together */
    uint32_t hole_cells, other_diagonals; /**< cells with these flags */
    float thickness;
    uint8_t reserved[4]; /**< 0 */
} abut_heightfield_report;

/* --- Cooked meshes: made on any thread, or long before, and kept as bytes --- */

/** Reading one from several threads is safe. */
typedef struct abut_cooked_mesh abut_cooked_mesh;

/** The first half of abut_store_add_mesh, with the same checks and errors. Any number of threads may cook at once. Null
   options are the defaults. */
ABUT_API abut_error_code abut_cook_mesh(const abut_vec3* vertices, size_t vertex_count,
                                        const abut_mesh_triangle* triangles, size_t triangle_count,
                                        const abut_mesh_options* options, abut_cooked_mesh** mesh, abut_error* error);
/** Null is allowed. */
ABUT_API void abut_cooked_mesh_destroy(abut_cooked_mesh* mesh);
/** The caller sets report->size. */
ABUT_API abut_error_code abut_cooked_mesh_report(const abut_cooked_mesh* mesh, abut_mesh_report* report,
                                                 abut_error* error);

/** Its length as bytes: little-endian, without pointers, equal for equal triangles and options on every machine. 0 of a
   null mesh. */
ABUT_API size_t abut_cooked_mesh_byte_count(const abut_cooked_mesh* mesh);
/** ABUT_BAD_SIZE, and nothing is written, where there is no room for all. */
ABUT_API abut_error_code abut_cooked_mesh_write(const abut_cooked_mesh* mesh, void* bytes, size_t room,
                                                abut_error* error);
/** From bytes of unknown origin, which are checked: an error names the first fault and its place. */
ABUT_API abut_error_code abut_cooked_mesh_read(const void* bytes, size_t count, abut_cooked_mesh** mesh,
                                               abut_error* error);

#ifdef __cplusplus
}
#endif
