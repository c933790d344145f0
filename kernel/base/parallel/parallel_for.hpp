// Runs a callable over indices on an Executor, without allocation, in the caller's floating-point environment, which is
// the kernels'. Exceptions of tasks do not pass through the executor, whose threads may not expect them: they are
// rethrown here after all tasks.
#pragma once

#include <atomic>
#include <cstddef>
#include <new>

#include <abut/host.hpp>

#include "base/parallel/fp_environment.hpp"

namespace abut {

// Thrown if an executor broke its contract.
struct ExecutorFailed {
    const char* how;
};

// The number of blocks that hold the items.
constexpr std::size_t blocks_of(std::size_t items, std::size_t block) { return (items + block - 1) / block; }

namespace parallel_detail {

enum class Failure : unsigned char { none, out_of_memory, other };

template <class F>
struct Shared {
    const F& f;
    std::atomic<std::size_t> run = 0;
    std::atomic<Failure> failure = Failure::none;

    static void task(void* context, std::size_t index) noexcept {
        Shared& shared = *static_cast<Shared*>(context);
        const FpEnvironment environment;
        try {
            shared.f(index);
        } catch (const std::bad_alloc&) {
            shared.failure = Failure::out_of_memory;
        } catch (...) {
            shared.failure = Failure::other;
        }
        shared.run.fetch_add(1, std::memory_order_relaxed);
    }
};

}  // namespace parallel_detail

template <class F>
void parallel_for(const Executor& executor, std::size_t count, const F& f) {
    using namespace parallel_detail;
    if (count == 0) return;
    if (count == 1) return f(std::size_t{0});
    Shared<F> shared{f};
    try {
        executor.run(executor.context, count, Shared<F>::task, &shared);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (...) {
        throw ExecutorFailed{"threw an exception"};
    }
    if (shared.failure == Failure::out_of_memory) throw std::bad_alloc();
    if (shared.failure != Failure::none) throw ExecutorFailed{"ran a task that threw an exception"};
    if (shared.run != count) throw ExecutorFailed{shared.run < count ? "left tasks out" : "ran tasks twice"};
}

}  // namespace abut
