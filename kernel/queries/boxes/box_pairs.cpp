// Pairs of overlapping boxes. First a node of 64 boxes descends the tree, then its blocks, then their boxes. Each step
// writes the list for the next step without a branch: which child, block or box overlaps is unpredictable, and a
// misprediction costs as much as two tests.
#include "queries/boxes/block_lanes.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

// The number of nodes whose blocks are tested together.
constexpr std::uint32_t kNodes = 32;

// Blocks of the task's tree that a block of boxes may pair with: [first, end).
struct BlockRange {
    std::uint32_t first, end;
};

// A bit mask of the children of a node at `level` that contain blocks of the range. Precondition: the node contains
// such a block.
ABUT_INLINE std::uint32_t children_in(const BlockRange& range, std::uint32_t level, std::uint32_t node) {
    const std::uint32_t shift = kBlockShift * (level - 1), child = node << kBlockShift;
    const std::uint32_t first = range.first >> shift, last = (range.end - 1) >> shift;
    const std::uint32_t before = first > child ? first - child : 0,
                        after = last < child + (kBlock - 1) ? child + (kBlock - 1) - last : 0;
    return kAllBoxes << before & kAllBoxes >> after;
}

// The bounds of item i of a level.
ABUT_INLINE BoxW bounds_of(const BoxTree& tree, std::uint32_t level, std::uint32_t i) {
    return box_of(tree.levels[level + 1][i / kBlock], i % kBlock);
}

struct BoxPairSearch {
    BoxPairsTask task;
    PairBuffer out;
    NumberList<kNodes> nodes;            // nodes of level 1 that overlap the searching node
    NumberList<kNodes * kBlock> blocks;  // blocks of these nodes that overlap the searching block
    NumberList<kNodes * kBlock * kBlock>
        boxes;  // boxes of the searching block that overlap one of these blocks: kBlock * block + box
    NumberList<kNodes * kBlock * kBlock>
        hits;  // elements of `boxes` that overlap a box in that block; hit_bits: which boxes
    std::uint8_t hit_bits[kNodes * kBlock * kBlock + 1];

    // Finds the pairs of a box of block i and a box of a block in the range, under one of `nodes`.
    template <bool kSame>
    ABUT_INLINE void search_block(std::uint32_t i, const BlockRange& range) {
        const BoxTree &from = *task.from, &in = *task.in;
        const BoxW bounds = bounds_of(from, 0, i);
        blocks.size = boxes.size = hits.size = 0;
        for (std::uint32_t n = 0; n < nodes.size; ++n) {
            const std::uint32_t node = nodes.at[n];
            if (node * kBlock + (kBlock - 1) < range.first || node * kBlock >= range.end) continue;
            blocks.add_lanes(node * kBlock, overlapping(in.levels[1][node], bounds) & children_in(range, 1, node));
        }
        const BoxBlock& own = from.levels[0][i];
        for (std::uint32_t n = 0; n < blocks.size; ++n)
            boxes.add_lanes(blocks.at[n] * kBlock, overlapping(own, bounds_of(in, 0, blocks.at[n])));
        for (std::uint32_t n = 0; n < boxes.size; ++n) {
            const std::uint32_t block = boxes.at[n] / kBlock, box = boxes.at[n] % kBlock;
            std::uint32_t bits = overlapping(in.levels[0][block], box_of(own, box));
            if (kSame) bits &= block == i ? kAllBoxes << (box + 1) : kAllBoxes;
            hits.at[hits.size] = boxes.at[n];
            hit_bits[hits.size] = static_cast<std::uint8_t>(bits);
            hits.size += bits != 0;
        }
        while (out.room - out.size < hits.size * kBlock + kLeastPairRoom) out.grow(out);
        for (std::uint32_t n = 0; n < hits.size; ++n) {
            const std::uint32_t block = hits.at[n] / kBlock, box = hits.at[n] % kBlock;
            add_pairs<kSame>(from.ids[i * kBlock + box], in.ids + block * kBlock, hit_bits[n], out);
        }
    }

    // Finds the overlapping pairs of a box in a block of this node and a box in a block of `nodes`.
    template <bool kSame>
    void search_blocks(std::uint32_t node) {
        const BoxTree &from = *task.from, &in = *task.in;
        const std::uint32_t end = from.counts[0] - node * kBlock < kBlock ? from.counts[0] : (node + 1) * kBlock;
        for (std::uint32_t i = node * kBlock; i < end; ++i) {
            const bool moves = i < from.moving_blocks;
            const BlockRange range = {kSame ? i : 0, moves ? in.counts[0] : kSame ? 0 : in.moving_blocks};
            if (range.first < range.end) search_block<kSame>(i, range);
        }
        nodes.size = 0;
    }

    template <bool kSame>
    void search_node(std::uint32_t node) {
        const BoxTree& in = *task.in;
        const BoxW bounds = bounds_of(*task.from, 1, node);
        const BlockRange range = {kSame ? node * kBlock : 0, in.counts[0]};
        NumberList<kMaxLevels * kBlock> waiting[1];
        std::uint32_t level_of[kMaxLevels * kBlock + 2 * kBlock];
        waiting->at[0] = 0, level_of[0] = in.top, waiting->size = 1;
        while (waiting->size > 0) {
            const std::uint32_t at = --waiting->size, level = level_of[at], parent = waiting->at[at];
            const std::uint32_t bits =
                overlapping(in.levels[level][parent], bounds) & children_in(range, level, parent);
            if (level > 2) {
                waiting->add_lanes(parent * kBlock, bits);
                for (std::uint32_t i = 0; i < kBlock; ++i) level_of[at + i] = level - 1;
                continue;
            }
            nodes.add_lanes(parent * kBlock, bits);
            if (nodes.size > kNodes - kBlock) search_blocks<kSame>(node);
        }
        if (nodes.size > 0) search_blocks<kSame>(node);
    }

    template <bool kSame>
    void search() {
        for (std::uint32_t node = task.first; node < task.end; ++node) search_node<kSame>(node);
    }
};

}  // namespace

// The task is copied, because the compiler cannot know that the stores do not change it.
void find_box_pairs(const BoxPairsTask& task, PairBuffer& out) {
    BoxPairSearch search;
    search.task = task, search.out = out;
    if (task.from == task.in)
        search.search<true>();
    else
        search.search<false>();
    out = search.out;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
