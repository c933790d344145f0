// Executor: whose threads run the chunks. One function pointer and a context; no std::function, no allocation.
#pragma once

#include <cstddef>

namespace abut {

struct Executor {
    // task(task_context, i) is called once for each i < task_count, in any order, from any threads; `run` returns when all are done.
    using Task = void (*)(void* task_context, std::size_t index);
    using Run = void (*)(void* context, std::size_t task_count, Task task, void* task_context);

    Run run = nullptr;
    void* context = nullptr;

    explicit operator bool() const { return run != nullptr; }
};

// Runs everything on the calling thread.
Executor serial_executor();

}  // namespace abut
