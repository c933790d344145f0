// The search in the tree of a compound's children, which has sixteen boxes per node.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/memory.hpp"
#include "base/tolerances.hpp"
#include "shapes/compound_geometry.hpp"
#include "shapes/shape_bounds.hpp"

namespace abut {

// A box in any orientation. Its contents are outside it by at most `slack`.
struct TurnedBox {
    float centre[3] = {}, axes[3][3] = {}, half[3] = {};  // axes: unit; half: along each of them
    float slack = 0;
};

// The region in which a compound's children are searched, in the compound's frame: a box, or one side of a plane.
struct Volume {
    // A box alone, also in `turned`, or a ball whose box is `turned`.
    enum class Kind : std::uint8_t { box, turned_box, ball, plane };

    bool is_plane() const { return kind == Kind::plane; }
    bool is_ball() const { return kind == Kind::ball; }

    Kind kind = Kind::box;
    float low[3] = {}, high[3] = {};   // box; rounded outwards
    float normal[3] = {}, offset = 0;  // plane: unit, solid where normal . x <= offset
    TurnedBox turned = {};             // its contents are in this box, too
};

Volume box_volume(const BoxD& box);
Volume ball_volume(const BoxD& bounds, const maths::Vec3d& centre, double radius);
// The volume of the contents of a box with these half extents along `axes` (columns).
Volume turned_volume(const BoxD& bounds, const maths::Vec3d& centre, const maths::Mat3& axes, const maths::Vec3d& half);

// Lower bounds on the distance of each box from the volume: squared for a box, signed for a plane; for a ball those of
// its centre, because the ball's box is up to 0.7 radii nearer. Bounds above `limit` may be too low, because a box's
// own axes suffice to exclude it.
void lower_bounds(const SixteenBoxes& boxes, const Volume& volume, float* bounds, float limit = INFINITY);

// As lower_bounds, but for a ball those of the ball itself, and for a box that the volume overlaps minus the least
// overlap along an axis of either, because no two convex shapes in them overlap more deeply. So the nearest boxes have
// the lowest bounds.
void deep_bounds(const SixteenBoxes& boxes, const Volume& volume, float* bounds, float limit = INFINITY);

// The radius of a ball, with the rounding of its centre.
inline float radius_of(const Volume& ball) { return ball.turned.half[0] + 2 * ball.turned.slack; }

// The limit for a bound of lower_bounds, for a distance of `reach`. Squares of floats that underflow err towards 0,
// which is safe.
inline float limit_of(const Volume& volume, double reach) {
    if (volume.is_plane()) return static_cast<float>(reach);
    const auto positive = static_cast<float>(reach > 0 ? reach : 0) + (volume.is_ball() ? radius_of(volume) : 0);
    return positive * positive * kSquareExcess;
}
// The limit for a bound of deep_bounds, for a signed distance of `reach`.
inline float deep_limit_of(bool is_plane, double reach) {
    const auto nearest = static_cast<float>(reach);
    if (is_plane) return nearest;
    return nearest < 0 ? nearest - nearest * 0x1p-23f : nearest * nearest * kSquareExcess;
}

// The children of an inner node: lower bounds, as above, and items.
template <class Item>
struct TreeChildren {
    static constexpr std::uint32_t kWidth = SixteenBoxes::kWidth;

    float bounds[kWidth];
    Item items[kWidth];
    std::uint32_t count;
};

// Calls visit(leaf, bound) for every leaf of a tree whose bound is at most limit(), nearest boxes first, ties in a
// fixed order. If visit returns false, stops and returns false. The limit may shrink meanwhile. expand(item, children)
// returns false for a leaf. A leaf's bound is the largest bound of its box and of the boxes that contain it, so that a
// smaller limit leaves out only leaves with larger bounds.
template <std::uint32_t kMostLevels, class Item, class Limit, class Expand, class Visit>
bool walk_tree(const Item& root, const Limit& limit_now, const Expand& expand, Visit&& visit) {
    struct Pending {
        Item item;
        float bound;
    };
    Pending stack[kMostLevels * SixteenBoxes::kWidth + 1];
    std::uint32_t size = 0;
    stack[size++] = {root, -INFINITY};
    while (size != 0) {
        const Pending top = stack[--size];
        if (top.bound > limit_now()) continue;
        TreeChildren<Item> children;
        if (!expand(top.item, children)) {
            if (!visit(top.item, top.bound)) return false;
            continue;
        }
        const float limit = limit_now();
        const std::uint32_t first = size;
        for (std::uint32_t lane = 0; lane < children.count; ++lane) {
            const float bound = children.bounds[lane] < top.bound ? top.bound : children.bounds[lane];
            if (bound > limit) continue;
            std::uint32_t at = size++;
            for (; at > first && stack[at - 1].bound <= bound; --at) stack[at] = stack[at - 1];
            stack[at] = {children.items[lane], bound};
        }
    }
    return true;
}

inline constexpr std::uint32_t kMostCompoundLevels = 8;  // 16^8 children

// As walk_boxes, for a compound's children. bounds_of(boxes, bounds) writes the bound of each box.
template <class Limit, class BoundsOf, class Visit>
bool descend(const Vector<CompoundNode>& nodes, const Limit& limit, const BoundsOf& bounds_of, Visit&& visit) {
    const auto expand = [&](std::uint32_t item, TreeChildren<std::uint32_t>& out) {
        if ((item & CompoundNode::kInner) == 0) return false;
        const CompoundNode& node = nodes[item & ~CompoundNode::kInner];
        bounds_of(node, out.bounds);
        std::copy_n(node.item, CompoundNode::kWidth, out.items);
        out.count = node.count;
        return true;
    };
    return walk_tree<kMostCompoundLevels>(CompoundNode::kInner | std::uint32_t(nodes.size() - 1), limit, expand, visit);
}

// The children that may be within `reach` of the volume.
template <class Visit>
bool descend(const Vector<CompoundNode>& nodes, const Volume& volume, const double& reach, Visit&& visit) {
    const auto limit = [&] { return limit_of(volume, reach); };
    return descend(
        nodes, limit, [&](const SixteenBoxes& boxes, float* bounds) { lower_bounds(boxes, volume, bounds, limit()); },
        [&](std::uint32_t child, float) { return visit(child); });
}

}  // namespace abut
