// Pairs of overlapping boxes: each block of boxes goes down the tree once.
#include "broad/block_lanes.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

// Nodes that wait: of each level the children of one node, less the one that is entered.
struct NodeStack {
    std::uint32_t level[kMaxLevels * kBlock], node[kMaxLevels * kBlock];
    std::uint32_t size = 0;

    ABUT_INLINE void push(std::uint32_t l, std::uint32_t n) { level[size] = l, node[size] = n, ++size; }
};

// Blocks of the task's tree that a block of boxes may pair with: [first, end).
struct BlockRange {
    std::uint32_t first, end;
};

// Of the children of a node at `level` those that contain blocks of the range.
ABUT_INLINE std::uint32_t children_in(const BlockRange& range, std::uint32_t level, std::uint32_t node) {
    const std::uint32_t shift = kBlockShift * (level - 1), child = node << kBlockShift;
    const std::uint32_t first = range.first >> shift, last = (range.end - 1) >> shift;
    std::uint32_t bits = kAllBoxes;
    if (first > child) bits &= kAllBoxes << (first - child);
    if (last < child + (kBlock - 1)) bits &= kAllBoxes >> (child + (kBlock - 1) - last);
    return bits;
}

ABUT_INLINE BoxW bounds_of_block(const BoxTree& tree, std::uint32_t block) { return box_of(tree.levels[1][block >> kBlockShift], block % kBlock); }

// The boxes of block i, those that reach block j, against the boxes of block j.
template <bool kSame>
ABUT_INLINE void pair_blocks(const BoxPairsTask& task, std::uint32_t i, std::uint32_t j, PairBuffer& out) {
    if (out.room - out.size < kLeastPairRoom) out.grow(out);
    const BoxBlock &boxes = task.from->levels[0][i], &others = task.in->levels[0][j];
    const std::uint32_t* const ids = task.from->ids + i * kBlock;
    const std::uint32_t* const other_ids = task.in->ids + j * kBlock;
    for_each_lane(overlapping(boxes, bounds_of_block(*task.in, j)), [&](int k) {
        const std::uint32_t bits = overlapping(others, box_of(boxes, static_cast<std::uint32_t>(k)));
        if (bits != 0) add_pairs<kSame>(ids[k], other_ids, bits, out);
    });
}

// The pairs within a block.
ABUT_INLINE void pair_within(const BoxTree& tree, std::uint32_t i, PairBuffer& out) {
    if (out.room - out.size < kLeastPairRoom) out.grow(out);
    const BoxBlock& boxes = tree.levels[0][i];
    const std::uint32_t* const ids = tree.ids + i * kBlock;
    for (std::uint32_t k = 0; k + 1 < kBlock; ++k) {
        const std::uint32_t bits = overlapping(boxes, box_of(boxes, k)) & (kAllBoxes << (k + 1));
        if (bits != 0) add_pairs<true>(ids[k], ids, bits, out);
    }
}

// The blocks of the range whose bounds overlap those of block i.
template <bool kSame>
ABUT_INLINE void find_pairs_of(const BoxPairsTask& task, std::uint32_t i, const BlockRange& range, PairBuffer& out) {
    if (range.first >= range.end) return;
    const BoxTree& in = *task.in;
    const BoxW bounds = bounds_of_block(*task.from, i);
    NodeStack stack;
    stack.push(in.top, 0);
    while (stack.size > 0) {
        --stack.size;
        const std::uint32_t level = stack.level[stack.size], node = stack.node[stack.size];
        const std::uint32_t bits = overlapping(in.levels[level][node], bounds) & children_in(range, level, node);
        for_each_lane(bits, [&](int child) {
            const std::uint32_t below = node * kBlock + static_cast<std::uint32_t>(child);
            if (level == 1)
                pair_blocks<kSame>(task, i, below, out);
            else
                stack.push(level - 1, below);
        });
    }
}

}  // namespace

// Copied: the compiler cannot tell that what is written is none of it.
void find_box_pairs(const BoxPairsTask& wanted, PairBuffer& buffer) {
    const BoxPairsTask task = wanted;
    PairBuffer out = buffer;
    for (std::uint32_t i = task.first; i < task.end; ++i) {
        if (task.from == task.in) {
            if (i >= task.in->moving_blocks) break;  // these and all after them are at rest
            pair_within(*task.in, i, out);
            find_pairs_of<true>(task, i, {i + 1, task.in->counts[0]}, out);
        } else {
            const bool moves = i < task.from->moving_blocks;
            find_pairs_of<false>(task, i, {0, moves ? task.in->counts[0] : task.in->moving_blocks}, out);
        }
    }
    buffer = out;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
