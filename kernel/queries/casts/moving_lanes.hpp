// Two moving convex shapes, one pair per lane, in double, and for how long a separating axis proves them apart.
//
// For a unit axis n from A to B, gap(t) = minimum of n . x over B at time t, minus the maximum over A: a lower bound on
// the signed distance at t. Along a fixed axis
// - it shrinks at a rate of at most n . (vA - vB) + |n x wA| rA + |n x wB| rB, where v is the velocity of the centre, w the angular velocity, and r
//   the largest distance of a core's point from the axis of rotation [van den Bergen 2004; the directed bound of Tang et al. 2009];
// - between times t1 and t2 it stays above its chord minus K (t - t1) (t2 - t) / 2, K = |wA| |n x wA| rA + |wB| |n x wB| rB: a point that circles
//   at w at distance r has the acceleration w^2 r, so each support height plus a parabola of that curvature is convex.
// Without rotation both are exact. In the frame of a rotating body a fixed axis is a sum of three vectors, so gaps need
// no poses. A half-space is always B, and the axis is its normal at each time.
#pragma once

#include <abut/custom_shape.hpp>

#include "queries/casts/motion_chunk.hpp"
#include "queries/casts/rotation_lanes.hpp"
#include "shapes/compound_geometry.hpp"
#include "shapes/hull_support.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Rounding of gaps in double, as a part of the coordinates.
inline constexpr double kGapRounding = 1e-14;

struct MovingW {
    ShapeKind kind;
    const MovingCore* core[kLanes];
    QuatDW start = {0.0, 0.0, 0.0, 1.0};
    DVec3W centre = {0.0, 0.0, 0.0}, displacement = {0.0, 0.0, 0.0}, arm = {0.0, 0.0, 0.0}, axis = {0.0, 0.0, 0.0};
    DoubleW half_angle = 0.0;
    MatrixDW axes = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};  // at time 0
    DVec3W axis_in_body = {0.0, 0.0, 0.0};
    bool rotates = false, has_arm = false;  // in some lane
    DVec3W extent = {0.0, 0.0, 0.0};        // of a half-space: its outward normal
    DoubleW radius = 0.0, origin_radius = 0.0;
    DoubleW reach = 0.0;  // largest distance of the shape from the centre of rotation
    DVec3W core_centre = {0.0, 0.0, 0.0}, core_half = {0.0, 0.0, 0.0};  // the core's local bounds

    ABUT_INLINE bool is_plane() const { return kind == ShapeKind::halfspace; }
};

// A child of a compound moves like a body with another initial orientation and another arm.
ABUT_NOINLINE inline void add_parts(MovingW& out) {
    const double *orientations[kLanes], *positions[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
        const CompoundPart& part = *out.core[lane]->part;
        orientations[lane] = &part.orientation.x, positions[lane] = &part.position.x;
    }
    DoubleW q[4] = {0.0, 0.0, 0.0, 0.0}, p[4] = {0.0, 0.0, 0.0, 0.0};
    transpose_doubles4(orientations, q),
        transpose_doubles4(positions, p);  // the fourth double of a position is not used
    out.start = out.start * QuatDW{q[0], q[1], q[2], q[3]};
    out.arm = rotated_by({-q[0], -q[1], -q[2], q[3]}, out.arm + DVec3W{p[0], p[1], p[2]});
}

// Loads the doubles of RigidMotion from `start` on. Call load_core before.
ABUT_INLINE void load_motion(MovingW& out) {
    const double* rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) rows[lane] = &out.core[lane]->motion->start.x;
    static_assert(offsetof(RigidMotion, half_angle) - offsetof(RigidMotion, start) == 16 * sizeof(double));
    DoubleW c[4] = {0.0, 0.0, 0.0, 0.0};
    transpose_doubles4(rows, c);
    out.start = {c[0], c[1], c[2], c[3]};
    transpose_doubles4(rows, c, 4);
    out.centre = {c[0], c[1], c[2]}, out.displacement.x = c[3];
    transpose_doubles4(rows, c, 8);
    out.displacement.y = c[0], out.displacement.z = c[1], out.arm.x = c[2], out.arm.y = c[3];
    transpose_doubles4(rows, c, 12);
    out.arm.z = c[0], out.axis = {c[1], c[2], c[3]};
    LaneArray<double> half;
    for (int lane = 0; lane < kLanes; ++lane) half[lane] = rows[lane][16];
    out.half_angle = load(half);
    if (out.core[0]->part != nullptr) add_parts(out);
    out.axes = to_matrix(out.start);
    const DoubleW zero = 0.0;
    out.rotates = any(zero < out.half_angle);
    out.has_arm = any(zero < dot(out.arm, out.arm));
    out.reach = norm(out.arm) + out.origin_radius + abs(out.radius);
    if (out.rotates) out.axis_in_body = rotate_back(out.axes, out.axis);
}

