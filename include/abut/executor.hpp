/// @file
/// Executor: the threads that run the chunks. One function pointer and a context; no std::function, no allocation.
#pragma once

#include <cstddef>

#include <abut/compiler.hpp>

namespace abut {

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

}  // namespace abut
