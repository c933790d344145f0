// Pairs of a caller's item (a ray, a point) and a body, in parallel blocks. Each block is sorted by the kind of the body, so that one kind's code and
// data serve many items.
#pragma once

#include <abut/frame.hpp>

#include "parallel/blocks.hpp"
#include "shapes/tables.hpp"

namespace abut {

class BodyBlocks {
public:
    // For a frame whose pairs have an item (below `items`) as a, and a body as b.
    BodyBlocks(const Frame& frame, std::size_t items) : frame_(frame), tables_(tables_of(*frame.shapes)), items_(items) {}

    const ShapeTables& tables() const { return tables_; }

    // Calls each(pair, shape) for the pairs with a kind of body that is wanted(kind), and missing(pair) for those whose item or body does not exist,
    // from any thread of the executor.
    template <class Wanted, class Missing, class Each>
    void run(const Executor& executor, const Wanted& wanted, const Missing& missing, const Each& each) const {
        for_each_block(executor, frame_.pairs.size(), kBlockPairs,
                       [&](std::size_t first, std::size_t end) { run_block(first, end, wanted, missing, each); });
    }

private:
    static constexpr std::size_t kBlockPairs = 512;

    // kNothing: the item or the body does not exist.
    static constexpr ShapeId kNothing = ShapeId();
    ShapeId shape_of(const Pair& pair) const {
        if (pair.a >= items_ || pair.b >= frame_.bodies.size()) return kNothing;
        const ShapeId shape = shape_at(pair.b);
        return tables_.lives(shape) ? shape : kNothing;
    }
    ShapeId shape_at(std::uint32_t body) const { return frame_.bodies.columns().shapes[body]; }

    template <class Wanted, class Missing, class Each>
    void run_block(std::size_t first, std::size_t end, const Wanted& wanted, const Missing& missing, const Each& each) const {
        ShapeId shapes[kBlockPairs];
        std::uint16_t listed[kBlockPairs], starts[kKindCount + 1] = {};
        std::uint8_t kinds[kBlockPairs];
        for (std::size_t i = first; i < end; ++i) {
            const ShapeId shape = shape_of(frame_.pairs[i]);
            shapes[i - first] = shape;
            kinds[i - first] = kKindCount;
            if (shape == kNothing) {
                missing(static_cast<std::uint32_t>(i));
            } else if (wanted(shape.kind())) {
                kinds[i - first] = static_cast<std::uint8_t>(shape.kind());
                ++starts[kinds[i - first] + 1];
            }
        }
        for (std::uint32_t kind = 0; kind < kKindCount; ++kind) starts[kind + 1] = std::uint16_t(starts[kind + 1] + starts[kind]);
        const std::uint32_t count = starts[kKindCount];
        for (std::size_t at = 0; at < end - first; ++at)
            if (kinds[at] < kKindCount) listed[starts[kinds[at]]++] = std::uint16_t(at);
        for (std::uint32_t i = 0; i < count; ++i) each(static_cast<std::uint32_t>(first + listed[i]), shapes[listed[i]]);
    }

    const Frame& frame_;
    const ShapeTables& tables_;
    std::size_t items_;
};

}  // namespace abut
