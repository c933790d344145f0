// The shapes that chunks make (hulls of triangles, half-spaces): one set for each chunk that runs concurrently, so that
// the kernels' input stays in the CPU's cache.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>

#include "convex/contract/chunk.hpp"
#include "shapes/triangle_hull.hpp"

namespace abut {

class TrianglePool {
    struct Slot {
        std::atomic<bool> is_taken = false;
        TriangleHulls hulls;
    };
    struct Return {
        void operator()(Slot* slot) const { slot->is_taken.store(false, std::memory_order_release); }
    };

public:
    // Takes a set for one chunk; the destructor returns it.
    class Loan {
    public:
        Loan(TrianglePool& pool, std::size_t triangles) : slot_(&pool.take()) { hulls().make_room(triangles); }
        TriangleHulls& hulls() const { return slot_->hulls; }

    private:
        std::unique_ptr<Slot, Return> slot_;
    };

    // Reserves memory for `chunks` concurrent chunks with up to `triangles` triangles each.
    void reserve(std::size_t chunks, std::size_t triangles) {
        for (std::size_t i = 0; i < chunks && i < kSlots; ++i) slots_[i].hulls.make_room(triangles);
    }
    std::size_t bytes() const {
        std::size_t all = 0;
        for (const Slot& slot : slots_) all += slot.hulls.bytes();
        return all;
    }

private:
    static constexpr std::size_t kSlots = 256;

    // Takes the lowest free slot, so that a single thread always gets the same one.
    Slot& take() {
        for (;;) {
            for (Slot& slot : slots_) {
                bool taken = false;
                if (slot.is_taken.compare_exchange_strong(taken, true, std::memory_order_acquire)) return slot;
            }
            std::this_thread::yield();
        }
    }

    Slot slots_[kSlots];
};

}  // namespace abut
