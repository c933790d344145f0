// Bounds of the distance of two children, one of them convex, before it is computed: from boxes, inner balls and axes
// of triangles.
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
    exact::Vec3d position{};  // of its origin
    Volume volume;
    LocalBox box{};  // its centre in that frame, its half extents along `axes`
    exact::Mat3 axes{};
    BoxAxes box_axes;
    InnerBall ball{};
    exact::Vec3d normal{};  // of a plane: unit
    double offset = 0;
};

inline Probe probe_of(const ShapeTables& tables, ShapeId shape, const PoseD& pose, bool wants_ball) {
    Probe probe;
    probe.shape = shape;
    probe.position = pose.position;
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
inline exact::Vec3d farthest_point(const exact::Core& core, const exact::Vec3d& direction) {
    const exact::Vec3d about_centre = core_support(core, direction);
    return core.hull != nullptr ? about_centre + exact::times(core.half, exact::to_double(core.hull->centre))
                                : about_centre;
}

// An upper bound on the signed distance of a child.
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
    const auto extent_along = [&](int axis, float a, float b, float c) {
        box.low[axis] = (a < b ? (a < c ? a : c) : b < c ? b : c) - rounding;
        box.high[axis] = (a > b ? (a > c ? a : c) : b > c ? b : c) + rounding;
    };
    const Vec3(&v)[3] = corners.at;
    extent_along(0, v[0].x, v[1].x, v[2].x), extent_along(1, v[0].y, v[1].y, v[2].y),
        extent_along(2, v[0].z, v[1].z, v[2].z);
    return box;
}

// Triangles of a one-sided surface take part if the centre of the body's bounds is in front of their plane or on it.
inline bool is_in_front(const exact::Vec3d& centre, const SurfaceCorners& corners) {
    const exact::Vec3d a = exact::to_double(corners.at[0]), b = exact::to_double(corners.at[1]),
                       c = exact::to_double(corners.at[2]);
    return exact::dot(exact::cross(b - a, c - a), centre - a) >= 0;
}

// The offset of a point from the nearest point of a triangle [Ericson 2005, 5.1.5], which is in the face or on an edge
// that the point is beyond.
inline exact::Vec3d offset_from(const SurfaceCorners& corners, const exact::Vec3d& p) {
    const exact::Vec3d a = exact::to_double(corners.at[0]), ab = exact::to_double(corners.at[1]) - a,
                       ac = exact::to_double(corners.at[2]) - a;
    const exact::Vec3d area = exact::cross(ab, ac), ap = p - a;
    const double whole = exact::dot(area, area), v = exact::dot(exact::cross(ap, ac), area),
                 w = exact::dot(exact::cross(ab, ap), area);
    const bool is_flat = !(whole > 0), past_ab = is_flat || w < 0, past_ac = is_flat || v < 0,
               past_bc = is_flat || v + w > whole;
    if (!past_ab && !past_ac && !past_bc) return area * (exact::dot(ap, area) / whole);
    exact::Vec3d shortest{};
    double least = INFINITY;
    const auto try_edge = [&](const exact::Vec3d& from, const exact::Vec3d& edge) {
        const double squared = exact::dot(edge, edge), along = exact::dot(from, edge);
        const exact::Vec3d left = from - edge * (squared > 0 ? exact::most(0, exact::least(1, along / squared)) : 0);
        if (const double length = exact::dot(left, left); length < least) least = length, shortest = left;
    };
    if (past_ab) try_edge(ap, ab);
    if (past_ac) try_edge(ap, ac);
    if (past_bc) try_edge(ap - ab, ac - ab);
    return shortest;
}
inline double distance_to(const exact::Vec3d& p, const SurfaceCorners& corners) {
    return exact::norm(offset_from(corners, p));
}

// True if a point may be within `reach` of a triangle: of its plane, and of the lines of the sides beyond which it
// lies.
inline bool may_be_near_point(const exact::Vec3d& p, const SurfaceCorners& corners, double reach) {
    if (reach < 0) return false;
    const exact::Vec3d v[3] = {exact::to_double(corners.at[0]) - p, exact::to_double(corners.at[1]) - p,
                               exact::to_double(corners.at[2]) - p};
    const exact::Vec3d edges[3] = {v[1] - v[0], v[2] - v[1], v[0] - v[2]}, area = exact::cross(edges[0], edges[1]);
    const double whole = exact::dot(area, area), height = exact::dot(area, v[0]),
                 room = reach * reach * whole - height * height;
    if (room < 0) return false;
    for (int k = 0; k < 3; ++k) {
        const double past =
            exact::dot(exact::cross(edges[k], area), v[k]);  // negative beyond the edge: its distance * length * area
        if (past < 0 && past * past > room * exact::dot(edges[k], edges[k])) return false;
    }
    return true;
}

