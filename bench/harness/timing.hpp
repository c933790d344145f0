// Time on one core, told per pair.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace abut::bench {

inline double now_ns() {
    using Clock = std::chrono::steady_clock;
    return double(std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count());
}

struct Samples {
    std::vector<double> ns;  // a call each

    double minimum() const { return ns.empty() ? 0.0 : *std::min_element(ns.begin(), ns.end()); }
    double median() const {
        if (ns.empty()) return 0.0;
        std::vector<double> sorted = ns;
        const std::size_t middle = sorted.size() / 2;
        std::nth_element(sorted.begin(), sorted.begin() + std::ptrdiff_t(middle), sorted.end());
        return sorted[middle];
    }
};

// Calls `call` often enough in a row that the clock's own cost does not show, and returns the nanoseconds of one call.
template <class Call>
double time_call(std::size_t calls, Call&& call) {
    const double begin = now_ns();
    for (std::size_t i = 0; i < calls; ++i) call();
    return (now_ns() - begin) / double(calls);
}

}  // namespace abut::bench
