// A host's memory: counts what the library takes, checks what it gives back, and ends when a test says so.
#pragma once

#include <cstddef>

#include <abut/host.hpp>

namespace abut::test {

class HostMemory {
public:
    Allocator allocator() { return {allocate, release, this}; }

    // The allocation so many from now fails, 1 being the next, and all after it; none does for 0.
    void fail(std::size_t in) { left_ = in, fails_ = in != 0; }
    bool has_failed() const { return fails_ && left_ == 0; }

    std::size_t allocations() const { return allocations_; }
    std::size_t live() const { return live_; }
    // Blocks that came back with another size or alignment, or that were not the host's.
    std::size_t mistakes() const { return mistakes_; }

private:
    static void* allocate(void* context, std::size_t bytes, std::size_t alignment);
    static void release(void* context, void* memory, std::size_t bytes, std::size_t alignment);

    std::size_t allocations_ = 0, live_ = 0, mistakes_ = 0, left_ = 0;
    bool fails_ = false;
};

// How often this program has called operator new.
std::size_t operator_new_calls();

}  // namespace abut::test
