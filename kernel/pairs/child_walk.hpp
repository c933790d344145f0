// The walk over the pairs of children of one pair of bodies, down the trees of bounds, and what is known of such a pair before it is computed.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "host/memory.hpp"
#include "pairs/child_poses.hpp"
#include "shapes/compound_tree.hpp"
#include "shapes/inner_ball.hpp"
#include "tolerances.hpp"

namespace abut {

// A convex shape in the frame of the compound that it is held against: where to look, and a ball for bounds from above.
struct Probe {
    Volume volume;
    InnerBall ball{};
    exact::Vec3d normal{};  // of a plane: unit
    double offset = 0;
};

inline Probe probe_of(const ShapeTables& tables, ShapeId shape, const PoseD& pose, bool wants_ball) {
    Probe probe;
    if (shape.kind() == ShapeKind::halfspace) {
        const InstanceRecord& r = tables.record(shape);
        const exact::Vec3d normal = pose.axes * exact::Vec3d{r.extent_x, r.extent_y, r.extent_z};
        probe.normal = exact::unit(normal);
        probe.offset = offset_of(r) / exact::norm(normal) + r.radius + exact::dot(probe.normal, pose.position);
        const Vec3 n = finite_float(probe.normal);
        probe.volume = {.is_plane = true, .normal = {n.x, n.y, n.z}, .offset = static_cast<float>(probe.offset)};
        return probe;
    }
    probe.volume = box_volume(loose_bounds(local_box(tables, shape), pose));
    if (!wants_ball) return probe;
    probe.ball = inner_ball(tables, shape);
    probe.ball.centre = pose.position + pose.axes * probe.ball.centre;
    return probe;
}

// No child is farther than this along the normal that parts them best.
inline double distance_at_most(const Probe& probe, const CompoundPart& part) {
    if (probe.volume.is_plane) return exact::dot(probe.normal, part.centre) - part.inner_radius - probe.offset;
    return exact::norm(part.centre - probe.ball.centre) - part.inner_radius - probe.ball.radius;
}

// A child's box in its compound's frame.
struct ChildBox {
    float low[3], high[3];
};

// Of anything in `volume` and anything in `box`. Where boxes overlap, the least way out along an axis: no shapes in them are deeper.
inline float signed_bound(const Volume& volume, const ChildBox& box) {
    if (volume.is_plane) {
        double level = 0;
        for (int axis = 0; axis < 3; ++axis) level += double(volume.normal[axis]) * (volume.normal[axis] > 0 ? box.low[axis] : box.high[axis]);
        return static_cast<float>(level - volume.offset);
    }
    double most = -INFINITY, squared = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double gap = exact::most(double(box.low[axis]) - volume.high[axis], double(volume.low[axis]) - box.high[axis]);
        most = exact::most(most, gap);
        if (gap > 0) squared += gap * gap;
    }
    return static_cast<float>(most > 0 ? std::sqrt(squared) : most);
}

// The walk over one pair's child pairs: the children of one body, one by one, down the tree of the other. Of two compounds that with fewer
// children is the former.
class ChildWalk {
public:
    ChildWalk(const ShapeTables& tables, const Body& a, const Body& b) : tables_(tables), a_is_outer_(has_fewer_children(tables, a, b)) {
        const Body &outer = a_is_outer_ ? a : b, &inner = a_is_outer_ ? b : a;
        outer_ = outer.shape, inner_ = inner.shape;
        outer_in_inner_ = seen_from(pose_of(inner), pose_of(outer));
    }

    // Calls visit(child of a, child of b) where their distance may be within `reach`, until it returns false: then so does this.
    template <class Visit>
    bool operator()(double reach, Visit&& visit) const {
        return walk(reach, false,
                    [&](const Probe&, std::uint32_t outer, std::uint32_t inner) { return a_is_outer_ ? visit(outer, inner) : visit(inner, outer); });
    }