// True if an axis of this length, with this gap between two projections, separates them by more than `reach`.
inline bool parts_by_more(double gap, double norm_squared, double reach) {
    return (gap > 0 || reach < 0) && gap > reach * std::sqrt(norm_squared);
}

// True if a triangle may be within `reach` of the shape, by the axes of its box and the triangle; for a sphere by its
// distance, or by a bound if `is_asked_again`. Always true for a half-space.
inline bool may_be_within(const Probe& probe, const SurfaceCorners& corners, double reach,
                          bool is_asked_again = false) {
    if (probe.volume.is_plane) return true;
    const double wide = reach + probe.box.radius;
    // The bound is tested first, because few triangles pass it.
    if (exact::is_zero(probe.box.half))
        return may_be_near_point(probe.box.centre, corners, wide) &&
               (is_asked_again || !(distance_to(probe.box.centre, corners) > wide));
    return probe.box_axes.may_be_near(corners, wide);
}

// True if the shape is more than `reach` from the triangle along the direction from the triangle to the shape's middle,
// or to a capsule's axis. False for boxes and spheres: may_be_within has decided these.
inline bool is_apart_from_middle(const ShapeTables& tables, const Probe& probe, const SurfaceCorners& corners,
                                 double reach) {
    const ShapeKind kind = probe.shape.kind();
    if (kind == ShapeKind::halfspace || kind == ShapeKind::box || kind == ShapeKind::sphere) return false;
    exact::Vec3d direction = offset_from(corners, probe.box.centre);
    if (kind == ShapeKind::capsule) {
        const exact::Vec3d axis = exact::transposed(probe.axes).row_y;
        const double half = probe.box.half.y,
                     along = exact::most(-half, exact::least(half, -exact::dot(direction, axis)));
        direction = offset_from(corners, probe.box.centre + axis * along);
    }
    const double least = least_along(tables, probe.shape, exact::transposed_times(probe.axes, direction)) +
                         exact::dot(direction, probe.position);
    double most = -INFINITY;
    for (const Vec3& v : corners.at) most = exact::most(most, exact::dot(direction, exact::to_double(v)));
    return parts_by_more(least - most, exact::dot(direction, direction), reach + probe.box.radius);
}

// An upper bound on the signed distance of a triangle swept by `rounding`: from the ball, and from the shape's point
// nearest to the triangle's plane.
inline double distance_at_most(const ShapeTables& tables, const Probe& probe, const SurfaceCorners& corners,
                               float rounding) {
    if (!probe.volume.is_plane) {
        double distance = distance_to(probe.ball.centre, corners) - probe.ball.radius;
        const exact::Vec3d a = exact::to_double(corners.at[0]), b = exact::to_double(corners.at[1]),
                           c = exact::to_double(corners.at[2]);
        const exact::Vec3d area = exact::cross(b - a, c - a),
                           towards = exact::dot(area, probe.box.centre - a) >= 0 ? -area : area;
        if (has_known_core(probe.shape.kind()) && !exact::is_zero(area)) {
            const exact::Vec3d point =
                farthest_point(core_of(tables, probe.shape), exact::transposed_times(probe.axes, towards));
            distance =
                exact::least(distance, distance_to(probe.position + probe.axes * point, corners) - probe.box.radius);
        }
        return distance - rounding;
    }
    double least = INFINITY;
    for (const Vec3& v : corners.at) least = exact::least(least, exact::dot(probe.normal, exact::to_double(v)));
    return least - rounding - probe.offset;
}

// A lower bound on the signed distance of shapes in `volume` and `box`. If these overlap: minus the least overlap along
// an axis, because no shapes in them overlap more deeply.
inline float signed_bound(const Volume& volume, const ChildBox& box) {
    if (volume.is_plane) {
        double level = 0;
        for (int axis = 0; axis < 3; ++axis)
            level += double(volume.normal[axis]) * (volume.normal[axis] > 0 ? box.low[axis] : box.high[axis]);
        return static_cast<float>(level - volume.offset);
    }
    double most = -INFINITY, squared = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double gap =
            exact::most(double(box.low[axis]) - volume.high[axis], double(volume.low[axis]) - box.high[axis]);
        most = exact::most(most, gap);
        if (gap > 0) squared += gap * gap;
    }
    return static_cast<float>(most > 0 ? std::sqrt(squared) : most);
}

}  // namespace abut
