// The walk over the pairs of children of one pair of bodies, down the trees of bounds. The children of a mesh or a
// height field are its triangles.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include <abut/math.hpp>

#include "base/memory.hpp"
#include "base/tolerances.hpp"
#include "shapes/child_poses.hpp"
#include "shapes/compound_tree.hpp"
#include "shapes/surface_walk.hpp"
#include "surfaces/solids/solid.hpp"
#include "surfaces/triangles/probe.hpp"
#include "surfaces/triangles/triangle_contact.hpp"
#include "surfaces/walk/first_children.hpp"
#include "surfaces/walk/surface_memory.hpp"

namespace abut {

// The limit for lower bounds on signed distances: child pairs with a larger bound are farther apart than `reach`.
struct DistanceLimits {
    bool is_plane = false;
    float rounding = 0;  // of the surface

    float operator()(double reach) const { return deep_limit_of(is_plane, reach + rounding); }
};

// The walk over the child pairs of one pair: each child of the outer body descends the tree of the inner body. Of two
// compounds, the one with fewer children is the outer body; a surface is always the inner body.
class ChildWalk {
public:
    // `settles`: the caller decides contact_of for each visited pair, so the walk omits some tests.
    ChildWalk(const ShapeTables& tables, const Body& a, const Body& b, bool settles = false)
        : tables_(tables), a_is_outer_(has_fewer_children(tables, a, b)), settles_(settles) {
        const Body &outer = a_is_outer_ ? a : b, &inner = a_is_outer_ ? b : a;
        outer_ = outer.shape, inner_ = inner.shape;
        const double outer_size = tables.record(outer_).bound_radius, inner_size = tables.record(inner_).bound_radius;
        sizes_ = 2 * (outer_.kind() == ShapeKind::halfspace ? inner_size : outer_size + inner_size);
        has_surface_ = is_surface(inner_.kind());
        if (has_surface_) surface_ = surface_of(tables, inner_);
        outer_in_inner_ = seen_from(pose_of(inner), pose_of(outer));
        if (!has_surface_ || outer_.kind() == ShapeKind::halfspace) return;
        outer_centre_ = outer_in_inner_.position + outer_in_inner_.axes * centre_of_bounds(tables, outer_);
        is_solid_ = is_solid(surface_);
        if (is_solid_ && outer_.kind() != ShapeKind::compound) exit_ = find_exit(outer_centre_);
    }

    // True if the centre of a child (of its own bounds) is in the surface's solid.
    bool is_any_inside() const {
        if (!is_solid_) return false;
        return !over_children(0, [&](std::uint32_t, ShapeId shape, const PoseD& pose) {
            return exit_of(pose.position + pose.axes * local_box(tables_, shape).centre) == kNoTriangle;
        });
    }

    // Calls visit(child of a, child of b, probe) for pairs that may be within `reach`; for a child in the surface's
    // solid only once (Probe::is_inside). If visit returns false, stops and returns false. The reach may shrink
    // meanwhile.
    template <class Visit>
    bool operator()(const double& reach, Visit&& visit) const {
        return over_children(reach, [&](std::uint32_t outer, ShapeId shape, const PoseD& pose) {
            std::uint32_t exit;
            const Probe probe = probe_of_child(shape, pose, exit, !settles_);
            const auto visit_inner = [&](std::uint32_t inner) {
                return a_is_outer_ ? visit(outer, inner, probe) : visit(inner, outer, probe);
            };
            return probe.is_inside ? visit_inner(exit) : descend_inner(probe, reach, visit_inner);
        });
    }

