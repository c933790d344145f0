// All memory of the library comes from the host's allocator or from operator new.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace abut {

// Throws std::bad_alloc.
void* allocate(std::size_t bytes, std::size_t alignment);
void release(void* memory, std::size_t bytes, std::size_t alignment) noexcept;

// Bytes of a cache line, and of the widest vector.
inline constexpr std::size_t kCacheLine = 64;

// Aligned as T requires, and at least to kLeast.
template <class T, std::size_t kLeast = 1>
struct HostAllocator {
    using value_type = T;
    template <class U>
    struct rebind {  // NOLINT(readability-identifier-naming): the standard's name
        using other = HostAllocator<U, kLeast>;
    };

    HostAllocator() = default;
    template <class U>
    HostAllocator(const HostAllocator<U, kLeast>&) {}
    T* allocate(std::size_t count) { return static_cast<T*>(abut::allocate(count * kItem, alignment())); }
    void deallocate(T* items, std::size_t count) { release(items, count * kItem, alignment()); }
    friend bool operator==(HostAllocator, HostAllocator) { return true; }

private:
    static constexpr std::size_t kItem = sizeof(T);  // NOLINT(bugprone-sizeof-expression): T may be a pointer
    static constexpr std::size_t alignment() { return alignof(T) > kLeast ? alignof(T) : kLeast; }
};

template <class T>
using Vector = std::vector<T, HostAllocator<T>>;
// Aligned to a cache line.
template <class T>
using AlignedVector = std::vector<T, HostAllocator<T, kCacheLine>>;

// Base of types that are made by new: T is the type itself.
template <class T>
struct HostAllocated {
    static void* operator new(std::size_t bytes) { return allocate(bytes, alignof(T)); }
    static void operator delete(void* memory, std::size_t bytes) { release(memory, bytes, alignof(T)); }
};

template <class T, class... Argument>
std::shared_ptr<const T> make_shared(Argument&&... arguments) {
    return std::allocate_shared<const T>(HostAllocator<T>(), std::forward<Argument>(arguments)...);
}

}  // namespace abut
