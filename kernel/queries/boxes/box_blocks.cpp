#include "queries/boxes/box_blocks.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel/parallel_for.hpp"

namespace abut {

namespace {

constexpr std::size_t kBlocksPerTask = 32;  // at least 2,048 boxes per task

void set_box(BoxBlock& block, std::uint32_t lane, const Bounds& box) {
    block.low[0][lane] = box.min.x, block.low[1][lane] = box.min.y, block.low[2][lane] = box.min.z;
    block.high[0][lane] = box.max.x, block.high[1][lane] = box.max.y, block.high[2][lane] = box.max.z;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr Bounds kNanBox = {{kNan, kNan, kNan}, {kNan, kNan, kNan}};

// Sets one lane of a node to the bounds of a block's boxes.
void set_bounds(BoxBlock& node, std::uint32_t lane, const BoxBlock& block) {
    for (int axis = 0; axis < 3; ++axis) {
        float low = block.low[axis][0], high = block.high[axis][0];
        for (std::uint32_t i = 1; i < kBlock; ++i) {
            // Unused boxes are NaN and come last; their comparisons are false.
            low = block.low[axis][i] < low ? block.low[axis][i] : low;
            high = block.high[axis][i] > high ? block.high[axis][i] : high;
        }
        node.low[axis][lane] = low, node.high[axis][lane] = high;
    }
}

std::uint32_t blocks_for(std::uint32_t boxes) { return static_cast<std::uint32_t>(blocks_of(boxes, kBlock)); }

}  // namespace

void BoxBlocks::lay_out(std::uint32_t blocks) {
    tree_ = {};
    std::uint32_t all = 0, starts[kMaxLevels];
    for (std::uint32_t level = 0, count = blocks;; ++level, count = blocks_for(count)) {
        tree_.counts[level] = count, tree_.top = level;
        starts[level] = all, all += count;
        if (count == 1 && level > 1) break;
    }
    if (blocks_.size() < all + 1) blocks_.resize(all + 1);
    for (std::uint32_t level = 0; level <= tree_.top; ++level)
        tree_.levels[level] = levels_[level] = blocks_.data() + starts[level];
    // AVX-512 reads eight ids past the end.
    const std::size_t ids = (std::size_t(blocks) + 1) * kBlock;
    if (ids_.size() < ids) ids_.resize(ids);
    tree_.ids = ids_.data();
}

// Fills the blocks below a node of level 1.
void BoxBlocks::fill_node(const BoxColumns& boxes, const BoxKernels& kernels, std::uint32_t node) {
    const std::span<const BoxEntry> entries = order_.entries();
    const std::span<const std::uint32_t> first_entry = order_.first();
    std::uint32_t group = 0;
    for (std::uint32_t lane = 0; lane < kBlock; ++lane) {
        const std::uint32_t at = node * kBlock + lane;
        if (at >= tree_.counts[0]) {
            set_box(levels_[1][node], lane, kNanBox);
            continue;
        }
        while (first_block_[group + 1] <= at) ++group;
        const std::uint32_t first = first_entry[group] + (at - first_block_[group]) * kBlock;
        const std::uint32_t count = std::min(kBlock, first_entry[group + 1] - first);
        const Bounds bounds =
            kernels.fill_block(boxes, entries.data() + first, count, levels_[0][at], ids_.data() + at * kBlock);
        set_box(levels_[1][node], lane, bounds);
    }
}

void BoxBlocks::build(const BoxReader& boxes, bool pairs_of_one_set, const BoxKernels& kernels,
                      const Workers& workers) {
    order_.sort(boxes, pairs_of_one_set, kernels, workers);
    std::uint32_t blocks = 0;
    for (std::uint32_t group = 0; group < kBoxGroups; ++group) {
        first_block_[group] = blocks;
        blocks += blocks_for(order_.first()[group + 1] - order_.first()[group]);
    }
    first_block_[kBoxGroups] = blocks;
    tree_ = {};
    if (blocks == 0) return;
    lay_out(blocks);
    tree_.moving_blocks = first_block_[kSizeClasses];
    const std::size_t nodes = tree_.counts[1];
    workers.run(workers.parts(nodes, kBlocksPerTask), nodes, [&](std::size_t, std::size_t first, std::size_t end) {
        for (std::size_t node = first; node < end; ++node) fill_node(boxes.columns(), kernels, std::uint32_t(node));
    });
    for (std::uint32_t level = 2; level <= tree_.top; ++level)
        for (std::uint32_t i = 0; i < tree_.counts[level] * kBlock; ++i) {
            BoxBlock& node = levels_[level][i / kBlock];
            if (i < tree_.counts[level - 1])
                set_bounds(node, i % kBlock, levels_[level - 1][i]);
            else
                set_box(node, i % kBlock, kNanBox);
        }
}

}  // namespace abut
