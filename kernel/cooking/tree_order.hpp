// The order of a tree's leaves, sixteen to a node.
#pragma once

#include <cstdint>
#include <span>

namespace abut::cooking {

struct TreeItem {
    float middle[3];
    std::uint32_t index;
};

// Orders items so that each sixteen in sequence are near each other, and so are each sixteen of these groups. All
// groups except the last one are full. The index decides ties, so that equal items have equal trees.
void sort_into_leaves(std::span<TreeItem> items);

}  // namespace abut::cooking
