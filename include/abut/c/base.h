/** @file
   What all of the C headers share: versions, errors, vectors, columns, instruction sets. abut.h has the rules. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <abut/export.h>
#include <abut/version.h>

/* The null pointer, in C and in C++. */
#ifdef __cplusplus
#define ABUT_NULL nullptr
#else
#define ABUT_NULL NULL
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- Versions --- */

/** Of the headers: ABUT_VERSION "0.1.0", ABUT_VERSION_MAJOR, _MINOR, _PATCH (version.h), and this one number that can
   be compared. */
#define ABUT_VERSION_NUMBER ((uint32_t)(ABUT_VERSION_MAJOR * 1000000 + ABUT_VERSION_MINOR * 1000 + ABUT_VERSION_PATCH))
/** Of the functions and of the structs without a `size`. It changes when a program must be compiled again. */
#define ABUT_C_ABI ((uint32_t)1)

/** The same of the library that runs. The text is constant. */
ABUT_API const char* abut_version(void);
/** The version of the library that runs, as ABUT_VERSION_NUMBER. */
ABUT_API uint32_t abut_version_number(void);

/* --- Errors --- */

/** Of a call. 0 where it ran. */
enum {
    ABUT_OK = 0,
    ABUT_BAD_SHAPE = 1,      /**< a shape's parameter is out of its domain */
    ABUT_BAD_ARGUMENT = 2,   /**< an argument is null or out of its domain, or an id names no living shape */
    ABUT_BAD_SIZE = 3,       /**< a column is shorter than the call needs */
    ABUT_LIMIT = 4,          /**< a fixed capacity of the library would be exceeded */
    ABUT_UNSUPPORTED = 5,    /**< not on this machine, or not in this build */
    ABUT_OUT_OF_MEMORY = 6,  /**< an allocation failed; what was asked for again may work */
    ABUT_EXECUTOR_FAILED = 7 /**< the executor did not run every task, or threw a C++ exception */
};
typedef uint32_t abut_error_code; /**< one of the enumeration above */

/** Why a call was refused: the message, in UTF-8 and ended by 0, names the thing and its value. Cut where it is longer.
   After a call that ran: 0 and an empty text. */
typedef struct abut_error {
    abut_error_code code;
    char message[256];
} abut_error;

/** "ok", "bad_shape", ...; "unknown" for other numbers. */
ABUT_API const char* abut_error_name(abut_error_code code);

/** An error where the library that runs has another ABI than `abi`, which is ABUT_C_ABI: for programs that load the
   library by themselves. */
ABUT_API abut_error_code abut_check_c_abi(uint32_t abi, abut_error* error);

/** Of a pair. ABUT_STATUS_OK and _NOT_CONVERGED come with an answer. With any other status the pair has none: no hit,
   zeros in the columns of distances, no manifold. No status changes the answer of another pair. One byte, as columns
   hold it. */
enum {
    ABUT_STATUS_OK = 0,
    ABUT_STATUS_NOT_CONVERGED = 1, /**< a search reached its cap: the best answer found */
    ABUT_STATUS_BAD_INDEX = 2,     /**< a body index past the end, or an id that names no living shape */
    /** a position or quaternion that is not finite or past the range, or not of unit length to within 1% */
    ABUT_STATUS_BAD_POSE = 3,
    ABUT_STATUS_UNSUPPORTED = 4, /**< two half-spaces; for collide and cast two meshes or height fields */
    ABUT_STATUS_NO_ROOM = 5      /**< the columns were full, or the pair exceeds max_child_pairs */
};
typedef uint8_t abut_status; /**< one of the enumeration above */

/** "ok", "bad_pose", ...; "unknown" for other numbers. */
ABUT_API const char* abut_status_name(abut_status status);

/* --- Values: metres and radians, right-handed --- */

/** Metres, right-handed, unless a name says otherwise. */
typedef struct abut_vec3 {
    float x, y, z;
} abut_vec3;

/** Positions of a large world. */
typedef struct abut_dvec3 {
    double x, y, z;
} abut_dvec3;