// Loads the cores. MovingW::core must be set before.
ABUT_INLINE void load_core(MovingW& out) {
    out.kind = out.core[0]->kind;
    const InstanceRecord* rows[kLanes];
    LaneArray<float> origin_radius;
    for (int lane = 0; lane < kLanes; ++lane)
        rows[lane] = out.core[lane]->record, origin_radius[lane] = out.core[lane]->origin_radius;
    FloatW r[4], s[4];
    transpose_records4(rows, r);
    out.origin_radius = widen(load(origin_radius));
    out.extent = widen(Vec3W{r[0], r[1], r[2]});
    out.radius = widen(r[3]);
    out.core_half = out.extent;
    // The ball bounds a custom shape, its lengths do not.
    if (out.kind == ShapeKind::custom) out.core_half = {out.origin_radius, out.origin_radius, out.origin_radius};
    if (out.kind == ShapeKind::ellipsoid) {  // the record has the radii before erosion
        transpose_records4(rows, s, 4);
        out.radius = widen(s[2]);
    }
    if (out.is_plane()) {  // offset_of
        transpose_records4(rows, s, 4);
        const DoubleW inverse = DoubleW(1.0) / norm(out.extent);
        out.extent = out.extent * inverse, out.radius = out.radius + (widen(s[1]) + widen(s[3])) * inverse;
        out.origin_radius = 0.0;
    }
    if (out.kind != ShapeKind::hull && out.kind != ShapeKind::mesh) return;
    LaneArray<float> low[3], high[3];
    for (int lane = 0; lane < kLanes; ++lane) {
        const MovingCore& core = *out.core[lane];
        const bool is_hull = out.kind == ShapeKind::hull;
        const Vec3 *const corners = core.triangle.at, least = is_hull ? core.hull->bounds_min : corners[0],
                          most = is_hull ? core.hull->bounds_max : corners[0];
        low[0][lane] = least.x, low[1][lane] = least.y, low[2][lane] = least.z;
        high[0][lane] = most.x, high[1][lane] = most.y, high[2][lane] = most.z;
        for (int i = 1; i < 3 && !is_hull; ++i) {
            const float at[3] = {corners[i].x, corners[i].y, corners[i].z};
            for (int k = 0; k < 3; ++k) {
                if (at[k] < low[k][lane]) low[k][lane] = at[k];
                if (high[k][lane] < at[k]) high[k][lane] = at[k];
            }
        }
    }
    const DVec3W least = widen(Vec3W{load(low[0]), load(low[1]), load(low[2])}),
                 most = widen(Vec3W{load(high[0]), load(high[1]), load(high[2])});
    out.core_centre = (least + most) * DoubleW(0.5), out.core_half = (most - least) * DoubleW(0.5);
    if (out.kind == ShapeKind::mesh)
        out.origin_radius = norm(out.core_centre) + norm(out.core_half);
    else
        out.core_centre = multiply(out.extent, out.core_centre), out.core_half = multiply(out.extent, out.core_half);
}

// An upper bound on the distance of the core's points from the axis of rotation: the lesser of the bounds by its box
// and by its ball.
ABUT_INLINE DoubleW axis_radius(const MovingW& shape) {
    const DVec3W axis = shape.axis_in_body, to_centre = cross(axis, shape.core_centre + shape.arm);
    const DVec3W unit_x = {0.0, axis.z, -axis.y}, unit_y = {-axis.z, 0.0, axis.x}, unit_z = {axis.y, -axis.x, 0.0};
    const DVec3W x = unit_x * shape.core_half.x, y = unit_y * shape.core_half.y, z = unit_z * shape.core_half.z;
    DoubleW squared = 0.0;
    ABUT_UNROLL(4)
    for (int i = 0; i < 4; ++i) {
        const DVec3W corner = x + (i & 1 ? y : -y) + (i & 2 ? z : -z), up = to_centre + corner,
                     down = to_centre - corner;
        squared = max(squared, max(dot(up, up), dot(down, down)));
    }
    return min(sqrt(squared), norm(cross(axis, shape.arm)) + shape.origin_radius);
}

