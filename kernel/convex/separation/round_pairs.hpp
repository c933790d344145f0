// Closed forms for spheres and capsules, and for spheres with boxes: the nearest points of two cores, then radii
// [Ericson 2005, 5.1]. Degenerate cases (docs/numerics.md): concentric spheres separate along world +Y; a sphere's
// centre on a capsule's axis, and crossing or collinear axes, along a perpendicular of the axes.
#pragma once

#include "convex/lanes/answer.hpp"
#include "convex/lanes/load.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

using SpherePairW = PairW<PointCore, PointCore>;
using SphereExtentPairW = PairW<PointCore, ExtentCore>;  // a capsule or a box
using CapsulePairW = PairW<ExtentCore, ExtentCore>;

namespace round_detail {

// The answer from the nearest points of the cores. `between`: from `on_a`, A's point, to B's point. `fallback`: the
// unit normal if the two points coincide.
template <class Pair>
ABUT_INLINE AnswerW from_cores(const Pair& pair, Vec3W on_a, Vec3W between, Vec3W fallback) {
    const FloatW squared = length_squared(between);
    const MaskW apart = squared > FloatW(kTouchSquared);
    const FloatW length = sqrt(select(apart, squared, FloatW(1.0f)));
    const FloatW distance = select(apart, length, FloatW(0.0f));
    const Vec3W normal = select(apart, between * (FloatW(1.0f) / length), fallback);
    // Halfway between on_a + normal * radius_a and on_a + between - normal * radius_b.
    const FloatW along = (distance + pair.radius_a - pair.radius_b) * FloatW(0.5f);
    return {distance - pair.radius, normal, on_a + normal * along};
}

ABUT_INLINE FloatW clamp(FloatW x, FloatW limit) { return min(max(x, -limit), limit); }

// Short vectors between nearly touching cores have the rounding errors of their ends. If an end is inside a segment
// along the unit vector `axis`, the vector's component along the axis is only such an error.
ABUT_INLINE Vec3W without(Vec3W between, Vec3W axis) { return between - axis * dot(between, axis); }

// At an end of the segment, t = +-h, the vector's component along the axis must point away from the segment; otherwise
// an inner point of the segment is nearer. `t` is signed so that at +h a positive component points away.
ABUT_INLINE MaskW points_inwards(Vec3W between, Vec3W axis, FloatW t, FloatW h) {
    return (h > FloatW(0.0f)) & (flip_sign(dot(between, axis), t) < FloatW(0.0f));
}

// Some unit vector perpendicular to the unit vector u.
ABUT_INLINE Vec3W perpendicular(Vec3W u) {
    // Cross product with the axis of the smallest component.
    const Vec3W m = abs(u);
    const FloatW zero = 0.0f, one = 1.0f;
    const MaskW x_least = (m.x <= m.y) & (m.x <= m.z), y_least = ~x_least & (m.y <= m.z);
    const Vec3W axis = {select(x_least, one, zero), select(y_least, one, zero), select(x_least | y_least, zero, one)};
    const Vec3W c = cross(u, axis);
    return c * (one / sqrt(length_squared(c)));
}

}  // namespace round_detail

ABUT_INLINE AnswerW sphere_sphere(const SpherePairW& pair) {
    return round_detail::from_cores(pair, splat(0.0f), pair.offset, {0.0f, 1.0f, 0.0f});
}

ABUT_INLINE AnswerW sphere_capsule(const SphereExtentPairW& pair) {
    using namespace round_detail;
    const Vec3W axis = pair.rotation.y;
    const FloatW t = clamp(-dot(axis, pair.offset), pair.b.extent.y);
    const Vec3W between = pair.offset + axis * t;
    const FloatW h = pair.b.extent.y;
    const MaskW inner = (abs(t) < h) | points_inwards(between, axis, -t, h);
    return from_cores(pair, splat(0.0f), select(inner, without(between, axis), between), perpendicular(axis));
}

