// Memory aligned to a cache line, which is also the widest vector. Plain C++: baseline code includes it too.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace abut {

inline constexpr std::size_t kCacheLine = 64;

template <class T>
struct CacheLineAllocator {
    using value_type = T;
    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U>&) {}
    T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(kCacheLine))); }
    void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(kCacheLine)); }
    friend bool operator==(CacheLineAllocator, CacheLineAllocator) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace abut
