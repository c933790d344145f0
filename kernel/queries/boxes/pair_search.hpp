// Finds pairs by many tasks, filters them and puts them into canonical order.
#pragma once

#include <algorithm>
#include <span>

#include <abut/frame.hpp>

#include "base/memory.hpp"
#include "queries/boxes/box_filter.hpp"
#include "queries/boxes/box_tree.hpp"
#include "queries/boxes/pair_order.hpp"
#include "queries/boxes/workers.hpp"

namespace abut {

class PairSearch {
public:
    // Several tasks per thread, so that no thread waits long for the last one.
    static constexpr std::size_t kTasksPerThread = 8;

    // Calls find(first, end, buffer) for parts of `count` items, then filters and sorts the pairs. Indices of the first
    // set are below `count_a`, those of the second below `count_b`.
    template <class Find>
    std::span<const Pair> collect(const Workers& workers, std::size_t count, std::size_t least, std::size_t count_a,
                                  std::size_t count_b, const BoxFilter& a, const BoxFilter& b, const Find& find) {
        const std::size_t parts = workers.parts(count, least, kTasksPerThread);
        if (memory_.size() < parts) memory_.resize(parts), buffers_.resize(parts);
        workers.run(parts, count, [&](std::size_t part, std::size_t first, std::size_t end) {
            PairMemory& own = memory_[part];
            own.start();
            find(std::uint32_t(first), std::uint32_t(end), own);
            filter(own, a, b);
            buffers_[part] = own;
        });
        return order_.sort({buffers_.data(), parts}, std::uint32_t(count_a), std::uint32_t(count_b), workers);
    }

private:
    // The memory of a buffer.
    struct PairMemory : PairBuffer {
        Vector<std::uint32_t> all_a, all_b;

        void start() {
            a = all_a.data(), b = all_b.data(), room = all_a.size(), size = 0;
            owner = this;
            grow = [](PairBuffer& buffer) {
                PairMemory& memory = *static_cast<PairMemory*>(buffer.owner);
                const std::size_t wanted =
                    std::max<std::size_t>(buffer.room + buffer.room / 2, buffer.size + 16 * kLeastPairRoom);
                memory.all_a.resize(wanted);
                memory.all_b.resize(wanted);
                buffer.a = memory.all_a.data(), buffer.b = memory.all_b.data(), buffer.room = wanted;
            };
        }
    };

    Vector<PairMemory> memory_;
    Vector<PairBuffer> buffers_;
    PairOrder order_;
};

}  // namespace abut
