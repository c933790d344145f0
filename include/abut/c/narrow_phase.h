/** @file
   abut_narrow_phase: the three questions an engine asks of its candidate pairs. */
#pragma once

#include <abut/c/base.h>
#include <abut/c/frame.h>
#include <abut/c/results.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Whose threads run the chunks --- */

/** One task of a call; i is below the number of tasks. */
typedef void (*abut_task)(void* task_context, size_t i);

/** The host's own job system. `run` calls task(task_context, i) once for each i < task_count, in any order, from any
   threads, and returns when all are done. Tasks take some 10 microseconds each, do not block and do not fail. Where
   `run` leaves tasks out the call of abut returns ABUT_EXECUTOR_FAILED. */
typedef struct abut_executor {
    /** Null: the library's own threads (oneTBB), or the caller's. */
    void (*run)(void* context, size_t task_count, abut_task task, void* task_context);
    void* context; /**< passed to `run` */
} abut_executor;

/** Runs everything on the calling thread. */
ABUT_API abut_executor abut_serial_executor(void);

/* --- The narrow phase --- */

/** How the depth of overlapping pairs is computed. Both are within the promised error. */
enum {
    ABUT_DEPTH_AUTOMATIC = 0, /**< the fastest path that can certify its answer, the exact path for what is left */
    ABUT_DEPTH_EXACT = 1      /**< every pair by the exact path, in double: a cross-check, and slow */
};
typedef uint32_t abut_depth_path; /**< one of the enumeration above */

/** How a narrow phase runs. */
typedef struct abut_settings {
    size_t size;              /**< of this struct, in bytes: see abut.h */
    float speculative_margin; /**< metres; collide reports contacts up to this far apart. Default 0.02 */
    /** Metres, and at most 0.4% of the smaller shape's size: depths that differ by less do not decide which contacts
       collide reports. Default 0.005 */
    float contact_slack;
    abut_executor executor; /**< default: zeros */
    uint32_t threads;       /**< of the library's own, at most 4,096; 0, the default: all */
    abut_isa isa;           /**< default: ABUT_ISA_BEST */
    abut_depth_path depth;  /**< default: ABUT_DEPTH_AUTOMATIC */
    /** A pair of compounds has as many pairs of children as are near enough. Collide answers a pair of up to this many,
       and gives others ABUT_STATUS_NO_ROOM; overlap and distance look at this many (at 4,096 anyway), the likeliest
       first. Default 1,048,576 */
    uint32_t max_child_pairs;
    /** Metres, and at most 4% of the smaller body's origin radius: with caches, contacts follow their bodies while
       their separations err by no more. Default 0: as far as the promised error allows */
    float follow_distance;
    /** The most contacts of a manifold on a mesh or a height field, and of joined manifolds: 4 to 8. 0: the default, 4 */
    uint32_t ground_contacts;
    /** Radians, 0 to 1.57: manifolds of one pair whose normals differ by no more become one. Default 0: none do */
    float manifold_angle;
    uint32_t reserved; /**< 0 */
} abut_settings;

/** Writes the defaults and `size`, which is sizeof the struct as the program knows it. */
ABUT_API abut_error_code abut_settings_init(abut_settings* settings, size_t size, abut_error* error);
/** The defaults, with `size` set. */
static inline abut_settings abut_settings_default(void) {
    abut_settings settings;
    memset(&settings, 0, sizeof settings);
    abut_settings_init(&settings, sizeof settings, ABUT_NULL);
    return settings;
}

/** How many pairs took which path in the last call that was not refused. Of a pair with a compound each pair of
   children that was looked at counts. */
typedef struct abut_counters {
    size_t size;        /**< of this struct, in bytes: see abut.h */
    size_t pairs;       /**< that were answered */
    size_t wide;        /**< by wide kernels alone */
    size_t exact;       /**< by the scalar double-precision path */
    size_t child_pairs; /**< of `pairs`, those of compounds' children */
    /** collide: the most child pairs of a pair that has more than max_child_pairs; 0: none has */
    size_t most_child_pairs;
} abut_counters;

/** Holds scratch memory only. For one thread at a time; any number of them may read one store. A call allocates nothing
   once an equal or larger frame has been seen or reserved. A call that is refused (ABUT_BAD_ARGUMENT, _BAD_SIZE,
   _LIMIT, _UNSUPPORTED) changes nothing. One that fails on its way (ABUT_OUT_OF_MEMORY, _EXECUTOR_FAILED) may have
   written to the columns, whose content is then not to be used; the next call works again. */
typedef struct abut_narrow_phase abut_narrow_phase;

/** Null settings are the defaults. An error where they cannot be met. */
ABUT_API abut_error_code abut_narrow_phase_create(const abut_settings* settings, abut_narrow_phase** narrow,
                                                  abut_error* error);
/** Null is allowed. */
ABUT_API void abut_narrow_phase_destroy(abut_narrow_phase* narrow);

/** One bit per pair: whether the signed distance is 0 or less. */
ABUT_API abut_error_code abut_narrow_phase_overlap(abut_narrow_phase* narrow, const abut_frame* frame,
                                                   abut_overlap_columns* out, abut_error* error);
/** Null options are the defaults. */
ABUT_API abut_error_code abut_narrow_phase_distance(abut_narrow_phase* narrow, const abut_frame* frame,
                                                    const abut_distance_columns* out,
                                                    const abut_distance_options* options, abut_error* error);
/** Into the caller's columns. */
ABUT_API abut_error_code abut_narrow_phase_collide(abut_narrow_phase* narrow, const abut_frame* frame,
                                                   abut_manifold_columns* out, abut_error* error);
/** Into memory that grows. */
ABUT_API abut_error_code abut_narrow_phase_collide_all(abut_narrow_phase* narrow, const abut_frame* frame,
                                                       abut_manifolds* out, abut_error* error);

/** Makes room for frames of `pairs` pairs, whose compounds have up to `child_pairs` pairs of children near enough to be
   looked at. `bytes`, which may be null, gets the bytes of scratch then held: less where memory ended. */
ABUT_API abut_error_code abut_narrow_phase_reserve(abut_narrow_phase* narrow, size_t pairs, size_t child_pairs,
                                                   size_t* bytes, abut_error* error);
/** The caller sets counters->size. */
ABUT_API abut_error_code abut_narrow_phase_counters(const abut_narrow_phase* narrow, abut_counters* counters,
                                                    abut_error* error);
/** The one in use; ABUT_ISA_BEST of a null narrow phase. */
ABUT_API abut_isa abut_narrow_phase_isa(const abut_narrow_phase* narrow);

#ifdef __cplusplus
}
#endif
