// Bounds on the distance of two children, one of them convex, without the kernels: from boxes, inner balls and axes of
// triangles.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/tolerances.hpp"
#include "convex/exact/exact_core.hpp"
#include "shapes/child_poses.hpp"
#include "shapes/compound_tree.hpp"
#include "shapes/inner_ball.hpp"
#include "shapes/surface_walk.hpp"
#include "surfaces/triangles/box_triangle.hpp"

namespace abut {

// A convex shape in the frame of the compound or surface against which it is tested: the volume to search, its box, and
// a ball for upper bounds.
struct Probe {
    ShapeId shape;
    maths::Vec3d position{};  // of its origin
    Volume volume;
    LocalBox box{};  // its centre in that frame, its half extents along `axes`
    maths::Mat3 axes{};
    BoxAxes box_axes;
    InnerBall ball{};
    maths::Vec3d normal{};  // of a plane: unit
    double offset = 0;
    bool is_inside = false;  // its centre is in the surface's solid: only the triangle through which it leaves matters

    double size() const { return maths::max_abs(box.half) + box.radius; }
};

inline Probe probe_of(const ShapeTables& tables, ShapeId shape, const PoseD& pose, bool wants_ball) {
    Probe probe;
    probe.shape = shape;
    probe.position = pose.position;
    if (shape.kind() == ShapeKind::halfspace) {
        const InstanceRecord& r = tables.record(shape);
        const maths::Vec3d normal = pose.axes * maths::Vec3d{r.extent_x, r.extent_y, r.extent_z};
        probe.normal = maths::unit(normal);
        probe.offset = offset_of(r) / maths::norm(normal) + r.radius + maths::dot(probe.normal, pose.position);
        const Vec3 n = finite_float(probe.normal);
        probe.volume = {
            .kind = Volume::Kind::plane, .normal = {n.x, n.y, n.z}, .offset = static_cast<float>(probe.offset)};
        return probe;
    }
    probe.box = local_box(tables, shape);
    probe.axes = pose.axes;
    const BoxD bounds = loose_bounds(probe.box, pose);
    const maths::Vec3d wide = probe.box.half + maths::Vec3d{1, 1, 1} * probe.box.radius;
    probe.box.centre = pose.position + pose.axes * probe.box.centre;
    probe.volume = maths::is_zero(probe.box.half) ? ball_volume(bounds, probe.box.centre, probe.box.radius)
                                                  : turned_volume(bounds, probe.box.centre, pose.axes, wide);
    probe.box_axes = BoxAxes(probe.box.centre, probe.box.half, probe.axes);
    if (!wants_ball) return probe;
    probe.ball = inner_ball(tables, shape);
    probe.ball.centre = pose.position + pose.axes * probe.ball.centre;
    return probe;
}

// A convex shape of a known kind without its radius, and its farthest point along a direction (not zero), about its own
// origin.
inline exact::Core core_of(const ShapeTables& tables, ShapeId id) {
    const InstanceRecord& r = tables.record(id);
    return {id.kind(),
            {r.extent_x, r.extent_y, r.extent_z},
            id.kind() == ShapeKind::hull ? &tables.hulls[r.geometry] : nullptr};
}
inline maths::Vec3d farthest_point(const exact::Core& core, const maths::Vec3d& direction) {
    const maths::Vec3d about_centre = core_support(core, direction);
    return core.hull != nullptr ? about_centre + maths::times(core.half, maths::to_double(core.hull->centre))
                                : about_centre;
}

// An upper bound on the signed distance of a child.
inline double distance_at_most(const Probe& probe, const CompoundPart& part) {
    if (probe.volume.is_plane()) return maths::dot(probe.normal, part.centre) - part.inner_radius - probe.offset;
    return maths::norm(part.centre - probe.ball.centre) - part.inner_radius - probe.ball.radius;
}

// A point p minus the nearest point of a triangle [Ericson 2005, 5.1.5]. The nearest point is in the face or on an edge
// beyond which p lies.
inline maths::Vec3d offset_from(const SurfaceCorners& corners, const maths::Vec3d& p) {
    const maths::Vec3d a = corners[0], ab = corners[1] - a, ac = corners[2] - a;
    const maths::Vec3d area = maths::cross(ab, ac), ap = p - a;
    const double whole = maths::dot(area, area), v = maths::dot(maths::cross(ap, ac), area),
                 w = maths::dot(maths::cross(ab, ap), area);
    const bool is_flat = !(whole > 0), past_ab = is_flat || w < 0, past_ac = is_flat || v < 0,
               past_bc = is_flat || v + w > whole;
    if (!past_ab && !past_ac && !past_bc) return area * (maths::dot(ap, area) / whole);
    maths::Vec3d shortest{};
    double least = INFINITY;
    const auto try_edge = [&](const maths::Vec3d& from, const maths::Vec3d& edge) {
        const double squared = maths::dot(edge, edge), along = maths::dot(from, edge);
        const maths::Vec3d left = from - edge * (squared > 0 ? maths::max(0, maths::min(1, along / squared)) : 0);
        if (const double length = maths::dot(left, left); length < least) least = length, shortest = left;
    };
    if (past_ab) try_edge(ap, ab);
    if (past_ac) try_edge(ap, ac);
    if (past_bc) try_edge(ap - ab, ac - ab);
    return shortest;
}
inline double distance_to(const maths::Vec3d& p, const SurfaceCorners& corners) {
    return maths::norm(offset_from(corners, p));
}

// True if a point may be within `reach` of a triangle: of the triangle's plane, and of the lines of the edges beyond
// which the point lies.
inline bool may_be_near_point(const maths::Vec3d& p, const SurfaceCorners& corners, double reach) {
    if (reach < 0) return false;
    const maths::Vec3d v[3] = {corners[0] - p, corners[1] - p, corners[2] - p};
    const maths::Vec3d edges[3] = {v[1] - v[0], v[2] - v[1], v[0] - v[2]}, area = maths::cross(edges[0], edges[1]);
    const double whole = maths::dot(area, area), height = maths::dot(area, v[0]),
                 room = reach * reach * whole - height * height;
    if (room < 0) return false;
    for (int k = 0; k < 3; ++k) {
        const double past =
            maths::dot(maths::cross(edges[k], area), v[k]);  // negative beyond the edge: its distance * length * area
        if (past < 0 && past * past > room * maths::dot(edges[k], edges[k])) return false;
    }
    return true;
}

// True if an axis of this length separates two projections with this gap by more than `reach`.
inline bool parts_by_more(double gap, double norm_squared, double reach) {
    return (gap > 0 || reach < 0) && gap > reach * std::sqrt(norm_squared);
}

// True if a triangle may be within `reach` of the shape, by the axes of the shape's box and of the triangle; for a
// sphere by its distance, or by a bound if `is_asked_again`. Always true for a half-space.
inline bool may_be_within(const Probe& probe, const SurfaceCorners& corners, double reach,
                          bool is_asked_again = false) {
    if (probe.volume.is_plane()) return true;
    const double wide = reach + probe.box.radius;
    // The bound is tested first, because few triangles pass it.
    if (maths::is_zero(probe.box.half))
        return may_be_near_point(probe.box.centre, corners, wide) &&
               (is_asked_again || !(distance_to(probe.box.centre, corners) > wide));
    return probe.box_axes.may_be_near(corners, wide);
}

// True if the shape is more than `reach` from the triangle along the direction from the triangle to the shape's middle,
// or to a capsule's axis. False for boxes and spheres, which may_be_within has decided.
inline bool is_apart_from_middle(const ShapeTables& tables, const Probe& probe, const SurfaceCorners& corners,
                                 double reach) {
    const ShapeKind kind = probe.shape.kind();
    if (kind == ShapeKind::halfspace || kind == ShapeKind::box || kind == ShapeKind::sphere) return false;
    maths::Vec3d direction = offset_from(corners, probe.box.centre);
    if (kind == ShapeKind::capsule) {
        const maths::Vec3d axis = maths::transposed(probe.axes).row_y;
        const double half = probe.box.half.y, along = maths::max(-half, maths::min(half, -maths::dot(direction, axis)));
        direction = offset_from(corners, probe.box.centre + axis * along);
    }
    const double least = least_along(tables, probe.shape, maths::transposed_times(probe.axes, direction)) +
                         maths::dot(direction, probe.position);
    return parts_by_more(least - corners.highest(direction), maths::dot(direction, direction),
                         reach + probe.box.radius);
}

// The depth of a point in a box; negative outside.
inline double depth_in_box(const Probe& probe, const maths::Vec3d& point) {
    const maths::Vec3d at = maths::transposed_times(probe.axes, point - probe.box.centre), half = probe.box.half;
    return maths::min(half.x - std::fabs(at.x), maths::min(half.y - std::fabs(at.y), half.z - std::fabs(at.z)));
}

// An upper bound on the signed distance of a triangle swept by `rounding`: from the ball, from the depths of points of
// the triangle in a box, and from the shape's point nearest to the triangle's plane.
inline double distance_at_most(const ShapeTables& tables, const Probe& probe, const SurfaceCorners& corners,
                               float rounding) {
    if (!probe.volume.is_plane()) {
        const maths::Vec3d offset = offset_from(corners, probe.ball.centre);
        double distance = maths::norm(offset) - probe.ball.radius;
        if (probe.shape.kind() == ShapeKind::box && distance < probe.size())
            for (const maths::Vec3d& point : {probe.ball.centre - offset, corners[0], corners[1], corners[2]})
                if (const double depth = depth_in_box(probe, point); depth > 0)
                    distance = maths::min(distance, -depth - probe.box.radius);
        if (maths::is_zero(probe.box.half)) return distance - rounding;  // the shape is a sphere
        const maths::Vec3d area = corners.area(), towards = is_in_front(probe.box.centre, corners) ? -area : area;
        if (has_known_core(probe.shape.kind()) && !maths::is_zero(area)) {
            const maths::Vec3d point =
                farthest_point(core_of(tables, probe.shape), maths::transposed_times(probe.axes, towards));
            distance =
                maths::min(distance, distance_to(probe.position + probe.axes * point, corners) - probe.box.radius);
        }
        return distance - rounding;
    }
    return -corners.highest(-probe.normal) - rounding - probe.offset;
}

}  // namespace abut
