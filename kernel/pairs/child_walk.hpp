// The walk over the pairs of children of one pair of bodies, down the trees of bounds, and what is known of such a pair before it is computed. The
// children of a mesh or a height field are its triangles.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "host/memory.hpp"
#include "pairs/child_poses.hpp"
#include "shapes/compound_tree.hpp"
#include "shapes/inner_ball.hpp"
#include "shapes/surface_walk.hpp"
#include "tolerances.hpp"

namespace abut {

// A convex shape in the frame of the compound or surface that it is held against: where to look, its box, and a ball for bounds from above.
struct Probe {
    Volume volume;
    LocalBox box{};  // its centre in that frame, its half extents along `axes`
    exact::Mat3 axes{};
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
    probe.box = local_box(tables, shape);
    probe.axes = pose.axes;
    probe.volume = box_volume(loose_bounds(probe.box, pose));
    probe.box.centre = pose.position + pose.axes * probe.box.centre;
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

inline ChildBox box_of(const SurfaceCorners& corners, float rounding) {
    ChildBox box;
    const auto side = [&](int axis, float a, float b, float c) {
        box.low[axis] = (a < b ? (a < c ? a : c) : b < c ? b : c) - rounding;
        box.high[axis] = (a > b ? (a > c ? a : c) : b > c ? b : c) + rounding;
    };
    const Vec3(&v)[3] = corners.at;
    side(0, v[0].x, v[1].x, v[2].x), side(1, v[0].y, v[1].y, v[2].y), side(2, v[0].z, v[1].z, v[2].z);
    return box;
}

// Whether a triangle takes part against a convex shape: of a one-sided surface those do whose plane has the centre of its body's bounds in front of it
// or on it; a half-space has no centre and meets all. And whether it may be within `reach`, as the shape's box says along the triangle's normal.
inline bool takes_part(const Probe& probe, const exact::Vec3d& body_centre, const SurfaceCorners& corners, MeshSides sides, double reach) {
    if (probe.volume.is_plane) return true;
    const exact::Vec3d a = exact::to_double(corners.at[0]), b = exact::to_double(corners.at[1]), c = exact::to_double(corners.at[2]);
    const exact::Vec3d area = exact::cross(b - a, c - a);
    if (sides == MeshSides::front && !(exact::dot(area, body_centre - a) >= 0)) return false;
    const double height = exact::dot(area, probe.box.centre - a);
    const double across = exact::dot(absolute(exact::transposed_times(probe.axes, area)), probe.box.half);
    return std::fabs(height) - across <= (reach + probe.box.radius) * exact::norm(area) * (1 + kReachSlack);
}

// From a point to a triangle [Ericson 2005, 5.1.5].
inline double distance_to(const exact::Vec3d& p, const SurfaceCorners& corners) {
    const exact::Vec3d a = exact::to_double(corners.at[0]), ab = exact::to_double(corners.at[1]) - a, ac = exact::to_double(corners.at[2]) - a;
    const auto to_segment = [&](const exact::Vec3d& from, const exact::Vec3d& way) {
        const double squared = exact::dot(way, way), along = exact::dot(p - from, way);
        const double t = squared > 0 ? exact::most(0, exact::least(1, along / squared)) : 0;
        return exact::norm(p - (from + way * t));
    };
    const exact::Vec3d area = exact::cross(ab, ac), ap = p - a;
    const double whole = exact::dot(area, area), v = exact::dot(exact::cross(ap, ac), area), w = exact::dot(exact::cross(ab, ap), area);
    if (whole > 0 && v >= 0 && w >= 0 && v + w <= whole) return std::fabs(exact::dot(ap, area)) / std::sqrt(whole);
    return exact::least(to_segment(a, ab), exact::least(to_segment(a, ac), to_segment(a + ab, ac - ab)));
}

// No triangle, swept by `rounding`, is farther than this along the normal that parts them best.
inline double distance_at_most(const Probe& probe, const SurfaceCorners& corners, float rounding) {
    if (!probe.volume.is_plane) return distance_to(probe.ball.centre, corners) - rounding - probe.ball.radius;
    double least = INFINITY;
    for (const Vec3& v : corners.at) least = exact::least(least, exact::dot(probe.normal, exact::to_double(v)));
    return least - rounding - probe.offset;
}

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
// children is the former; a surface is always the latter.
class ChildWalk {
public:
    ChildWalk(const ShapeTables& tables, const Body& a, const Body& b) : tables_(tables), a_is_outer_(has_fewer_children(tables, a, b)) {
        const Body &outer = a_is_outer_ ? a : b, &inner = a_is_outer_ ? b : a;
        outer_ = outer.shape, inner_ = inner.shape;
        has_surface_ = is_surface(inner_.kind());
        if (has_surface_) surface_ = surface_of(tables, inner_);
        outer_in_inner_ = seen_from(pose_of(inner), pose_of(outer));
        if (has_surface_ && outer_.kind() != ShapeKind::halfspace)
            outer_centre_ = outer_in_inner_.position + outer_in_inner_.axes * centre_of_bounds(tables, outer_);
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
            const float bound = signed_bound(probe.volume, has_surface_ ? box_of(corners_at(surface_, inner), surface_.rounding) : boxes[inner]);
            return a_is_outer_ ? visit(outer, inner, bound) : visit(inner, outer, bound);
        });
    }

