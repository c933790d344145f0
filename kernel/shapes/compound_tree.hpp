// The search in the tree of a compound's children, which has sixteen boxes per node.
#pragma once

#include <cstdint>

#include "host/memory.hpp"
#include "shapes/bounds.hpp"
#include "shapes/compound_geometry.hpp"
#include "tolerances.hpp"

namespace abut {

// What a compound's children are looked for near, in the compound's frame: a box, or all that is on one side of a plane.
struct Volume {
    bool is_plane = false;
    float low[3] = {}, high[3] = {};   // box; rounded outwards
    float normal[3] = {}, offset = 0;  // plane: unit, solid where normal . x <= offset
};

Volume box_volume(const BoxD& box);

// How far the volume is at least from each box: a box's distance squared, a plane's signed.
void lower_bounds(const SixteenBoxes& boxes, const Volume& volume, float* bounds);

// The limit for such a bound, for a distance of `reach`. Squares of floats that underflow err towards 0, which is safe.
inline float limit_of(const Volume& volume, double reach) {
    if (volume.is_plane) return static_cast<float>(reach);
    const auto positive = static_cast<float>(reach > 0 ? reach : 0);
    return positive * positive * kSquareExcess;
}

// Calls visit(child) for every child that may be within `reach` of the volume, nearest boxes first, until it returns false: then so does
// this. `reach` may shrink on the way.
template <class Visit>
bool descend(const Vector<CompoundNode>& nodes, const Volume& volume, const double& reach, Visit&& visit) {
    constexpr std::uint32_t kWidth = CompoundNode::kWidth, kDepth = 8;  // 16^8 children
    struct Item {
        std::uint32_t item;
        float bound;
    };
    Item stack[kDepth * kWidth];
    std::uint32_t size = 0;
    stack[size++] = {CompoundNode::kInner | static_cast<std::uint32_t>(nodes.size() - 1), -INFINITY};
    while (size != 0) {
        const Item top = stack[--size];
        if (top.bound > limit_of(volume, reach)) continue;
        if ((top.item & CompoundNode::kInner) == 0) {
            if (!visit(top.item)) return false;
            continue;
        }
        const CompoundNode& node = nodes[top.item & ~CompoundNode::kInner];
        float bounds[kWidth];
        lower_bounds(node, volume, bounds);
        const float limit = limit_of(volume, reach);
        const std::uint32_t first = size;
        for (std::uint32_t lane = 0; lane < node.count; ++lane) {
            if (bounds[lane] > limit) continue;
            std::uint32_t at = size++;
            for (; at > first && stack[at - 1].bound <= bounds[lane]; --at) stack[at] = stack[at - 1];
            stack[at] = {node.item[lane], bounds[lane]};
        }
    }
    return true;
}

}  // namespace abut
