/** @file
   A frame: one batch as the caller's engine has it. abut reads it in place and keeps no pointer past the call. */
#pragma once

#include <abut/c/base.h>
#include <abut/c/shapes.h>

#ifdef __cplusplus
extern "C" {
#endif

/** 32 bytes: the fastest layout. abut::Body of the C++ headers. */
typedef struct abut_body {
    abut_vec3 position;
    abut_shape_id shape;
    abut_quat orientation;
} abut_body;

/** Records, or a column for each field, of one length. All zeros: no bodies. */
typedef struct abut_bodies {
    abut_column records; /**< abut_body; then no other column */
    abut_column shapes;  /**< abut_shape_id */
    /** One of the next two. Of doubles only the difference of a pair's two positions is taken, in double: as exact far
       from the origin as near it. */
    abut_column positions;        /**< abut_vec3 */
    abut_column double_positions; /**< abut_dvec3; a multiple of 4 bytes is alignment enough */
    /** One of the next two. A transform is a rotation and a translation, which is the position where no column above
       has one. Axes at right angles, of unit length to within 1%, right-handed; anything else is a bad pose. The
       fourth row is not read. */
    abut_column orientations; /**< abut_quat */
    abut_column transforms;   /**< abut_mat44 */
    abut_column reserved[2];  /**< zeros */
} abut_bodies;

/** An array of records. */
static inline abut_bodies abut_body_records(const abut_body* bodies, size_t count) {
    abut_bodies records;
    memset(&records, 0, sizeof records);
    records.records = abut_array(bodies, count);
    return records;
}

/** Body i as a record: a double position rounded, a transform's rotation as a quaternion (zero where it is a bad pose).
   And its position, as exact as it was given. Errors: columns that do not fit each other, `i` past the end. */
ABUT_API abut_error_code abut_bodies_get(const abut_bodies* bodies, size_t i, abut_body* body, abut_error* error);
/** The position of body i, as exact as it was given. */
ABUT_API abut_error_code abut_bodies_position(const abut_bodies* bodies, size_t i, abut_dvec3* position,
                                              abut_error* error);

/** Indices into the frame's bodies. (i, i) is allowed. */
typedef struct abut_pair {
    uint32_t a, b;
} abut_pair;

/** What abut remembers of a pair from one frame to the next: the caller's memory. Zero bytes are an empty cache. Only a
   cache of the same pair saves work; no content reads or writes out of bounds. A host takes caches only from where it
   takes poses. */
typedef struct abut_warm_cache {
    uint32_t opaque[45];
} abut_warm_cache;

/** What a pair went through, for whoever looks into a wrong or a slow pair. */
typedef struct abut_pair_trace {
    uint16_t iterations; /**< of its searches, those of its group of lanes */
    uint8_t count;       /**< of states; 0 where its cache has the answer, or it has none */
    uint8_t states[13];  /**< in order; abut_pair_state_name says which */
} abut_pair_trace;

/** "direct", "search", ...; "unknown" for other numbers. The state that certified the answer is the last one that is
   not "manifold". */
ABUT_API const char* abut_pair_state_name(uint8_t state);
/** That state. "done" where none is recorded, or the trace is null. */
ABUT_API uint8_t abut_certified_by(const abut_pair_trace* trace);

/** Bodies, pairs and what a query needs for each pair. */
typedef struct abut_frame {
    size_t size; /**< of this struct, in bytes: see abut.h */
    const abut_store* shapes;
    abut_bodies bodies;
    abut_column pairs; /**< abut_pair; at most 2,147,483,647 */
    /** The rest is optional: zeros. */
    /** float, metres, one per pair: the speculative margin of collide instead of the settings' */
    abut_column margins;
    /** abut_warm_cache, one per pair, read and written by all queries; empty ones in a pair's first frame */
    abut_mutable_column caches;
    abut_pair_trace* traces; /**< one per pair, written by all queries */
    size_t trace_count;
    /** abut_relative_pose, one per pair: that of B's frame in A's. The bodies' own poses are then not read and may be
       left out, normals and points are along A's axes, points from A's origin, and a pair (i, i) is two bodies of one
       shape. */
    abut_column relative_poses;
    /** uint32_t, one per pair, into caches, which then have any number and order; no two pairs have the same
       element */
    abut_column cache_indices;
} abut_frame;

/** Writes the defaults and `size`, which is sizeof the struct as the program knows it. */
ABUT_API abut_error_code abut_frame_init(abut_frame* frame, size_t size, abut_error* error);
/** The defaults, with `size` set. */
static inline abut_frame abut_frame_default(void) {
    abut_frame frame;
    memset(&frame, 0, sizeof frame);
    frame.size = sizeof frame;
    return frame;
}

/** A point of a pair, which is relative to A's position, in world space. An error where the pair or its body A is past
   the end. Not for relative poses. */
ABUT_API abut_error_code abut_world_point(const abut_frame* frame, size_t pair, abut_vec3 relative_to_a,
                                          abut_vec3* point, abut_error* error);
/** The same in double, for positions in double. */
ABUT_API abut_error_code abut_double_world_point(const abut_frame* frame, size_t pair, abut_vec3 relative_to_a,
                                                 abut_dvec3* point, abut_error* error);

/* --- Bounds for the caller's broad phase --- */

/** Metres, along the world's axes, from the origin that was given. */
typedef struct abut_bounds {
    abut_vec3 min, max;
} abut_bounds;

/** bounds[i] of body i, for `count` bounds, at least as many as bodies, from `origin` (null: 0, 0, 0): the least box of
   floats that holds the shape, or an ulp more. A half-space is infinite but on the side where it ends, across a world
   axis that its normal is along. A body without an answer has empty bounds, min +infinity and max -infinity. Runs on
   the calling thread; parts of a frame may be asked on several threads at once. */
ABUT_API abut_error_code abut_world_bounds(const abut_store* shapes, const abut_bodies* bodies, abut_bounds* bounds,
                                           size_t count, const abut_dvec3* origin, abut_error* error);

#ifdef __cplusplus
}
#endif
