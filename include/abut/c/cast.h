/** @file
   abut_narrow_phase_cast: the first time at which two moving bodies come within a distance. cast.hpp says what is
   promised. */
#pragma once

#include <abut/c/base.h>
#include <abut/c/frame.h>
#include <abut/c/narrow_phase.h>
#include <abut/c/rays.h>
#include <abut/c/results.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The parts of a path. */
#define ABUT_MAX_MOTION_ENDS 64

/** The poses at the end of the motion; of a path those at the end of each part, which take the same time. */
typedef struct abut_motions {
    size_t size; /**< of this struct, in bytes: see abut.h */
    /** each of as many bodies as the frame has; shapes are not read, but columns of bodies have them */
    const abut_bodies* ends;
    size_t end_count; /**< 1 to ABUT_MAX_MOTION_ENDS */
    /** abut_vec3, optional, one per body: the centre of rotation in the body's frame, metres */
    abut_column centers;
} abut_motions;

/** A pair that is within the target at time 0: */
enum {
    ABUT_CAST_STOP = 0, /**< a hit at time 0 */
    /** a hit at time 0 if the motion closes it; else this part is no hit until it has separated (abut::CastStart) */
    ABUT_CAST_CLOSING_ONLY = 1,
    ABUT_CAST_IGNORE = 2 /**< no hit */
};
typedef uint32_t abut_cast_start; /**< one of the enumeration above */

/** Which hits count. */
enum {
    ABUT_CAST_EVERY_PAIR = 0,
    ABUT_CAST_FIRST_OF_BODY = 1, /**< of the pairs of one body A the first hit alone */
    ABUT_CAST_ANY = 2            /**< ends soon after the first hit is found */
};
typedef uint32_t abut_cast_reduction; /**< one of the enumeration above */

/** What is a hit. */
typedef struct abut_cast_options {
    size_t size;     /**< of this struct, in bytes: see abut.h */
    float target;    /**< metres. Default 0 */
    float tolerance; /**< of the smaller size. Default 1e-4 */
    abut_cast_start start;
    abut_cast_reduction reduction;
    abut_column targets; /**< float, optional, one per pair: instead of target */
    abut_column latest;  /**< float, optional, one per pair: times after it are not looked at */
    /** which triangles of a surface take part: those with A's centre at time 0 on this side. Default:
       ABUT_QUERY_AS_COOKED */
    abut_query_sides sides;
    uint8_t reserved[7]; /**< 0 */
} abut_cast_options;

/** Writes the defaults and `size`, which is sizeof the struct as the program knows it. */
ABUT_API abut_error_code abut_cast_options_init(abut_cast_options* options, size_t size, abut_error* error);
/** The defaults, with `size` set. */
static inline abut_cast_options abut_cast_options_default(void) {
    abut_cast_options options;
    memset(&options, 0, sizeof options);
    abut_cast_options_init(&options, sizeof options, ABUT_NULL);
    return options;
}

/** Columns but `bits` and `time` may be null. A miss has the pair's latest time, a signed distance of +infinity, and
   zeros. */
typedef struct abut_cast_columns {
    size_t size;    /**< of this struct, in bytes: see abut.h */
    size_t count;   /**< the elements of each column that is not null: the frame's pairs or more */
    uint32_t* bits; /**< (count + 31) / 32 words; bit i % 32 of word i / 32 is pair i */
    double* time;
    float* signed_distance; /**< metres, at that time */
    abut_vec3* normal;      /**< from A to B */
    abut_vec3* point_a;     /**< relative to A's position at that time */
    abut_vec3* point_b;
    uint32_t* child_a; /**< of a compound the child, of a surface the triangle */
    uint32_t* child_b;
    abut_status* status;
    uint32_t* hits; /**< the hit pairs' indices, ascending; as many as fit */
    size_t hit_room;
    size_t hit_count; /**< out: how many hit, whether or not `hits` had room */
} abut_cast_columns;

/** Null options are the defaults. */
ABUT_API abut_error_code abut_narrow_phase_cast(abut_narrow_phase* narrow, const abut_frame* frame,
                                                const abut_motions* motions, abut_cast_columns* out,
                                                const abut_cast_options* options, abut_error* error);

#ifdef __cplusplus
}
#endif
