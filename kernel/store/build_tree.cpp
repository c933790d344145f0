// See build_tree.hpp. Ties go to the lower child, so that equal compounds have equal trees.
#include "store/build_tree.hpp"

#include <algorithm>

#include "base/rounding.hpp"

namespace abut {
namespace {

using maths::BoxD;

constexpr std::uint32_t kWidth = CompoundNode::kWidth;

double middle(const BoxD& box, int axis) { return 0.5 * component(box.low, axis) + 0.5 * component(box.high, axis); }

// The axis along which the middles of the boxes are spread widest.
int longest_axis(std::span<const BoxD> bounds, std::span<const std::uint32_t> children) {
    int longest = 0;
    double most = -1;
    for (int axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (const std::uint32_t child : children) {
            low = maths::min(low, middle(bounds[child], axis));
            high = maths::max(high, middle(bounds[child], axis));
        }
        if (high - low > most) most = high - low, longest = axis;
    }
    return longest;
}

// Puts the lower half along the longest axis before the upper half. Returns the size of the lower half.
std::size_t split(std::span<const BoxD> bounds, std::span<std::uint32_t> children) {
    const int axis = longest_axis(bounds, children);
    const std::size_t half = children.size() / 2;
    std::nth_element(children.begin(), children.begin() + std::ptrdiff_t(half), children.end(),
                     [&](std::uint32_t i, std::uint32_t k) {
        const double at_i = middle(bounds[i], axis), at_k = middle(bounds[k], axis);
        return at_i != at_k ? at_i < at_k : i < k;
    });
    return half;
}

struct Builder {
    std::span<const BoxD> bounds;
    Vector<CompoundNode>& nodes;

    // Returns the node's index, and its bounds in `all`.
    std::uint32_t build(std::span<std::uint32_t> children, BoxD& all) {
        CompoundNode node = {};
        all = maths::kNoBounds;
        fill(node, children, kWidth, all);
        nodes.push_back(node);
        return std::uint32_t(nodes.size() - 1);
    }

    // Fills up to `width` lanes of a node: halves lanes and children until one child or one lane is left. A lane for
    // several children gets a node.
    void fill(CompoundNode& node, std::span<std::uint32_t> children, std::uint32_t width, BoxD& all) {
        if (children.empty()) return;
        if (width > 1 && children.size() > 1) {
            const std::size_t half = split(bounds, children);
            fill(node, children.first(half), width / 2, all);
            fill(node, children.subspan(half), width / 2, all);
            return;
        }
        if (children.size() == 1) return append(node, children[0], bounds[children[0]], all);
        BoxD inner;
        const std::uint32_t at = build(children, inner);
        append(node, CompoundNode::kInner | at, inner, all);
    }

    static void append(CompoundNode& node, std::uint32_t item, const BoxD& box, BoxD& all) {
        const std::uint32_t lane = node.count++;
        for (int axis = 0; axis < 3; ++axis) {
            node.low[axis][lane] = round_down(component(box.low, axis));
            node.high[axis][lane] = round_up(component(box.high, axis));
        }
        node.item[lane] = item;
        all = joined(all, box);
    }
};

}  // namespace

void build_tree(std::span<const BoxD> bounds, Vector<CompoundNode>& nodes) {
    Vector<std::uint32_t> children(bounds.size());
    for (std::size_t i = 0; i < children.size(); ++i) children[i] = std::uint32_t(i);
    nodes.clear();
    BoxD all;
    Builder{bounds, nodes}.build(children, all);
}

}  // namespace abut
