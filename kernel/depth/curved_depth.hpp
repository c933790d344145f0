// Depth of overlapping cores of which one or both are curved: a search from the likeliest direction, and a proof that no other is shallower.
//
// The search pulls the cores apart along the direction so far, until a gap opens, and takes that of their nearest points for the next one: a
// fixed point of that is a local minimum. It is reached in a step where the touching parts are flat; where they are round the way left
// shrinks by a constant factor each time, which is made use of [Aitken 1926]. The proof is direction_cells.hpp's.
#pragma once

#include "depth/direction_cells.hpp"
#include "depth/witness.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace curved_depth_detail {

struct DirectionW {
    Vec3W normal;       // unit, from A to B
    FloatW separation;  // along it; not positive for cores that overlap
};

template <class CoreA, class CoreB>
ABUT_INLINE void try_direction(const PairW<CoreA, CoreB>& pair, Vec3W n, std::uint32_t lanes, DirectionW& best) {
    const FloatW separation = gap_along(pair, n, lanes);
    const MaskW better = separation > best.separation;
    best.normal = select(better, n, best.normal);
    best.separation = select(better, separation, best.separation);
}

// A direction of any length, or none, turned to B's side.
template <class CoreA, class CoreB>
ABUT_INLINE void try_towards(const PairW<CoreA, CoreB>& pair, Vec3W v, std::uint32_t lanes, DirectionW& best) {
    const FloatW squared = length_squared(v), one = 1.0f;
    const MaskW is_one = squared > FloatW(kTiny);
    const FloatW by = flip_sign(one / sqrt(select(is_one, squared, one)), dot(v, pair.offset));
    try_direction(pair, select(is_one, v * by, {FloatW(0.0f), one, FloatW(0.0f)}), lanes, best);
}

// The axes of both, what is square to both shapes' own axes and to each of them, and the way from centre to centre.
template <class CoreA, class CoreB>
ABUT_INLINE DirectionW likeliest_direction(const PairW<CoreA, CoreB>& pair, std::uint32_t lanes) {
    const FloatW zero = 0.0f, one = 1.0f;
    const Mat3W& r = pair.rotation;
    const Vec3W p = pair.offset, y = {zero, one, zero};
    DirectionW best = {y, FloatW(-__builtin_huge_valf())};
    try_towards(pair, p, lanes, best);
    try_towards(pair, {one, zero, zero}, lanes, best);
    try_towards(pair, y, lanes, best);
    try_towards(pair, {zero, zero, one}, lanes, best);
    try_towards(pair, r.x, lanes, best);
    try_towards(pair, r.y, lanes, best);
    try_towards(pair, r.z, lanes, best);
    try_towards(pair, cross(y, r.y), lanes, best);
    try_towards(pair, {p.x, zero, p.z}, lanes, best);
    try_towards(pair, p - r.y * dot(p, r.y), lanes, best);
    return best;
}

// How far outside a core a point lies, at most; 0 inside. For the core that is curved alone: the other's point is its own.
ABUT_INLINE FloatW outside(const CurvedCore& core, Vec3W p) {
    const FloatW zero = 0.0f, out = sqrt(p.x * p.x + p.z * p.z), r = core.extent.x, h = core.extent.y;
    switch (core.kind) {
        case ShapeKind::cylinder: return max(zero, abs(p.y) - h) + max(zero, out - r);
        case ShapeKind::cone: {
            // Sideways of the cone at that height, which is no less than the distance.
            const FloatW share = (h - p.y) / max(h + h, FloatW(kTiny));
            return max(zero, -h - p.y) + max(zero, p.y - h) + max(zero, out - r * max(zero, min(share, FloatW(1.0f))));
        }
        default: {
            // From where the ray from the centre leaves the ellipsoid; the erosion goes off all round.
            const Vec3W q = {p.x / core.extent.x, p.y / core.extent.y, p.z / core.extent.z};
            const FloatW length = sqrt(length_squared(p)), share = sqrt(length_squared(q));
            return max(zero, length - length / max(share, FloatW(kTiny)) + core.erosion);
        }
    }
}

