// Runs pairs of an item (the caller's ray or point) and a body in parallel blocks. Each block is sorted by the kind of
// the body, so that the code and data of one kind serve many pairs.
#pragma once

#include <span>

#include <abut/frame.hpp>

#include "base/parallel/blocks.hpp"
#include "shapes/tables.hpp"

namespace abut {

class BodyBlocks {
public:
    static constexpr std::size_t kBlockPairs = 512;

    // In each pair of the frame, a is the index of an item (below `items`), and b that of a body.
    BodyBlocks(const Frame& frame, std::size_t items)
        : frame_(frame), tables_(tables_of(*frame.shapes)), items_(items) {}

    const ShapeTables& tables() const { return tables_; }
    ShapeId shape_at(std::uint32_t body) const { return frame_.bodies.columns().shapes[body]; }

    // Calls of_kind(kind, pairs) for each wanted(kind) of a block; pair indices ascend. Calls missing(pair) if the
    // item, the body or the body's shape does not exist. Any thread of the executor may call.
    template <class Wanted, class Missing, class OfKind>
    void run(const Executor& executor, const Wanted& wanted, const Missing& missing, const OfKind& of_kind) const {
        for_each_block(executor, frame_.pairs.size(), kBlockPairs,
                       [&](std::size_t first, std::size_t end) { run_block(first, end, wanted, missing, of_kind); });
    }

    // Runs the pairs [first, end), at most kBlockPairs.
    template <class Wanted, class Missing, class OfKind>
    void run_block(std::size_t first, std::size_t end, const Wanted& wanted, const Missing& missing,
                   const OfKind& of_kind) const {
        std::uint32_t listed[kBlockPairs], next[kKindCount + 2] = {};
        std::uint8_t kinds[kBlockPairs];
        const auto count = static_cast<std::uint32_t>(end - first);
        std::uint32_t kind_of_last = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            kind_of_last = kind_of(frame_.pairs[first + i]);
            kinds[i] = static_cast<std::uint8_t>(kind_of_last);
            ++next[kind_of_last + 1];
        }
        const auto run_kind = [&](std::uint32_t kind, std::span<const std::uint32_t> some) {
            if (kind == kKindCount)
                for (const std::uint32_t pair : some) missing(pair);
            else if (wanted(ShapeKind(kind)))
                of_kind(ShapeKind(kind), some);
        };
        if (next[kind_of_last + 1] == count) {
            for (std::uint32_t i = 0; i < count; ++i) listed[i] = static_cast<std::uint32_t>(first + i);
            return run_kind(kind_of_last, {listed, count});
        }
        for (std::uint32_t kind = 0; kind <= kKindCount; ++kind) next[kind + 1] += next[kind];
        for (std::uint32_t i = 0; i < count; ++i) listed[next[kinds[i]]++] = static_cast<std::uint32_t>(first + i);
        for (std::uint32_t kind = 0, from = 0; kind <= kKindCount; from = next[kind++])
            if (from != next[kind]) run_kind(kind, {listed + from, listed + next[kind]});
    }

private:
    // Returns kKindCount if the item, the body or its shape does not exist.
    std::uint32_t kind_of(const Pair& pair) const {
        if (pair.a >= items_ || pair.b >= frame_.bodies.size()) return kKindCount;
        const ShapeId shape = shape_at(pair.b);
        return tables_.lives(shape) ? std::uint32_t(shape.kind()) : kKindCount;
    }

    const Frame& frame_;
    const ShapeTables& tables_;
    std::size_t items_;
};

}  // namespace abut
