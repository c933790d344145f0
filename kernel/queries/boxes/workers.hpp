// Divides work into parts, one task each.
#pragma once

#include <algorithm>
#include <cstddef>

#include <abut/host.hpp>

#include "base/parallel/parallel_for.hpp"

namespace abut {

struct Workers {
    Executor executor;
    std::size_t threads = 1;

    // Parts of `count` items, at least `least` items each: at most `per_thread` for each thread.
    std::size_t parts(std::size_t count, std::size_t least, std::size_t per_thread = 1) const {
        if (threads <= 1) return 1;
        return std::clamp<std::size_t>(count / least, 1, threads * per_thread);
    }

    // Calls f(part, first, end) for each part.
    template <class F>
    void run(std::size_t parts, std::size_t count, const F& f) const {
        parallel_for(executor, parts,
                     [&](std::size_t part) { f(part, count * part / parts, count * (part + 1) / parts); });
    }
};

}  // namespace abut
