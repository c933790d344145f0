// A number to which several tasks add.
#pragma once

#include <atomic>
#include <type_traits>

namespace abut {

template <class Number>
void add_shared(Number& to, std::type_identity_t<Number> by) {
#ifdef __cpp_lib_atomic_ref
    std::atomic_ref(to).fetch_add(by, std::memory_order_relaxed);
#else  // libc++ before version 19
    __atomic_fetch_add(&to, by, __ATOMIC_RELAXED);
#endif
}

}  // namespace abut
