// The posed convex parts of a body, and the walk down the tree of their bounds.
#pragma once

#include <algorithm>
#include <array>

#include <abut/d2/frame_2d.hpp>

#include "d2/convex/plane_core.hpp"

namespace abut::d2 {

struct BoxD2 {
    Vec2D low = {HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL};

    void add(Vec2D p, double radius = 0) {
        low = {std::min(low.x, p.x - radius), std::min(low.y, p.y - radius)};
        high = {std::max(high.x, p.x + radius), std::max(high.y, p.y + radius)};
    }
};

// A lower bound on the signed distance of the contents of two boxes: the boxes' gap, or minus the least translation
// that separates them.
inline double least_distance(const BoxD2& a, const BoxD2& b) {
    const double x = std::max(a.low.x - b.high.x, b.low.x - a.high.x),
                 y = std::max(a.low.y - b.high.y, b.low.y - a.high.y);
    if (x > 0 && y > 0) return std::sqrt(x * x + y * y);
    return std::max(x, y);
}

// A body, or a part of one.
struct PlacedD {
    ShapeId shape;
    Vec2D position;
    RotD turn;
    const PartsGeometry* parts = nullptr;  // of chains and compounds

    PlacedD part(std::uint32_t i) const {
        const Part& one = parts->parts[i];
        const Vec2D at = {one.pose.position.x, one.pose.position.y};
        return {one.shape, position + turn * at, turn * RotD(one.pose.c, one.pose.s)};
    }
    std::uint32_t number(std::uint32_t i) const { return parts == nullptr ? 0 : parts->numbers[i]; }
    // Bounds in the axes of `frame`, relative to its position. Infinite for half-planes.
    BoxD2 bounds_in(const ShapeTables& tables, const PlacedD& frame) const;
};

inline PlacedD placed_body(const ShapeTables& tables, const Body& body, Vec2D position) {
    return {body.shape, position, RotD(body.rotation),
            is_of_parts(body.shape.kind()) ? &tables.parts(body.shape) : nullptr};
}

// A convex core with its corners in world axes, so that its centre is 0.
void place(const ShapeTables& tables, const PlacedD& shape, CoreD& out);

inline BoxD2 box_of(const CompoundNode& node, std::uint32_t i) {
    return {{node.low[0][i], node.low[1][i]}, {node.high[0][i], node.high[1][i]}};
}

inline BoxD2 PlacedD::bounds_in(const ShapeTables& tables, const PlacedD& frame) const {
    BoxD2 out;
    const auto local = [&](Vec2D in_body) { return frame.turn.unrotated(position + turn * in_body - frame.position); };
    if (shape.kind() == ShapeKind::halfplane) return {{-HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL}};
    if (parts != nullptr) {
        const CompoundNode& root = parts->nodes.back();
        BoxD2 all;
        for (std::uint32_t i = 0; i < root.count; ++i) all.add(box_of(root, i).low), all.add(box_of(root, i).high);
        for (const double x : {all.low.x, all.high.x})
            for (const double y : {all.low.y, all.high.y}) out.add(local({x, y}));
        return out;
    }
    CoreD core;
    core.load(tables, shape);
    for (std::int32_t i = 0; i < core.count; ++i) out.add(local(core.centre + core.corners[i]), core.radius);
    return out;
}

// Calls visit(part) for the parts whose `lower(box)` is at most `bound`; the parts of a node in ascending order of it.
// `visit` may reduce the bound.
template <class Lower, class Visit>
void walk_parts(const PartsGeometry& parts, const double& bound, Lower&& lower, Visit&& visit) {
    const auto descend = [&](const auto& self, const CompoundNode& node) -> void {
        std::array<std::pair<double, std::uint32_t>, CompoundNode::kWidth> near;
        std::uint32_t count = 0;
        for (std::uint32_t i = 0; i < node.count; ++i)
            if (const double least = lower(box_of(node, i)); least <= bound) near[count++] = {least, i};
        std::sort(near.begin(), near.begin() + count);
        for (std::uint32_t k = 0; k < count && near[k].first <= bound; ++k) {
            const std::uint32_t item = node.item[near[k].second];
            if ((item & CompoundNode::kInner) != 0)
                self(self, parts.nodes[item & ~CompoundNode::kInner]);
            else
                visit(item);
        }
    };
    descend(descend, parts.nodes.back());
}

// Visits parts by the distance of their bounds from a box in their frame.
template <class Visit>
void walk_near_parts(const PartsGeometry& parts, const BoxD2& box, const double& bound, Visit&& visit) {
    walk_parts(
        parts, bound, [&](const BoxD2& one) { return least_distance(one, box); }, visit);
}

}  // namespace abut::d2
