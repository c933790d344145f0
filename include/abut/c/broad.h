/** @file
   abut_broad_phase: candidate pairs from boxes. broad_phase.hpp says what is promised. From bodies to contacts in three
   calls:
     abut_world_bounds(store, &bodies, bounds, count, NULL, &error);
     abut_broad_phase_find_pairs(broad, &boxes, &list, &error);          frame.pairs = abut_array(list.pairs, list.pair_count)
     abut_narrow_phase_collide_all(narrow, &frame, manifolds, &error); */
#pragma once

#include <abut/c/base.h>
#include <abut/c/frame.h>
#include <abut/c/narrow_phase.h>
#include <abut/c/warm.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a broad phase runs. No setting changes an answer. */
typedef struct abut_broad_settings {
    size_t size;            /**< of this struct, in bytes: see abut.h */
    abut_executor executor; /**< default: zeros */
    uint32_t threads;       /**< of the library's own, at most 4,096; 0, the default: all */
    abut_isa isa;           /**< default: ABUT_ISA_BEST */
} abut_broad_settings;

/** Writes the defaults and `size`, which is sizeof the struct as the program knows it. */
ABUT_API abut_error_code abut_broad_settings_init(abut_broad_settings* settings, size_t size, abut_error* error);
/** The defaults, with `size` set. */
static inline abut_broad_settings abut_broad_settings_default(void) {
    abut_broad_settings settings;
    memset(&settings, 0, sizeof settings);
    abut_broad_settings_init(&settings, sizeof settings, ABUT_NULL);
    return settings;
}

/** Zeros but for `size` and `bounds` are the defaults. Boxes that touch overlap; a box with a NaN, or with a minimum
   above its maximum, has no pair and is listed as bad. */
typedef struct abut_boxes {
    size_t size;        /**< of this struct, in bytes: see abut.h */
    abut_column bounds; /**< abut_bounds, metres, all relative to one origin */
    /** float, optional, metres, 0 or more, finite: each box is larger by so much on every face */
    abut_column margins;
    /** uint32_t, optional: boxes i and j are a pair only if groups[i] & masks[j] and groups[j] & masks[i] are not 0 */
    abut_column groups;
    abut_column masks;  /**< uint32_t, optional. Missing: all bits */
    abut_column moving; /**< uint8_t, optional: two boxes with 0 are no pair */
    float margin;       /**< of all boxes, where `margins` is missing */
    uint32_t reserved;  /**< 0 */
} abut_boxes;

/** Zeros but for `size`, one of the origins and `directions` are the defaults. A ray that is not finite, has no
   direction or a length below 0 has no pair and is listed as bad. */
typedef struct abut_box_rays {
    size_t size;                /**< of this struct, in bytes: see abut.h */
    abut_column origins;        /**< abut_vec3, metres; or */
    abut_column double_origins; /**< abut_dvec3 */
    abut_column directions;     /**< abut_vec3, of any length but 0 */
    /** float, optional, metres; infinity is allowed. Missing: rays end at origin + direction */
    abut_column lengths;
    abut_column groups;      /**< uint32_t, optional, as of boxes */
    abut_column masks;       /**< uint32_t, optional */
    abut_dvec3 boxes_origin; /**< the origin given to abut_world_bounds */
    /** abut_vec3, optional, metres, 0 or more: a box of these half extents moves with its centre along the ray */
    abut_column half_extents;
} abut_box_rays;

/** Valid until the next call on the same handle. */
typedef struct abut_pair_list {
    size_t size;            /**< of this struct, in bytes: see abut.h */
    const abut_pair* pairs; /**< ascending by a, then by b */
    size_t pair_count;
    const uint32_t* bad_a; /**< indices of bad boxes of the only or first set, or of bad rays, ascending */
    size_t bad_a_count;
    const uint32_t* bad_b; /**< of the second set, or of the boxes of rays */
    size_t bad_b_count;
} abut_pair_list;

/** Scratch memory, for one thread at a time. */
typedef struct abut_broad_phase abut_broad_phase;

/** Null settings are the defaults. An error where they cannot be met. */
ABUT_API abut_error_code abut_broad_phase_create(const abut_broad_settings* settings, abut_broad_phase** broad,
                                                 abut_error* error);
/** Null is allowed. */
ABUT_API void abut_broad_phase_destroy(abut_broad_phase* broad);

/** The pairs of boxes that overlap, each once, a < b. The caller sets out->size, here and below. */
ABUT_API abut_error_code abut_broad_phase_find_pairs(abut_broad_phase* broad, const abut_boxes* boxes,
                                                     abut_pair_list* out, abut_error* error);
/** The pairs of a box of set A (abut_pair.a) and a box of set B. */
ABUT_API abut_error_code abut_broad_phase_find_pairs_of_sets(abut_broad_phase* broad, const abut_boxes* a,
                                                             const abut_boxes* b, abut_pair_list* out,
                                                             abut_error* error);
/** The pairs of a ray (abut_pair.a) and a box that it meets. */
ABUT_API abut_error_code abut_broad_phase_find_ray_pairs(abut_broad_phase* broad, const abut_box_rays* rays,
                                                         const abut_boxes* boxes, abut_pair_list* out,
                                                         abut_error* error);

/** For each pair of `now` its index in `before`, or ABUT_NO_PAIR; both ascending by a, then by b. `previous` is as long
   as `now`. */
ABUT_API abut_error_code abut_match_pairs(const abut_pair* before, size_t before_count, const abut_pair* now,
                                          size_t now_count, abut_previous_pair* previous, abut_error* error);
/** Bounds that contain each body at both poses and on its way between them, for casts. Null `origin` is (0, 0, 0);
   `centers` (abut_vec3) may be empty: centres of rotation in the bodies' frames. */
ABUT_API abut_error_code abut_swept_bounds(const abut_store* shapes, const abut_bodies* start, const abut_bodies* end,
                                           abut_bounds* bounds, size_t count, const abut_dvec3* origin,
                                           abut_column centers, abut_error* error);

#ifdef __cplusplus
}
#endif