    // The boxes of a compound's children that are walked down to, in their order. Those of triangles are made when they are asked for.
    void inner_boxes(Vector<ChildBox>& boxes) const {
        if (has_surface_) return;
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
        std::uint32_t visits = 0;
        walk(reach, true, [&](const Probe& probe, std::uint32_t, std::uint32_t inner) {
            const double at_most = has_surface_ ? distance_at_most(probe, corners_at(surface_, inner), surface_.rounding)
                                                : distance_at_most(probe, tables_.compound(inner_).parts[inner]);
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
        return a.shape.kind() != ShapeKind::compound || is_surface(b.shape.kind()) ||
               tables.compound(a.shape).parts.size() <= tables.compound(b.shape).parts.size();
    }

    BoxD inner_bounds() const {
        if (!has_surface_) return {exact::to_double(tables_.compound(inner_).bounds_min), exact::to_double(tables_.compound(inner_).bounds_max)};
        const BoxD core = bounds_of(surface_);
        const exact::Vec3d all_round = {surface_.rounding, surface_.rounding, surface_.rounding};
        return {core.low - all_round, core.high + all_round};
    }

    // Down the inner body's tree.
    template <class Visit>
    bool descend_inner(const Probe& probe, const double& reach, Visit&& visit) const {
        if (!has_surface_) return descend(tables_.compound(inner_).nodes, probe.volume, reach, visit);
        double wide = reach + surface_.rounding;
        return abut::walk(surface_, probe.volume, wide, [&](std::uint32_t triangle) {
            const double slack = kReachSlack * sizes();
            if (!takes_part(probe, outer_centre_, corners_at(surface_, triangle), surface_.sides(), wide + slack)) return true;
            const bool goes_on = visit(triangle);
            wide = reach + surface_.rounding;
            return goes_on;
        });
    }

    template <class Visit>
    bool walk(const double& reach, bool wants_ball, Visit&& visit) const {
        const auto against = [&](std::uint32_t child, ShapeId shape, const PoseD& pose) {
            const Probe probe = probe_of(tables_, shape, pose, wants_ball);
            return descend_inner(probe, reach, [&](std::uint32_t other) { return visit(probe, child, other); });
        };
        if (outer_.kind() != ShapeKind::compound) return against(0, outer_, outer_in_inner_);
        const CompoundGeometry& outer = tables_.compound(outer_);
        const BoxD inner = inner_bounds();
        const exact::Mat3 back = exact::transposed(outer_in_inner_.axes);
        const PoseD inner_in_outer = {back, -(back * outer_in_inner_.position)};
        const Volume whole = box_volume(loose_bounds({(inner.low + inner.high) * 0.5, (inner.high - inner.low) * 0.5, 0}, inner_in_outer));
        return descend(outer.nodes, whole, reach, [&](std::uint32_t child) {
            const CompoundPart& part = outer.parts[child];
            return against(child, part.instance, moved(outer_in_inner_, part));
        });
    }

    const ShapeTables& tables_;
    bool a_is_outer_;
    ShapeId outer_, inner_;
    PoseD outer_in_inner_;
    exact::Vec3d outer_centre_{};  // of its bounds, in the inner frame, where that is a surface
    Surface surface_;  // the inner body, where it is one
    bool has_surface_ = false;
};

}  // namespace abut
