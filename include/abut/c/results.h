/** @file
   Results: columns in the caller's pair order, in the caller's memory, and manifolds in memory that grows. Normals and
   points are along world axes; points are relative to the position of the pair's body A (abut_world_point adds it). A
   normal points from A to B. A pair with a compound has the answer of its children: overlap where any two overlap, the
   distance of the nearest two, the manifolds of all. */
#pragma once

#include <abut/c/base.h>
#include <abut/c/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Optional columns may be null with a count of 0. */

/** One bit per pair. */
typedef struct abut_overlap_columns {
    size_t size;         /**< of this struct, in bytes: see abut.h */
    uint32_t* bits;      /**< bit i % 32 of word i / 32 is pair i */
    size_t bit_words;    /**< pairs / 32, rounded up, or more */
    abut_status* status; /**< optional */
    size_t status_count;
    uint32_t* hits; /**< optional: the hit pairs' indices, ascending; as many as fit */
    size_t hit_room;
    size_t hit_count; /**< out: how many hit, whether or not `hits` had room */
} abut_overlap_columns;

/** point_b - point_a = signed_distance * normal. Where the distance is negative the shapes overlap, and moving B by
   -signed_distance along the normal makes them touch. */
typedef struct abut_distance_columns {
    size_t size;            /**< of this struct, in bytes: see abut.h */
    size_t count;           /**< the elements of each column that is not null: the frame's pairs or more */
    float* signed_distance; /**< metres */
    abut_vec3* normal;      /**< optional */
    abut_vec3* point_a;     /**< optional */
    abut_vec3* point_b;     /**< optional */
    abut_status* status;    /**< optional */
} abut_distance_columns;

/** How far and how deep a distance is computed. */
typedef struct abut_distance_options {
    size_t size; /**< of this struct, in bytes: see abut.h */
    /** metres: pairs farther apart report +infinity, and zeros for normal and points. Default: infinity */
    float max_distance;
    /** leaves depth out: pairs that overlap report 0, and zeros for normal and points. Default: false */
    bool separation_only;
    uint8_t unused[3];         /**< any value */
    abut_column max_distances; /**< float, optional, one per pair: instead of max_distance */
} abut_distance_options;

/** Writes the defaults and `size`, which is sizeof the struct as the program knows it. */
ABUT_API abut_error_code abut_distance_options_init(abut_distance_options* options, size_t size, abut_error* error);
/** The defaults, with `size` set. */
static inline abut_distance_options abut_distance_options_default(void) {
    abut_distance_options options;
    memset(&options, 0, sizeof options);
    abut_distance_options_init(&options, sizeof options, ABUT_NULL);
    return options;
}

/** A point of a manifold. */
typedef struct abut_contact {
    abut_vec3 position; /**< midpoint between the two surfaces, relative to A's position */
    float separation;   /**< metres along the manifold's normal; negative where the surfaces overlap */
    uint32_t feature;   /**< A's feature in the high half, B's in the low; swapped with the bodies */
} abut_contact;

/** Contacts of one pair of convex shapes, with one normal. */
typedef struct abut_manifold {
    uint32_t pair;             /**< index into the frame's pairs */
    uint32_t child_a, child_b; /**< which child of a compound, in the order they were added; 0 for a convex shape */
    abut_vec3 normal;          /**< unit, from A to B */
    uint32_t first_contact;    /**< into the contacts, deepest first */
    uint32_t contact_count;    /**< at most 4 */
} abut_manifold;

/** Pair i's manifolds are [first_manifold[i], first_manifold[i + 1]): none, or one; for a compound one for each pair of
   children in contact. Both lists are in pair order. Where a list is too short the call runs all the same: the pairs
   that did not fit have ABUT_STATUS_NO_ROOM, and the counts say what would have been needed. */
typedef struct abut_manifold_columns {
    size_t size; /**< of this struct, in bytes: see abut.h */
    uint32_t* first_manifold;
    size_t first_manifold_count; /**< pairs + 1, or more */
    abut_manifold* manifolds;
    size_t manifold_room; /**< any */
    abut_contact* contacts;
    size_t contact_room; /**< any */
    abut_status* status; /**< optional */
    size_t status_count;
    size_t manifold_count, contact_count;     /**< out: written */
    size_t manifolds_needed, contacts_needed; /**< out: what the whole frame needs */
    /** Optional, with room for contact_room: for each contact the triangle of the mesh or height field that it is on,
       by the caller's index; 0 for other shapes. */
    uint32_t* triangles;
} abut_manifold_columns;

/** The library's own memory for the answers of collide: it grows to fit, and is used again by the next call. For one
   thread at a time. */
typedef struct abut_manifolds abut_manifolds;

/** Empty at first. */
ABUT_API abut_error_code abut_manifolds_create(abut_manifolds** manifolds, abut_error* error);
/** Null is allowed. */
ABUT_API void abut_manifolds_destroy(abut_manifolds* manifolds);
/** The columns of the last call that filled it, with all of their counts; valid until the next one. The caller sets
   columns->size. */
ABUT_API abut_error_code abut_manifolds_columns(const abut_manifolds* manifolds, abut_manifold_columns* columns,
                                                abut_error* error);

/* --- What the halves of abut_contact.feature name --- */

enum { ABUT_FEATURE_VERTEX = 0, ABUT_FEATURE_EDGE = 1, ABUT_FEATURE_FACE = 2 };

/** abut/results.hpp lists how each shape's vertices and faces are numbered; those of a hull are the store's. */
typedef struct abut_feature {
    uint8_t type;
    uint16_t v0, v1; /**< the vertex, twice; an edge's ends, the lower first */
    uint16_t face;
} abut_feature;

/** The 16 bits that name an edge. Of hulls of more than 128 vertices two edges may share them. */
ABUT_API uint16_t abut_edge_feature(uint32_t v0, uint32_t v1);
/** Of one half. An edge's ends are right for hulls of up to 128 vertices. */
ABUT_API abut_feature abut_decode_feature(uint16_t half);
/** The half of a contact's feature that is A's. */
ABUT_API abut_feature abut_feature_of_a(uint32_t feature);
/** The half that is B's. */
ABUT_API abut_feature abut_feature_of_b(uint32_t feature);

#ifdef __cplusplus
}
#endif