// The rotation at a time: sine and cosine of half the angle, for a quaternion; sine and 1 - cosine of the angle, for an
// axis.
struct TurnedW {
    SinCosW half;
    DoubleW sine, rest;
};
ABUT_INLINE TurnedW turned_at(const MovingW& shape, const DoubleW& time) {
    const SinCosW half = sin_cos(shape.half_angle * time);
    const DoubleW twice = half.sin + half.sin;
    return {half, twice * half.cos, twice * half.sin};
}
ABUT_INLINE QuatDW orientation_at(const MovingW& shape, const TurnedW& turned) {
    const DVec3W u = shape.axis * turned.half.sin;
    return QuatDW{u.x, u.y, u.z, turned.half.cos} * shape.start;
}
ABUT_INLINE QuatDW orientation_at(const MovingW& shape, const DoubleW& time) {
    return shape.rotates ? orientation_at(shape, turned_at(shape, time)) : shape.start;
}

// A fixed axis in the frame of a rotating body: at_start + by_sine sin + by_rest (1 - cos) [Rodrigues 1840].
struct SeenAxisW {
    DVec3W at_start, by_sine = {0.0, 0.0, 0.0}, by_rest = {0.0, 0.0, 0.0};

    ABUT_INLINE SeenAxisW(const MovingW& shape, const DVec3W& n) : at_start(rotate_back(shape.axes, n)) {
        if (!shape.rotates) return;
        by_sine = cross(at_start, shape.axis_in_body);
        by_rest = shape.axis_in_body * dot(shape.axis_in_body, at_start) - at_start;
    }
};

// The minimum of n . x over a hull's vertices, one vertex per lane. Large hulls have lists of candidates
// (hull_support.hpp).
ABUT_INLINE double least_of_hull(const HullGeometry& hull, double nx, double ny, double nz) {
    const float *px = hull.column_x(), *py = hull.column_y(), *pz = hull.column_z();
    if (hull.octant_first[8] != 0) {
        const std::uint32_t i = farthest_vertex(hull, {-nx, -ny, -nz});
        return nx * px[i] + ny * py[i] + nz * pz[i];
    }
    const DoubleW x = nx, y = ny, z = nz;
    DoubleW least = HUGE_VAL;
    for (std::uint32_t i = 0; i < hull.padded_count; i += kLanes)
        least = min(widen(FloatW::load(px + i)) * x + widen(FloatW::load(py + i)) * y + widen(FloatW::load(pz + i)) * z,
                    least);
    const LaneArray<double> each = lanes_of(least);
    double result = each[0];
    for (int lane = 1; lane < kLanes; ++lane) result = each[lane] < result ? each[lane] : result;
    return result;
}
// The minimum of n . x over a hull, triangle or custom shape.
ABUT_NOINLINE inline DoubleW least_by_lane(const MovingW& shape, const DVec3W& n, std::uint32_t lanes) {
    const LaneArray<double> x = lanes_of(n.x), y = lanes_of(n.y), z = lanes_of(n.z);
    LaneArray<double> least = lanes_of(DoubleW(0.0));
    for_each_lane(lanes, [&](int lane) {
        const MovingCore& core = *shape.core[lane];
        const double sx = core.record->extent_x, sy = core.record->extent_y, sz = core.record->extent_z;
        const auto along = [&](const auto& p) { return x[lane] * p.x + y[lane] * p.y + z[lane] * p.z; };
        if (shape.kind == ShapeKind::custom) {
            least[lane] = along(core.custom->support({sx, sy, sz}, {-x[lane], -y[lane], -z[lane]}));
        } else if (shape.kind == ShapeKind::hull) {
            const double nx = sx * x[lane], ny = sy * y[lane], nz = sz * z[lane];
            const Vec3& centre = core.hull->centre;
            least[lane] = least_of_hull(*core.hull, nx, ny, nz) + (nx * centre.x + ny * centre.y + nz * centre.z);
        } else {
            const double a = along(core.triangle.at[0]), b = along(core.triangle.at[1]), c = along(core.triangle.at[2]),
                         ab = a < b ? a : b;
            least[lane] = ab < c ? ab : c;
        }
    });
    return load(least);
}

