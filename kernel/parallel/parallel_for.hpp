// Runs a callable over indices on an Executor, without allocation.
#pragma once

#include <cstddef>

#include <abut/executor.hpp>

namespace abut {

template <class F>
void parallel_for(const Executor& executor, std::size_t count, const F& f) {
    if (count == 0) return;
    if (count == 1) return f(std::size_t{0});
    executor.run(
        executor.context, count, [](void* context, std::size_t index) { (*static_cast<const F*>(context))(index); },
        const_cast<F*>(&f));
}

}  // namespace abut