    // For a surface: calls visit(child, triangle) for the triangles, seen from either side, that may be within `reach`
    // of a child, child by child. If visit returns false, stops and returns false.
    template <class Visit>
    bool around(double reach, Visit&& visit) const {
        const double wide = reach + surface_.rounding, slack = kReachSlack * sizes();
        return over_children(reach, [&](std::uint32_t child, ShapeId shape, const PoseD& pose) {
            const Probe probe = probe_of(tables_, shape, pose, false);
            return walk_triangles(probe, wide, [&](std::uint32_t triangle) {
                return !may_be_within(probe, corners_at(surface_, triangle), wide + slack) || visit(child, triangle);
            });
        });
    }
    // For a surface: true if the outer body may move by `room` while each triangle within `reach` stays in front of its
    // centre, or stays behind it.
    bool keeps_sides(double reach, double room) const {
        return outer_.kind() == ShapeKind::halfspace ||
               around(reach + room, [&](std::uint32_t child, std::uint32_t triangle) {
                   const SurfaceCorners corners = corners_at(surface_, triangle);
                   const maths::Vec3d centre = is_solid_ ? probe_of_child(child).box.centre : outer_centre_;
                   return std::fabs(dot(normal_of(corners), centre - corners[0])) > room;
               });
    }
    // As around(), but calls visit(child, triangle, probe) for those of `triangles` that the walk would visit.
    template <class Visit>
    bool over(const NearTriangles& triangles, double reach, Visit&& visit) const {
        Probe probe;
        for (std::uint32_t i = 0; i < triangles.count; ++i) {
            const auto [child, triangle] = triangles.at[i];
            if (i == 0 || child != triangles.at[i - 1].child) probe = probe_of_child(child);
            if (would_visit(probe, triangle, reach) && !visit(child, triangle, probe)) return false;
        }
        return true;
    }
    // For a surface: removes listed children that a walk within a shorter reach would not visit. Returns the number of
    // the remaining ones.
    std::uint32_t leave_out_far(double reach, OrderedChild* children, std::uint32_t count) const {
        Probe probe;
        std::uint32_t kept = 0;
        for (std::uint32_t i = 0, of = ~0u; i < count; ++i) {
            const OrderedChild& child = children[i];
            if (!child.is_inside && child.a != of) probe = probe_of_child(of = child.a);
            if (child.is_inside || would_visit(probe, child.b, reach)) children[kept++] = child;
        }
        return kept;
    }

    // As the walk, but for each child of the outer body in the order of bounds, the nearest first: visit(child of a,
    // child of b, bound, probe). Bounds are those of limits(); pairs whose bound exceeds limit() may be left out. The
    // reach may shrink meanwhile.
    template <class Limit, class Visit>
    bool nearest_first(const double& reach, const Limit& limit, Visit&& visit) const {
        return walk_nearest(reach, settles_ ? Tests::turned : Tests::all, limit,
                            [&](const Probe& probe, std::uint32_t outer, std::uint32_t inner, float bound) {
            return a_is_outer_ ? visit(outer, inner, bound, probe) : visit(inner, outer, bound, probe);
        });
    }
    DistanceLimits limits() const { return {outer_.kind() == ShapeKind::halfspace, surface_.rounding}; }

    // An upper bound on the signed distance of a visited child pair.
    double at_most(const Probe& probe, std::uint32_t a, std::uint32_t b) const {
        return at_most(probe, a_is_outer_ ? b : a);
    }

    // Shortens `reach`, by one triangle near each child, so that the nearest child pair of a surface is still within
    // it.
    double shortened(double reach) const {
        if (!has_surface_) return reach;
        over_children(reach, [&](std::uint32_t, ShapeId shape, const PoseD& pose) {
            std::uint32_t exit;
            const Probe probe = probe_of_child(shape, pose, exit, true);
            const std::uint32_t near = some_triangle_near(surface_, probe.box.centre);
            if (near != kNoTriangle && !probe.is_inside && is_on_side(probe, corners_at(surface_, near)))
                reach = maths::min(reach, at_most(probe, near));
            return true;
        });
        return reach;
    }
    // True if few triangles are within `reach`, judged by sizes: the reach is not most of a box about the outer body.
    bool is_short(double reach) const {
        return has_surface_ && reach >= 0 && reach < tables_.record(outer_).bound_radius;
    }

    // True if one of the first child pairs is certainly within `reach`, without the kernels.
    bool is_surely_within(double reach) const {
        std::uint32_t visits = 0;
        const double wide = reach + slack(reach);
        bool is_within = false;
        walk_nearest(
            wide, Tests::boxes, [&] { return limits()(wide); },
            [&](const Probe& probe, std::uint32_t, std::uint32_t inner, float) {
            is_within = at_most(probe, inner) <= reach;
            return !is_within && ++visits < kMostSeen;
            });
        return is_within;
    }

    // True only if a visited box and a triangle certainly overlap, without the kernels.
    bool is_surely_overlapping(const Probe& probe, std::uint32_t triangle) const {
        return has_surface_ && probe.shape.kind() == ShapeKind::box && !probe.is_inside &&
               probe.box_axes.surely_overlaps(corners_at(surface_, triangle));
    }

    // The contact of a child and a triangle, if it can be decided from these two alone, without the kernels; otherwise
    // `unknown`. `nowhere` if the two are farther apart than `reach`.
    TriangleContact contact_of(const Probe& probe, std::uint32_t triangle, double reach) const {
        if (probe.is_inside) return TriangleContact::inside;
        const double coordinate = max_abs(probe.box.centre) + tables_.record(probe.shape).bound_radius;
        return triangle_contact(tables_, probe, {surface_, probe.box.centre, front_centre(probe), coordinate}, triangle,
                                reach);
    }