/** The rotation x*i + y*j + z*k + w, of unit length to within 1%. No rotation is {0, 0, 0, 1}. */
typedef struct abut_quat {
    float x, y, z, w;
} abut_quat;

/** The pose of one frame in another, of a body or of a shape on its body: x becomes orientation * x + position. */
typedef struct abut_relative_pose {
    abut_vec3 position;
    abut_quat orientation;
} abut_relative_pose;

/** Column-major: m[4 * column + row]. */
typedef struct abut_mat44 {
    float m[16];
} abut_mat44;

/* --- Columns: the caller's memory as it lies --- */

/** `count` items to read, the first at `data`, each `stride` bytes after the one before: an array, or a member of the
   caller's own struct. A stride of 0 stands for the item's size. `data` and the stride are multiples of 4. All zeros is
   no column. What an item is stands with the column. */
typedef struct abut_column {
    const void* data;
    size_t count;
    size_t stride;
} abut_column;

/** The same to read and to write. */
typedef struct abut_mutable_column {
    void* data;
    size_t count;
    size_t stride;
} abut_mutable_column;

/** An array. */
static inline abut_column abut_array(const void* data, size_t count) {
    abut_column column;
    column.data = data, column.count = count, column.stride = 0;
    return column;
}

/** A member of `count` structs: abut_strided(&bodies[0].shape, count, sizeof bodies[0]). */
static inline abut_column abut_strided(const void* data, size_t count, size_t stride) {
    abut_column column;
    column.data = data, column.count = count, column.stride = stride;
    return column;
}

/** The same to read and to write. */
static inline abut_mutable_column abut_mutable_strided(void* data, size_t count, size_t stride) {
    abut_mutable_column column;
    column.data = data, column.count = count, column.stride = stride;
    return column;
}

/* --- The host's memory --- */

/** Where all of the library's memory comes from. Both functions are called from any thread, also from several at
   once. */
typedef struct abut_allocator {
    /** `bytes` (above 0) at a multiple of `alignment`, a power of two up to 64. Null where there is no memory: the call
       that needs it fails with ABUT_OUT_OF_MEMORY. */
    void* (*allocate)(void* context, size_t bytes, size_t alignment);
    /** Gets what `allocate` returned, with the same size and alignment. */
    void (*release)(void* context, void* memory, size_t bytes, size_t alignment);
    void* context; /**< passed to both functions */
} abut_allocator;

/** For the whole process; null stands for the default, operator new. An error, and nothing changes, where one function
   is missing or the library holds memory. Not while another thread calls abut. */
ABUT_API abut_error_code abut_set_allocator(const abut_allocator* allocator, abut_error* error);
/** The bytes that the library holds now, and in `blocks`, which may be null, in how many blocks. */
ABUT_API size_t abut_memory_in_use(size_t* blocks);

/* --- Instruction sets. All give the same bits. --- */

/** ABUT_ISA_BEST: the widest one, or that of abut_read_environment. */
enum { ABUT_ISA_BEST = 0, ABUT_ISA_SSE2 = 1, ABUT_ISA_AVX2 = 2, ABUT_ISA_AVX512 = 3, ABUT_ISA_NEON = 4 };
typedef uint32_t abut_isa; /**< one of the enumeration above */

/** "auto", "sse2", ...; "unknown" for other numbers. */
ABUT_API const char* abut_isa_name(abut_isa isa);
/** The other way round. An error names the text and what it may be. */
ABUT_API abut_error_code abut_parse_isa(const char* name, abut_isa* isa, abut_error* error);
/** Whether it is in this build and this machine runs it; ABUT_ISA_BEST: whether any is. */
ABUT_API bool abut_isa_is_supported(abut_isa isa);
/** The widest supported one; ABUT_ISA_BEST where there is none. */
ABUT_API abut_isa abut_best_isa(void);
/** Reads the variable ABUT_ISA of the environment, which then names what ABUT_ISA_BEST means in this process. abut
   reads no variable unless this is called. */
ABUT_API abut_error_code abut_read_environment(abut_error* error);
/** Pairs per register; 0 where it is not in this build. */
ABUT_API uint32_t abut_isa_lanes(abut_isa isa);

#ifdef __cplusplus
}
#endif