// The minimum of n . x over the core, relative to its origin (shapes/shape_bounds.cpp).
ABUT_INLINE DoubleW least_of_core(const MovingW& shape, const DVec3W& n, std::uint32_t lanes) {
    const DVec3W& half = shape.extent;
    const auto circle = [&] { return sqrt(n.x * n.x + n.z * n.z) * half.x; };
    switch (shape.kind) {
        case ShapeKind::hull:
        case ShapeKind::mesh:
        case ShapeKind::custom: return least_by_lane(shape, n, lanes);
        case ShapeKind::cylinder: return -(half.y * abs(n.y) + circle());
        case ShapeKind::cone: {
            const DoubleW base = circle(), apex = half.y * n.y;
            return min(apex, -apex - base);
        }
        case ShapeKind::ellipsoid: return -norm(multiply(half, n));
        case ShapeKind::halfspace: return 0.0;  // along its reversed normal: the offset is its radius
        default: return -dot(half, abs(n));
    }
}

// A unit vector; for a zero vector, some axis.
ABUT_INLINE DVec3W unit_axis(const DVec3W& n) {
    const DoubleW squared = dot(n, n), zero = 0.0, one = 1.0;
    const DoubleMaskW exists = zero < squared;
    return select(exists, n * (one / sqrt(select(exists, squared, one))), {zero, one, zero});
}

// The unit axis from A towards a half-space: the half-space's normal at `time`, reversed.
ABUT_INLINE DVec3W plane_axis(const MovingW& plane, const DoubleW& time) {
    return -rotate(to_matrix(orientation_at(plane, time)), plane.extent);
}

// The gap of a pair along a fixed axis, or along a half-space's normal, as a function of time.
struct GapW {
    const MovingW &a, &b;
    SeenAxisW seen_a, seen_b;
    DoubleW between, closing,
        rounding;  // distance of the centres at time 0; its decrease until time 1; rounding error of the gap

    ABUT_INLINE GapW(const MovingW& a_, const MovingW& b_, const DVec3W& axis)
        : a(a_),
          b(b_),
          seen_a(a_, axis),
          seen_b(b_, axis),
          between(dot(axis, b_.centre - a_.centre)),
          closing(dot(axis, a_.displacement - b_.displacement)),
          rounding(DoubleW(kGapRounding) * (abs(between) + abs(closing) + a_.reach + b_.reach)) {}

    // The minimum of n . x over a shape, relative to its centre of rotation.
    ABUT_INLINE static DoubleW least(const MovingW& shape, const SeenAxisW& seen, const DoubleW& time,
                                     const DoubleW& sign, std::uint32_t lanes) {
        DVec3W n = seen.at_start;
        if (shape.rotates) {
            const TurnedW turned = turned_at(shape, time);
            n = n + seen.by_sine * turned.sine + seen.by_rest * turned.rest;
        }
        n = n * sign;
        const DoubleW core = least_of_core(shape, n, lanes) - shape.radius;
        return shape.has_arm ? core + dot(n, shape.arm) : core;
    }
    ABUT_INLINE DoubleW at(const DoubleW& time, std::uint32_t lanes) const {
        return b.is_plane() && b.rotates ? along_normal(time, lanes) : along(time, lanes);
    }

private:
    ABUT_NOINLINE DoubleW along_normal(const DoubleW& time, std::uint32_t lanes) const {
        return GapW(a, b, unit_axis(plane_axis(b, time))).along(time, lanes);
    }
    ABUT_INLINE DoubleW along(const DoubleW& time, std::uint32_t lanes) const {
        const DoubleW least_a = least(a, seen_a, time, -1.0, lanes), least_b = least(b, seen_b, time, 1.0, lanes);
        return (between - closing * time) + (least_a + least_b) - rounding;
    }
};

}  // namespace abut::ABUT_ISA_NAMESPACE
