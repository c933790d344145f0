/// @file
/// The library in its host program: memory, threads, instruction sets, the times of a call, the version.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <abut/version.h>
#include <abut/compiler.hpp>
#include <abut/status.hpp>

namespace abut {

// --- Memory ---

/// Two functions and their context. abut calls both from any thread, also from several at once. Neither throws.
struct Allocator {
    /// Returns `bytes` bytes (above 0) at a multiple of `alignment`, a power of two up to 64, or null if there is no
    /// memory. The call of abut that needs the memory then fails with ErrorCode::out_of_memory and keeps nothing.
    void* (*allocate)(void* context, std::size_t bytes, std::size_t alignment) = nullptr;
    /// Gets what `allocate` returned, with the same size and alignment.
    void (*release)(void* context, void* memory, std::size_t bytes, std::size_t alignment) = nullptr;
    void* context = nullptr;  ///< passed to both functions; abut does not read it
};

/// After this call all memory of the library comes from `allocator`, in the whole process. An empty allocator restores
/// operator new, the default. The containers in results.hpp and carry_over.hpp use the caller's memory, and oneTBB
/// allocates for its threads by itself. Do not call this while another thread calls abut. Returns an error, and changes
/// nothing, if only one of the two functions is given, or while the library holds memory: stores, narrow phases, warm
/// tables, cooked hulls.
ABUT_API CallResult set_allocator(const Allocator& allocator);

/// The memory that the library holds now.
struct MemoryInUse {
    std::size_t bytes = 0, blocks = 0;  ///< the sum of all blocks, and their number
};
ABUT_API MemoryInUse memory_in_use();  ///< any thread

// --- Threads ---

/// A function that runs tasks, and its context.
struct Executor {
    /// `run` calls task(task_context, i) once for each i < task_count, in any order, from any threads, and returns when
    /// all are done. Tasks throw nothing. `run` may throw when no task is running, or leave tasks out. The call of abut
    /// then returns ErrorCode::executor; do not use its results. The next call works again.
    using Task = void (*)(void* task_context, std::size_t index);
    /// Runs all tasks of a call.
    using Run = void (*)(void* context, std::size_t task_count, Task task, void* task_context);

    Run run = nullptr;        ///< null: none
    void* context = nullptr;  ///< passed to `run`

    /// Whether there is a function.
    explicit operator bool() const { return run != nullptr; }
};

/// Runs everything on the calling thread.
ABUT_API Executor serial_executor();

// --- Instruction sets: all give the same bits ---

/// best, sse2, avx2, avx512, neon: isa_sets.inc has what they need.
enum class Isa : std::uint8_t {
    best,
#define ABUT_INSTRUCTION_SET(name, lanes, processor, flags, features) name,
#include <abut/isa_sets.inc>
#undef ABUT_INSTRUCTION_SET
};

/// All except best, also those that this build does not have.
inline constexpr std::array kAllIsas = {
#define ABUT_INSTRUCTION_SET(name, lanes, processor, flags, features) Isa::name,
#include <abut/isa_sets.inc>
#undef ABUT_INSTRUCTION_SET
};

ABUT_API const char* to_string(Isa isa);                  ///< "auto", "sse2", ...
ABUT_API Expected<Isa> parse_isa(std::string_view name);  ///< of a name; the error lists the names
/// compiled in and supported by this CPU and OS; best: whether any set is
ABUT_API bool is_supported(Isa isa);
/// the meaning of Isa::best: the widest supported set, or that of read_environment; `best` if there is none
ABUT_API Isa best_isa();
ABUT_API unsigned lanes(Isa isa);  ///< pairs per register; 0 if it is not in this build

/// Reads the environment variable ABUT_ISA. After this call Isa::best means the instruction set that it names ("auto",
/// "sse2", ...), in the whole process. If it is not set or empty, Isa::best means the widest set again. Returns an
/// error, and changes nothing, if it names no set or a set that is not supported. abut reads no environment variable
/// unless this is called. A NarrowPhase chooses its set when it is created. As with getenv, do not call this while
/// another thread sets variables.
ABUT_API CallResult read_environment();

// --- Times and version ---

/// The time of a stage in one call. Stages are in the order in which a call runs them; those of a chunk have the names
/// of PairState (frame.hpp).
struct StageTime {
    const char* name = "";          ///< of the stage; the text is constant
    std::uint64_t visits = 0;       ///< by pairs: a pair that returns to the stage counts again
    std::uint64_t nanoseconds = 0;  ///< of all threads together
};

/// The version of the library that runs, e.g. "0.1.0". It differs from ABUT_VERSION if the program was compiled with
/// other headers.
ABUT_API const char* version();

}  // namespace abut
