// The host's memory: where all of the library's own comes from.
#pragma once

#include <cstddef>

#include <abut/compiler.hpp>
#include <abut/status.hpp>

namespace abut {

// Two functions and what they are called with. Both may be called from any thread, also from several at once; neither throws.
struct Allocator {
    // `bytes` (above 0) at a multiple of `alignment`, a power of two up to 64. Null where there is no memory: the call of abut that needs it then
    // fails with ErrorCode::out_of_memory and leaves nothing behind.
    void* (*allocate)(void* context, std::size_t bytes, std::size_t alignment) = nullptr;
    // What `allocate` returned, with the same size and alignment.
    void (*release)(void* context, void* memory, std::size_t bytes, std::size_t alignment) = nullptr;
    void* context = nullptr;
};

// From now on all memory of the library comes from `allocator`, in the whole process; an empty one stands for operator new, the default. The containers
// in results.hpp and carry_over.hpp are the caller's own, and so is what oneTBB allocates for its threads. Not while another thread calls abut.
// An error, and nothing changes, where only one of the two functions is given, or while the library holds memory: stores, narrow phases, warm tables,
// cooked hulls.
ABUT_API CallResult set_allocator(const Allocator& allocator);

// What the library holds now.
struct MemoryInUse {
    std::size_t bytes = 0, blocks = 0;
};
ABUT_API MemoryInUse memory_in_use();

}  // namespace abut
