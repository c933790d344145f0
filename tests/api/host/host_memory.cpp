#include "api/host/host_memory.hpp"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

std::atomic<std::size_t> g_calls{0};

// In front of each block, and as large as the largest alignment.
struct Tag {
    std::size_t bytes, alignment;
    std::uint64_t mark;
    unsigned char* start;  // of what malloc gave
};
constexpr std::size_t kRoom = 64;
static_assert(sizeof(Tag) <= kRoom);
constexpr std::uint64_t kMark = 0x9e3779b97f4a7c15u;

}  // namespace

void* operator new(std::size_t size) {
    ++g_calls;
    if (void* const memory = std::malloc(size > 0 ? size : 1)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++g_calls;
    return std::malloc(size > 0 ? size : 1);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

namespace abut::test {

std::size_t operator_new_calls() { return g_calls; }

void* HostMemory::allocate(void* context, std::size_t bytes, std::size_t alignment) {
    auto& self = *static_cast<HostMemory*>(context);
    ++self.allocations_;
    if (self.fails_ && (self.left_ == 0 || --self.left_ == 0)) return nullptr;
    if (bytes == 0 || alignment == 0 || alignment > kRoom || (alignment & (alignment - 1)) != 0) ++self.mistakes_;
    auto* const start = static_cast<unsigned char*>(std::malloc(bytes + 2 * kRoom));
    if (start == nullptr) return nullptr;
    // Aligned as asked and no better, so that a kernel that needs more is found out.
    unsigned char* at = start + kRoom + (alignment - reinterpret_cast<std::uintptr_t>(start) % alignment) % alignment;
    if (alignment < kRoom && reinterpret_cast<std::uintptr_t>(at) % (2 * alignment) == 0) at += alignment;
    const Tag tag = {bytes, alignment, kMark, start};
    std::memcpy(at - kRoom, &tag, sizeof tag);
    std::memset(at, 0xcd, bytes);
    ++self.live_;
    return at;
}

void HostMemory::release(void* context, void* memory, std::size_t bytes, std::size_t alignment) {
    auto& self = *static_cast<HostMemory*>(context);
    Tag tag;
    std::memcpy(&tag, static_cast<unsigned char*>(memory) - kRoom, sizeof tag);
    if (tag.mark != kMark || tag.bytes != bytes || tag.alignment != alignment) {
        ++self.mistakes_;
        return;
    }
    tag.mark = 0;
    std::memcpy(static_cast<unsigned char*>(memory) - kRoom, &tag, sizeof tag);
    --self.live_;
    std::free(tag.start);
}

}  // namespace abut::test
