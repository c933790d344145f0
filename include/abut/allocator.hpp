/// @file
/// The allocator: the source of all memory of the library.
#pragma once

#include <cstddef>

#include <abut/compiler.hpp>
#include <abut/status.hpp>

namespace abut {

/// Two functions and their context. abut calls both from any thread, also from several at once. Neither throws.
struct Allocator {
    /// Returns `bytes` bytes (above 0) at a multiple of `alignment`, a power of two up to 64, or null if there is no
    /// memory. The call of abut that needs the memory then fails with ErrorCode::out_of_memory and keeps nothing.
    void* (*allocate)(void* context, std::size_t bytes, std::size_t alignment) = nullptr;
    /// Gets what `allocate` returned, with the same size and alignment.
    void (*release)(void* context, void* memory, std::size_t bytes, std::size_t alignment) = nullptr;
    void* context = nullptr;  ///< passed to both functions; abut does not read it
};

/// After this call all memory of the library comes from `allocator`, in the whole process. An empty allocator restores
/// operator new, the default. The containers in results.hpp and carry_over.hpp use the caller's memory, and oneTBB
/// allocates for its threads by itself. Do not call this while another thread calls abut. Returns an error, and changes
/// nothing, if only one of the two functions is given, or while the library holds memory: stores, narrow phases, warm
/// tables, cooked hulls.
ABUT_API CallResult set_allocator(const Allocator& allocator);

/// The memory that the library holds now.
struct MemoryInUse {
    std::size_t bytes = 0, blocks = 0;  ///< the sum of all blocks, and their number
};
ABUT_API MemoryInUse memory_in_use();  ///< any thread

}  // namespace abut