    // A bound on the coordinates in either body's frame, apart from the distance of the bodies. A half-space counts as
    // large as its compound.
    double sizes() const { return sizes_; }

    // The error of bounds and distances near `distance`.
    double slack(double distance) const { return kReachSlack * (std::fabs(distance) + sizes()); }

private:
    static constexpr std::uint32_t kMostSeen = 64;
    static constexpr float kInsideBound = -3e38f;  // finite: after kBeforeAll

    // The tests that exclude children in walk_nearest. `boxes`: their boxes (in a compound, along its axes alone).
    // `turned`: also the box of the body in its own axes. `all`: also is_apart_from_middle.
    enum class Tests { boxes, turned, all };

    static bool has_fewer_children(const ShapeTables& tables, const Body& a, const Body& b) {
        return a.shape.kind() != ShapeKind::compound || is_surface(b.shape.kind()) ||
               tables.compound(a.shape).parts.size() <= tables.compound(b.shape).parts.size();
    }

    // An upper bound on the signed distance of a child pair.
    double at_most(const Probe& probe, std::uint32_t inner) const {
        const double distance = probe.is_inside ? 0
                                : has_surface_
                                    ? distance_at_most(tables_, probe, corners_at(surface_, inner), surface_.rounding)
                                    : distance_at_most(probe, tables_.compound(inner_).parts[inner]);
        return distance + slack(distance);
    }

    BoxD inner_bounds() const {
        if (!has_surface_)
            return {maths::to_double(tables_.compound(inner_).bounds_min),
                    maths::to_double(tables_.compound(inner_).bounds_max)};
        const BoxD core = bounds_of(surface_);
        const maths::Vec3d all_round = {surface_.rounding, surface_.rounding, surface_.rounding};
        return {core.low - all_round, core.high + all_round};
    }

    // Visits the inner body's children in any order.
    template <class Visit>
    bool descend_inner(const Probe& probe, const double& reach, Visit&& visit) const {
        if (!has_surface_) return descend(tables_.compound(inner_).nodes, probe.volume, reach, visit);
        return walk_triangles(probe, reach + surface_.rounding, [&](std::uint32_t triangle) {
            return !would_visit(probe, triangle, reach) || visit(triangle);
        });
    }

    // Visits all triangles whose boxes may be within `wide`. A walk by overlaps of boxes costs less, but near the
    // corners of a box that is mostly reach it meets many triangles.
    template <class Visit>
    bool walk_triangles(const Probe& probe, double wide, Visit&& visit) const {
        if (!probe.volume.is_plane() && wide >= 0 && wide < probe.size())
            return walk_within(surface_, probe.volume, wide, visit);
        const Volume volume = widened(surface_, probe.volume);
        const float limit = deep_limit_of(volume.is_plane(), wide);
        return walk_boxes(
            surface_, [=] { return limit; },
            [&](const SixteenBoxes& boxes, float* bounds) { deep_bounds(boxes, volume, bounds, limit); }, visit);
    }

    // Calls visit(probe, outer child, inner child, bound). The reach may shrink meanwhile.
    template <class Limit, class Visit>
    bool walk_nearest(const double& reach, Tests tests, const Limit& limit, Visit&& visit) const {
        const double slack = kReachSlack * sizes();
        return over_children(reach, [&](std::uint32_t outer, ShapeId shape, const PoseD& pose) {
            std::uint32_t exit;
            const Probe probe = probe_of_child(shape, pose, exit, true);
            if (probe.is_inside) return visit(probe, outer, exit, kInsideBound);
            Volume volume = has_surface_ ? widened(surface_, probe.volume) : probe.volume;
            const bool is_turned = has_surface_ || tests != Tests::boxes;
            if (volume.kind == Volume::Kind::turned_box && !is_turned) volume.kind = Volume::Kind::box;
            const auto bounds_of = [&](const SixteenBoxes& boxes, float* bounds) {
                deep_bounds(boxes, volume, bounds, limit());
            };
            const auto visit_inner = [&](std::uint32_t inner, float bound) {
                return visit(probe, outer, inner, bound);
            };
            if (!has_surface_) return descend(tables_.compound(inner_).nodes, limit, bounds_of, visit_inner);
            return walk_bounds(surface_, limit, bounds_of, [&](std::uint32_t triangle, float bound) {
                const double wide = reach + surface_.rounding + slack;
                return !takes_part(probe, corners_at(surface_, triangle), wide, tests == Tests::all) ||
                       visit_inner(triangle, bound);
            });
        });
    }

