// A tree over the boxes of a call.
#pragma once

#include <span>

#include "queries/boxes/box_order.hpp"
#include "queries/boxes/box_tree.hpp"

namespace abut {

class BoxBlocks {
public:
    void build(const BoxReader& boxes, bool pairs_of_one_set, const BoxKernels& kernels, const Workers& workers);

    void clear() { tree_ = {}; }

    // The tree. It has no blocks if there is no good box.
    const BoxTree& tree() const { return tree_; }
    std::span<const std::uint32_t> bad() const { return order_.bad(); }

private:
    void lay_out(std::uint32_t blocks);
    void fill_node(const BoxColumns& boxes, const BoxKernels& kernels, std::uint32_t node);

    BoxOrder order_;
    AlignedVector<BoxBlock> blocks_;
    Vector<std::uint32_t> ids_;
    std::uint32_t first_block_[kBoxGroups + 1] = {};
    BoxTree tree_;
    BoxBlock* levels_[kMaxLevels] = {};
};

}  // namespace abut
