// Pairs in canonical order: ascending by a, then by b.
#pragma once

#include <cstdint>
#include <span>

#include <abut/frame.hpp>

#include "base/memory.hpp"
#include "queries/boxes/box_tree.hpp"
#include "queries/boxes/workers.hpp"

namespace abut {

class PairOrder {
public:
    // Sorts the pairs of all buffers; every a is below `count_a`, every b below `count_b`. Throws std::length_error for
    // more than 2^32 - 1 pairs.
    std::span<const Pair> sort(std::span<const PairBuffer> buffers, std::uint32_t count_a, std::uint32_t count_b,
                               const Workers& workers);

private:
    struct Columns {
        const std::uint32_t *a, *b;
        std::size_t size;
    };

    // The scratch of a task.
    struct Scratch {
        std::uint32_t* places;  // one position per a of a range, and one more
        std::uint64_t* marks;   // one bit per b, all 0
    };

    static void sort_range(std::span<const Columns> columns, std::uint32_t first, std::uint32_t end, Scratch scratch,
                           std::uint32_t* partners, Pair* out);

    Vector<Pair> pairs_;
    Vector<std::uint32_t> a_, b_, places_, partners_, counts_;
    Vector<std::uint64_t> marks_;
    Vector<Columns> columns_;
};

}  // namespace abut
