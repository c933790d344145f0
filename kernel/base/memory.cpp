#include "base/memory.hpp"

#include <atomic>
#include <new>

#include <abut/host.hpp>

#include "base/message.hpp"

namespace abut {
namespace {

Allocator host;  // an empty one means operator new
std::atomic<std::size_t> bytes_held{0}, blocks_held{0};

void* take(std::size_t bytes, std::size_t alignment) {
    if (host.allocate != nullptr) return host.allocate(host.context, bytes, alignment);
    if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator new(bytes);
    return ::operator new(bytes, std::align_val_t(alignment));
}

void give_back(void* memory, std::size_t bytes, std::size_t alignment) {
    if (host.allocate != nullptr)
        host.release(host.context, memory, bytes, alignment);
    else if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__)
        ::operator delete(memory);
    else
        ::operator delete(memory, std::align_val_t(alignment));
}

}  // namespace

void* allocate(std::size_t bytes, std::size_t alignment) {
    void* const memory = take(bytes, alignment);
    if (memory == nullptr) throw std::bad_alloc();
    bytes_held.fetch_add(bytes, std::memory_order_relaxed);
    blocks_held.fetch_add(1, std::memory_order_relaxed);
    return memory;
}

void release(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
    if (memory == nullptr) return;
    give_back(memory, bytes, alignment);
    bytes_held.fetch_sub(bytes, std::memory_order_relaxed);
    blocks_held.fetch_sub(1, std::memory_order_relaxed);
}

CallResult set_allocator(const Allocator& allocator) {
    if ((allocator.allocate == nullptr) != (allocator.release == nullptr))
        return bad_argument(allocator.allocate == nullptr ? "Allocator::allocate is null, but release is not"
                                                          : "Allocator::release is null, but allocate is not");
    if (const std::size_t blocks = blocks_held; blocks != 0)
        return bad_argument(
            message_of("set_allocator: the library holds ", blocks, " blocks of memory of the allocator before"));
    host = allocator;
    return {};
}

MemoryInUse memory_in_use() { return {bytes_held, blocks_held}; }

}  // namespace abut
