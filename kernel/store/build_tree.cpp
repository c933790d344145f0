// See build_tree.hpp.
#include "store/build_tree.hpp"

#include <utility>

#include "base/rounding.hpp"
#include "cooking/tree_order.hpp"

namespace abut {
namespace {

struct Child {
    maths::BoxD box;
    std::uint32_t item;
};

void append(CompoundNode& node, const Child& child) {
    const std::uint32_t lane = node.count++;
    for (int axis = 0; axis < 3; ++axis) {
        node.low[axis][lane] = round_down(component(child.box.low, axis));
        node.high[axis][lane] = round_up(component(child.box.high, axis));
    }
    node.item[lane] = child.item;
}

Vector<Child> sorted_leaves(std::span<const maths::BoxD> bounds) {
    Vector<cooking::TreeItem> items;
    for (std::uint32_t i = 0; i < bounds.size(); ++i) {
        const maths::Vec3d middle = bounds[i].low * 0.5 + bounds[i].high * 0.5;
        items.push_back({{float(middle.x), float(middle.y), float(middle.z)}, i});
    }
    sort_into_leaves(items);
    Vector<Child> leaves;
    for (const cooking::TreeItem& item : items) leaves.push_back({bounds[item.index], item.index});
    return leaves;
}

}  // namespace

void build_tree(std::span<const maths::BoxD> bounds, Vector<CompoundNode>& nodes) {
    Vector<Child> children = sorted_leaves(bounds);
    nodes.clear();
    do {
        Vector<Child> above;
        for (std::size_t i = 0; i < children.size(); ++i) {
            if (i % CompoundNode::kWidth == 0) {
                above.push_back({maths::kNoBounds, CompoundNode::kInner | std::uint32_t(nodes.size())});
                nodes.push_back({});
            }
            append(nodes.back(), children[i]);
            above.back().box = joined(above.back().box, children[i].box);
        }
        children = std::move(above);
    } while (children.size() > 1);
}

}  // namespace abut