// Nearest points of two segments, A's along Y, without division by a small squared sine: parallel axes get the middle
// of their common segment, which is also the best contact of a resting capsule if it has only one.
ABUT_INLINE AnswerW capsule_capsule(const CapsulePairW& pair) {
    using namespace round_detail;
    const Vec3W u = pair.rotation.y, p = pair.offset;
    const FloatW ha = pair.a.extent.y, hb = pair.b.extent.y, zero = 0.0f;
    // The points are (0, s, 0) and p + t u. The squared sine, from the components perpendicular to Y, is exact for
    // nearly parallel axes.
    const FloatW sine_squared = u.x * u.x + u.z * u.z;
    const MaskW crossing = sine_squared > FloatW(kParallelSquared);
    // The minimum over both lines: t u cancels as much as possible of the part of p perpendicular to Y.
    const FloatW t_free = -(p.x * u.x + p.z * u.z) / select(crossing, sine_squared, FloatW(1.0f));
    // Parallel axes: B covers p.y +- hb of A's axis; takes the middle of the common part.
    const FloatW low = max(-ha, p.y - hb), high = min(ha, p.y + hb);
    const FloatW t_parallel = ((low + high) * FloatW(0.5f) - p.y) * copysign(FloatW(1.0f), u.y);
    const FloatW t_wanted = select(crossing, t_free, t_parallel), t_first = clamp(t_wanted, hb);
    // Each clamped end is corrected once on the other axis [Ericson 2005, 5.1.9]. The masks tell which ends were
    // clamped; the results do not, because rounding may move an end inside.
    const FloatW s_wanted = p.y + t_first * u.y, s_first = clamp(s_wanted, ha);
    const MaskW a_clamped = abs(s_wanted) >= ha;
    const FloatW t_again = (s_first - p.y) * u.y - (p.x * u.x + p.z * u.z);
    const FloatW t = select(a_clamped, clamp(t_again, hb), t_first);
    const MaskW inner_b = abs(select(a_clamped, t_again, t_wanted)) < hb;
    const FloatW s_again = p.y + t * u.y;
    const MaskW again = a_clamped & ~inner_b, inner_a = ~a_clamped | (again & (abs(s_again) < ha));
    const FloatW s_end = select(again, clamp(s_again, ha), s_first);
    const Vec3W on_a = {zero, s_end, zero};
    const Vec3W between = {p.x + t * u.x, p.y + t * u.y - s_end, p.z + t * u.z}, y = {zero, FloatW(1.0f), zero};
    const FloatW sine = sqrt(select(crossing, sine_squared, FloatW(1.0f)));
    const Vec3W across = {u.z / sine, zero, -(u.x / sine)};  // Y x u, unit
    // `between` is made perpendicular to each segment inside which it ends. If it then points from an end of the other
    // segment into that segment, it ends inside the other segment, too.
    const Vec3W square_b = select(inner_b, without(between, u), between),
                square = select(inner_a, without(square_b, y), square_b);
    const MaskW from_end_b = ~inner_b & points_inwards(square, u, -t, hb),
                from_end_a = ~inner_a & points_inwards(square, y, s_end, ha);
    const Vec3W straight = select(from_end_b, without(square, u), select(from_end_a, without(square, y), square));
    // Crossing axes: the difference of nearly touching points is rounding; the common perpendicular is exact.
    const MaskW crossed_inside = (abs(t_free) < hb) & (abs(p.y + t_free * u.y) < ha);
    const MaskW crossed_near_end = (from_end_b & (inner_a | from_end_a)) | (from_end_a & inner_b);
    const MaskW interior = crossing & (crossed_inside | crossed_near_end);
    const FloatW height = dot(across, p);
    AnswerW answer =
        from_cores(pair, on_a, straight, select(crossing, across, perpendicular({zero, FloatW(1.0f), zero})));
    const Vec3W exact_normal = flip_sign(across, height);
    const AnswerW crossed = {abs(height) - pair.radius, exact_normal,
                             on_a + exact_normal * ((abs(height) + pair.radius_a - pair.radius_b) * FloatW(0.5f))};
    answer.signed_distance = select(interior, crossed.signed_distance, answer.signed_distance);
    answer.normal = select(interior, crossed.normal, answer.normal);
    answer.midpoint = select(interior, crossed.midpoint, answer.midpoint);
    return answer;
}

// A is the sphere. If its centre is inside the box, the normal is that of the nearest face.
ABUT_INLINE AnswerW sphere_box(const SphereExtentPairW& pair) {
    using namespace round_detail;
    const FloatW zero = 0.0f, one = 1.0f, half = 0.5f;
    const Vec3W e = pair.b.extent, c = rotate_back(pair.rotation, -pair.offset);  // sphere's centre in the box's frame
    const Vec3W nearest = {clamp(c.x, e.x), clamp(c.y, e.y), clamp(c.z, e.z)};
    const Vec3W between = nearest - c;
    // Short vectors are computed in the box's frame, where they are exactly perpendicular to faces; long vectors in
    // world axes, without the rounding of two rotations.
    const MaskW is_long = length_squared(between) > FloatW(kLongFromBoxSquared);
    const Vec3W in_world =
        select(is_long, pair.offset + rotate(pair.rotation, nearest), rotate(pair.rotation, between));
    const AnswerW outside = from_cores(pair, splat(0.0f), in_world, pair.rotation.y);

    const Vec3W room = e - abs(c);
    // Points on the surface count as inside: `between` has no direction there, but the nearest face has a normal.
    const MaskW inside = length_squared(between) <= FloatW(kTouchSquared);
    const MaskW x_least = (room.x <= room.y) & (room.x <= room.z), y_least = ~x_least & (room.y <= room.z);
    const MaskW z_least = ~(x_least | y_least);
    // From A to B in the box's frame: the inward normal of the nearest face.
    const Vec3W inwards = {select(x_least, -copysign(one, c.x), zero), select(y_least, -copysign(one, c.y), zero),
                           select(z_least, -copysign(one, c.z), zero)};
    const FloatW depth = select(x_least, room.x, select(y_least, room.y, room.z));
    const Vec3W normal = rotate(pair.rotation, inwards);
    const AnswerW within = {-depth - pair.radius, normal, normal * ((pair.radius_a - pair.radius_b - depth) * half)};
    return {select(inside, within.signed_distance, outside.signed_distance),
            select(inside, within.normal, outside.normal), select(inside, within.midpoint, outside.midpoint)};
}

}  // namespace abut::ABUT_ISA_NAMESPACE
