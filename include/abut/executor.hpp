// Executor: whose threads run the chunks. One function pointer and a context; no std::function, no allocation.
#pragma once

#include <cstddef>

#include <abut/compiler.hpp>

namespace abut {

struct Executor {
    // task(task_context, i) is called once for each i < task_count, in any order, from any threads; `run` returns when all are done. Tasks
    // throw nothing. `run` may throw, once no task is running any more, or leave tasks out: the call of abut then returns
    // ErrorCode::executor, the results are not to be used, and everything works again in the next call.
    using Task = void (*)(void* task_context, std::size_t index);
    using Run = void (*)(void* context, std::size_t task_count, Task task, void* task_context);

    Run run = nullptr;
    void* context = nullptr;

    explicit operator bool() const { return run != nullptr; }
};

// Runs everything on the calling thread.
ABUT_API Executor serial_executor();

}  // namespace abut
