// With oneTBB: an arena of its own if a number of threads is requested. Without: the calling thread.
#include "base/parallel/tbb_pool.hpp"

#ifdef ABUT_HAS_TBB
#include <algorithm>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "base/memory.hpp"
#endif

namespace abut {

#ifdef ABUT_HAS_TBB

struct TbbPool::Impl : HostAllocated<TbbPool::Impl> {
    tbb::task_arena arena;
};

// Limits the threads to the number that oneTBB allows, because oneTBB prints a warning about more.
TbbPool::TbbPool(unsigned threads) : impl_(std::make_unique<Impl>()) {
    const std::size_t most = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    if (threads != 0) impl_->arena.initialize(static_cast<int>(std::min<std::size_t>(threads, most)));
}

namespace {
// A task is a chunk of 256 pairs, 10 microseconds or more, so single tasks can be distributed.
void run_on_tbb(void* context, std::size_t count, Executor::Task task, void* task_context) {
    static_cast<tbb::task_arena*>(context)->execute(
        [&] { tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) { task(task_context, i); }); });
}
}  // namespace

Executor TbbPool::executor() const { return {run_on_tbb, &impl_->arena}; }

#else

struct TbbPool::Impl {};
TbbPool::TbbPool(unsigned) {}
Executor TbbPool::executor() const { return serial_executor(); }

#endif

TbbPool::~TbbPool() = default;
TbbPool::TbbPool(TbbPool&&) noexcept = default;
TbbPool& TbbPool::operator=(TbbPool&&) noexcept = default;

Executor serial_executor() {
    return {[](void*, std::size_t count, Executor::Task task, void* task_context) {
        for (std::size_t i = 0; i < count; ++i) task(task_context, i);
            },
            nullptr};
}

}  // namespace abut