    // The same with a lower bound on their signed distance: visit(child of a, child of b, bound). `boxes` are inner_boxes().
    template <class Visit>
    bool with_bounds(double reach, std::span<const ChildBox> boxes, Visit&& visit) const {
        return walk(reach, false, [&](const Probe& probe, std::uint32_t outer, std::uint32_t inner) {
            const float bound = signed_bound(probe.volume, boxes[inner]);
            return a_is_outer_ ? visit(outer, inner, bound) : visit(inner, outer, bound);
        });
    }

    // The boxes of the children that are walked down to, in their order.
    void inner_boxes(Vector<ChildBox>& boxes) const {
        const CompoundGeometry& compound = tables_.compound(inner_);
        boxes.resize(compound.parts.size());
        for (const CompoundNode& node : compound.nodes)
            for (std::uint32_t lane = 0; lane < node.count; ++lane) {
                if ((node.item[lane] & CompoundNode::kInner) != 0) continue;
                ChildBox& box = boxes[node.item[lane]];
                for (int axis = 0; axis < 3; ++axis) box.low[axis] = node.low[axis][lane], box.high[axis] = node.high[axis][lane];
            }
    }

    // `reach`, or less where no child pair beyond that can be the nearest. Any number of child pairs gives a right answer, more a shorter one.
    double shortened(double reach) const {
        const CompoundGeometry& compound = tables_.compound(inner_);
        std::uint32_t visits = 0;
        walk(reach, true, [&](const Probe& probe, std::uint32_t, std::uint32_t inner) {
            const double at_most = distance_at_most(probe, compound.parts[inner]);
            reach = exact::least(reach, at_most + slack(at_most));
            return ++visits < kMostShortening;
        });
        return reach;
    }

    // The widest that coordinates in either's frame can be but for the distance between them. A half-space has its compound's.
    double sizes() const {
        const double outer = tables_.record(outer_).bound_radius, inner = tables_.record(inner_).bound_radius;
        return 2 * (outer_.kind() == ShapeKind::halfspace ? inner : outer + inner);
    }

    // What bounds and distances near `distance` may err by.
    double slack(double distance) const { return kReachSlack * (std::fabs(distance) + sizes()); }

private:
    static constexpr std::uint32_t kMostShortening = 1u << 22;

    static bool has_fewer_children(const ShapeTables& tables, const Body& a, const Body& b) {
        return a.shape.kind() != ShapeKind::compound || tables.compound(a.shape).parts.size() <= tables.compound(b.shape).parts.size();
    }

    template <class Visit>
    bool walk(const double& reach, bool wants_ball, Visit&& visit) const {
        const CompoundGeometry& inner = tables_.compound(inner_);
        const auto against = [&](std::uint32_t child, ShapeId shape, const PoseD& pose) {
            const Probe probe = probe_of(tables_, shape, pose, wants_ball);
            return descend(inner.nodes, probe.volume, reach, [&](std::uint32_t other) { return visit(probe, child, other); });
        };
        if (outer_.kind() != ShapeKind::compound) return against(0, outer_, outer_in_inner_);
        const CompoundGeometry& outer = tables_.compound(outer_);
        const exact::Vec3d low = exact::to_double(inner.bounds_min), high = exact::to_double(inner.bounds_max);
        const exact::Mat3 back = exact::transposed(outer_in_inner_.axes);
        const PoseD inner_in_outer = {back, -(back * outer_in_inner_.position)};
        const Volume whole = box_volume(loose_bounds({(low + high) * 0.5, (high - low) * 0.5, 0}, inner_in_outer));
        return descend(outer.nodes, whole, reach, [&](std::uint32_t child) {
            const CompoundPart& part = outer.parts[child];
            return against(child, part.instance, moved(outer_in_inner_, part));
        });
    }

    const ShapeTables& tables_;
    bool a_is_outer_;
    ShapeId outer_, inner_;
    PoseD outer_in_inner_;
};

}  // namespace abut