// A search from `best` to a minimum near it; the lanes that got there, and A's witness points.
template <class CoreA, class CoreB>
ABUT_INLINE MaskW find_minimum(PairW<CoreA, CoreB>& pair, MaskW active, DirectionW& best, Vec3W& on_a) {
    const FloatW least_gap = kCurvedGap, one = 1.0f, tolerance = pair.tolerance;
    const Vec3W home = pair.offset;
    Vec3W last_step = splat(0.0f);
    FloatW gap = kFirstCurvedGap;
    MaskW found;
    for (int i = 0; i < kMaxCurvedSteps && any(active); ++i) {
        pair.offset = home + best.normal * (gap - best.separation);
        forget(pair.a), forget(pair.b);
        GjkResult pulled;
        gjk(pair, best.normal, active, {FloatW(__builtin_huge_valf()), FloatW(-1.0f), kCurvedStopShare}, pulled);
        pair.offset = home;
        // Where GJK stalled for rounding its points are as good as they get; what they are worth is checked below.
        const MaskW apart = active & ~pulled.enclosed;
        // A's point and the way to B's once B is back. B's claimed point is on the axis instead, which may be off its surface.
        const Vec3W a = point_on_a(pair, pulled.simplex), v = pulled.simplex.v;
        const FloatW length = sqrt(max(length_squared(v), FloatW(kTiny)));
        const Vec3W next = v * (one / length), step = next - best.normal;
        const Vec3W claimed = rotate_back(pair.rotation, a + best.normal * best.separation - home);
        const MaskW is_minimum = abs(length - gap) <= FloatW(kCurvedShare) * tolerance;
        const MaskW settled = apart & is_minimum & (outside(pair.b, claimed) <= FloatW(kCertificateShare) * tolerance);
        on_a = select(settled, a, on_a);
        found |= settled;
        active = apart & ~settled;
        if (!any(active)) break;
        // The way left, were the steps a geometric series.
        const FloatW ratio = min(FloatW(0.9f), sqrt(length_squared(step) / max(length_squared(last_step), FloatW(kTiny))));
        const Vec3W leap = i == 0 ? next : next + step * (ratio / (one - ratio));
        DirectionW better = best;
        try_direction(pair, next, active.bits(), better);
        try_direction(pair, leap * (one / sqrt(max(length_squared(leap), FloatW(kTiny)))), active.bits(), better);
        // Too near, and the nearest points may be far to the side, off an edge; too far, and they tell little.
        const MaskW gained = better.separation > best.separation;
        gap = select(is_minimum, least_gap, select(gained, max(least_gap, gap * FloatW(0.25f)), gap * FloatW(8.0f)));
        last_step = step;
        best.normal = select(active, better.normal, best.normal);
        best.separation = select(active, better.separation, best.separation);
    }
    return found;
}

}  // namespace curved_depth_detail

// The axis of least depth, proved, and its points. `lanes` overlap.
template <class CoreA, class CoreB>
WitnessW curved_depth(PairW<CoreA, CoreB>& pair, std::uint32_t lanes) {
    using namespace curved_depth_detail;
    DirectionW best = likeliest_direction(pair, lanes);
    Vec3W on_a = splat(0.0f);
    std::uint32_t left = lanes, proved = 0;
    const LaneArray<float> allowed = lanes_of(FloatW(kCertificateShare) * pair.tolerance);
    for (int i = 0; i < kMaxCurvedStarts && left != 0; ++i) {
        const std::uint32_t found = find_minimum(pair, MaskW::from_bits(left), best, on_a).bits();
        const LaneArray<float> depth = lanes_of(-best.separation);
        LaneArray<float> x = lanes_of(best.normal.x), y = lanes_of(best.normal.y), z = lanes_of(best.normal.z);
        left = 0;
        for_each_lane(found, [&](int lane) {
            Float3 start;
            const Proof proof = prove_least(pair, best.normal, depth[lane], allowed[lane], lane, start);
            proved |= static_cast<std::uint32_t>(proof == Proof::least) << lane;
            if (proof != Proof::shallower) return;
            left |= 1u << lane;
            x[lane] = start.x, y[lane] = start.y, z[lane] = start.z;
        });
        // Once more, from where it is shallower.
        const MaskW again = MaskW::from_bits(left);
        best.normal = select(again, {load(x), load(y), load(z)}, best.normal);
        best.separation = select(again, gap_along(pair, best.normal, left), best.separation);
    }
    const FloatW half = 0.5f;
    WitnessW out;
    out.found = MaskW::from_bits(proved);
    const Vec3W middle = on_a + best.normal * (best.separation * half);
    out.answer = {best.separation - pair.radius, best.normal, middle + best.normal * ((pair.radius_a - pair.radius_b) * half)};
    out.names = IntW(static_cast<std::int32_t>(kBestFace << 16 | kBestFace));
    return out;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
