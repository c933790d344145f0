// Allocations, counted, and memory that ends when a test says so (the program's operator new is in test_quiet.cpp).
#pragma once

#include <cstddef>

namespace abut::test {

// Of this program so far.
std::size_t allocations();
// The allocation so many from now fails, 1 being the next; none does for 0.
void fail_allocation(std::size_t in);
// 0 where it has failed, or none was to.
std::size_t allocations_until_failure();

// Calls prepare() and then ask(), each time with a later allocation of ask() failing, until it needs fewer:
// judge(result) gets the results of calls that met a failure. Returns how many did.
template <class Prepare, class Ask, class Judge>
std::size_t for_each_failure(Prepare&& prepare, Ask&& ask, Judge&& judge) {
    for (std::size_t n = 1;; ++n) {
        prepare();
        fail_allocation(n);
        auto result = ask();
        const bool failed = allocations_until_failure() == 0;
        fail_allocation(0);
        if (!failed) return n - 1;
        judge(result);
    }
}

}  // namespace abut::test