    bool would_visit(const Probe& probe, std::uint32_t triangle, double reach) const {
        return takes_part(probe, corners_at(surface_, triangle), reach + surface_.rounding + kReachSlack * sizes(),
                          !settles_);
    }

    // True if the body is in front of the triangle, or if both sides count.
    bool is_on_side(const Probe& probe, const SurfaceCorners& corners) const {
        return surface_.sides() != MeshSides::front || probe.volume.is_plane() ||
               is_in_front(front_centre(probe), corners);
    }

    // As is_on_side, and the triangle may be within `wide`. The test by the middle does not pay if the reach shrinks
    // meanwhile, or if contact_of makes that test.
    bool takes_part(const Probe& probe, const SurfaceCorners& corners, double wide, bool tests_middle) const {
        return is_on_side(probe, corners) && may_be_within(probe, corners, wide, settles_) &&
               !(tests_middle && is_apart_from_middle(tables_, probe, corners, wide));
    }

    // The centre that must be in front of a triangle of a one-sided surface: the child's for a solid, because the
    // children of a compound may be on different sides of its surface.
    const maths::Vec3d& front_centre(const Probe& probe) const { return is_solid_ ? probe.box.centre : outer_centre_; }

    // The triangle through which a child leaves the solid; kNoTriangle if its centre is not inside.
    std::uint32_t find_exit(const maths::Vec3d& centre) const {
        return is_inside(surface_, centre) ? nearest_triangle(surface_, centre) : kNoTriangle;
    }
    std::uint32_t exit_of(const maths::Vec3d& centre) const {
        return outer_.kind() == ShapeKind::compound ? find_exit(centre) : exit_;
    }

    // The probe of a child, and the triangle through which the child leaves the solid, if it is inside.
    Probe probe_of_child(ShapeId shape, const PoseD& pose, std::uint32_t& exit, bool wants_ball = false) const {
        Probe probe = probe_of(tables_, shape, pose, wants_ball);
        exit = is_solid_ ? exit_of(probe.box.centre) : kNoTriangle;
        probe.is_inside = exit != kNoTriangle;
        return probe;
    }

    Probe probe_of_child(std::uint32_t child) const {
        if (outer_.kind() != ShapeKind::compound) return probe_of(tables_, outer_, outer_in_inner_, false);
        const CompoundPart& part = tables_.compound(outer_).parts[child];
        return probe_of(tables_, part.instance, moved(outer_in_inner_, part), false);
    }

    // Calls visit(child, its shape, its pose in the inner frame) for the outer body's children that may be within
    // `reach` of the inner body. If visit returns false, stops and returns false.
    template <class Visit>
    bool over_children(const double& reach, Visit&& visit) const {
        if (outer_.kind() != ShapeKind::compound) return visit(0, outer_, outer_in_inner_);
        const CompoundGeometry& outer = tables_.compound(outer_);
        const BoxD inner = inner_bounds();
        const maths::Mat3 back = maths::transposed(outer_in_inner_.axes);
        const PoseD inner_in_outer = {back, -(back * outer_in_inner_.position)};
        Volume whole = box_volume(
            loose_bounds({(inner.low + inner.high) * 0.5, (inner.high - inner.low) * 0.5, 0}, inner_in_outer));
        // The solid below a height field may have any thickness.
        if (is_solid_ && surface_.field != nullptr)
            for (int axis = 0; axis < 3; ++axis) whole.low[axis] = -HUGE_VALF, whole.high[axis] = HUGE_VALF;
        return descend(outer.nodes, whole, reach, [&](std::uint32_t child) {
            const CompoundPart& part = outer.parts[child];
            return visit(child, part.instance, moved(outer_in_inner_, part));
        });
    }

    const ShapeTables& tables_;
    bool a_is_outer_, settles_;
    ShapeId outer_, inner_;
    double sizes_;
    PoseD outer_in_inner_;
    maths::Vec3d outer_centre_{};  // of the outer body's bounds, in the inner frame, if the inner body is a surface
    Surface surface_;              // set if the inner body is a surface
    bool has_surface_ = false;
    bool is_solid_ = false;             // the surface bounds a solid, and the outer body has a centre
    std::uint32_t exit_ = kNoTriangle;  // of a convex outer body
};

}  // namespace abut
