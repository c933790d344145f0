/** @file
   Triangle meshes and height fields: options, reports, and how a store adds them. */
#pragma once

#include <abut/c/base.h>
#include <abut/c/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
