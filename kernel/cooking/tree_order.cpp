// See tree_order.hpp. Halves the items along the longest axis, down to leaves of sixteen.
#include "cooking/tree_order.hpp"

#include <algorithm>
#include <cmath>

namespace abut::cooking {
namespace {

constexpr std::size_t kWidth = 16;

int longest_axis(std::span<const TreeItem> items) {
    int longest = 0;
    float most = -1;
    for (int axis = 0; axis < 3; ++axis) {
        float low = INFINITY, high = -INFINITY;
        for (const TreeItem& item : items) {
            if (item.middle[axis] < low) low = item.middle[axis];
            if (item.middle[axis] > high) high = item.middle[axis];
        }
        if (high - low > most) most = high - low, longest = axis;
    }
    return longest;
}

// `unit`: the capacity of a child of the present node. The first half has a multiple of `unit` items, so that its nodes
// are full.
void arrange(std::span<TreeItem> items, std::size_t unit) {
    while (items.size() <= unit && unit > kWidth) unit /= kWidth;
    if (items.size() <= unit) {
        std::sort(items.begin(), items.end(), [](const TreeItem& a, const TreeItem& b) { return a.index < b.index; });
        return;
    }
    const std::size_t half = (items.size() + unit - 1) / unit / 2 * unit;
    const int axis = longest_axis(items);
    std::nth_element(items.begin(), items.begin() + std::ptrdiff_t(half), items.end(),
                     [axis](const TreeItem& a, const TreeItem& b) {
        return a.middle[axis] != b.middle[axis] ? a.middle[axis] < b.middle[axis] : a.index < b.index;
    });
    arrange(items.first(half), unit);
    arrange(items.subspan(half), unit);
}

}  // namespace

void sort_into_leaves(std::span<TreeItem> items) {
    std::size_t unit = kWidth;
    while (unit * kWidth < items.size()) unit *= kWidth;
    arrange(items, unit);
}

}  // namespace abut::cooking
