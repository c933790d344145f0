// Depth of overlapping cores, one or both curved: a search for a direction of least depth, step by step.
//
// A step moves the cores apart along the current direction until a gap opens; the direction between the nearest points
// across the gap is the next one. A fixed point of this iteration is a local minimum. Flat touching parts reach the
// fixed point at once; between round parts the remaining angle shrinks by a constant factor per step, which is
// extrapolated [Aitken 1926]. depth_proof.hpp proves that no other direction is shallower.
#pragma once

#include "convex/depth/curved_newton.hpp"
#include "convex/lanes/answer.hpp"
#include "convex/separation/gjk.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The state of a search.
struct CurvedSearchW {
    DirectionW best;
    FloatW gap;
    Vec3W previous_step;  // change of the direction in the previous step; 0 at first
};

namespace curved_depth_detail {

template <class CoreA, class CoreB>
inline void try_direction(const PairW<CoreA, CoreB>& pair, Vec3W n, std::uint32_t lanes, DirectionW& best) {
    const FloatW separation = gap_along(pair, n, lanes);
    const MaskW better = separation > best.separation;
    best.normal = select(better, n, best.normal);
    best.separation = select(better, separation, best.separation);
}

// Tries a direction of any length (or zero), reversed if it points away from B.
template <class CoreA, class CoreB>
inline void try_towards(const PairW<CoreA, CoreB>& pair, Vec3W v, std::uint32_t lanes, DirectionW& best) {
    const FloatW squared = length_squared(v), one = 1.0f;
    const MaskW is_one = squared > FloatW(kTiny);
    const FloatW by = flip_sign(one / sqrt(select(is_one, squared, one)), dot(v, pair.offset));
    try_direction(pair, select(is_one, v * by, {FloatW(0.0f), one, FloatW(0.0f)}), lanes, best);
}

// The shallowest of these directions: the axes of both shapes, the cross product of their main axes, the offset of the
// centres, and its parts perpendicular to each main axis.
template <class CoreA, class CoreB>
inline DirectionW likeliest_direction(const PairW<CoreA, CoreB>& pair, std::uint32_t lanes) {
    const FloatW zero = 0.0f, one = 1.0f;
    const Mat3W& r = pair.rotation;
    const Vec3W p = pair.offset, y = {zero, one, zero};
    DirectionW best = {y, FloatW(-HUGE_VALF)};
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

// An upper bound on the distance of a point of the other core from a curved core; 0 inside. `out`: the core's outward
// unit normal at the point. `aside` (unused here): the distance of the point from a point of the core.
inline FloatW outside(const CurvedCore& core, Vec3W p, Vec3W out, FloatW, FloatW tolerance) {
    const FloatW zero = 0.0f, one = 1.0f, radial = sqrt(p.x * p.x + p.z * p.z), r = core.extent.x, h = core.extent.y;
    switch (core.kind) {
        case ShapeKind::cylinder: return max(zero, abs(p.y) - h) + max(zero, radial - r);
        case ShapeKind::cone: {
            // An upper bound by the radius at the point's height.
            const FloatW share = (h - p.y) / max(h + h, FloatW(kTiny));
            return max(zero, -h - p.y) + max(zero, p.y - h) + max(zero, radial - r * max(zero, min(share, one)));
        }
        default: {
            // An upper bound is the distance from the whole ellipsoid along the line to its centre. On thin ellipsoids
            // rounding dominates it: `noise` bounds that rounding, is subtracted from the coordinates, and is added
            // twice to the result.
            const FloatW noise = FloatW(kCurvedNoiseShare) * tolerance;
            const Vec3W whole = abs(p + out * core.erosion);
            const Vec3W q = {max(zero, whole.x - noise), max(zero, whole.y - noise), max(zero, whole.z - noise)};
            const FloatW length = sqrt(length_squared(q)),
                         share = sqrt(length_squared({q.x / core.extent.x, q.y / core.extent.y, q.z / core.extent.z}));
            return max(zero, length - length / max(share, FloatW(kTiny))) + noise + noise;
        }
    }
}
// `aside` is the only bound for a custom shape.
inline FloatW outside(const CustomCore& core, Vec3W p, Vec3W out, FloatW aside, FloatW tolerance) {
    return core.kind == ShapeKind::custom ? aside
                                          : outside(static_cast<const CurvedCore&>(core), p, out, aside, tolerance);
}

}  // namespace curved_depth_detail

template <class CoreA, class CoreB>
inline CurvedSearchW search_from(const PairW<CoreA, CoreB>& pair, Vec3W normal, std::uint32_t lanes) {
    return {{normal, gap_along(pair, normal, lanes)}, FloatW(kFirstCurvedGap), splat(0.0f)};
}
template <class CoreA, class CoreB>
ABUT_INLINE CurvedSearchW begin_search(const PairW<CoreA, CoreB>& pair, std::uint32_t lanes) {
    return {curved_depth_detail::likeliest_direction(pair, lanes), FloatW(kFirstCurvedGap), splat(0.0f)};
}

struct CurvedStepW {
    std::uint32_t settled, lost;  // at a minimum; for the exact path, because the cores overlap even when moved apart
    Vec3W on_a;                   // A's witness point, of settled lanes
};

// One step for all `lanes`.
template <class CoreA, class CoreB>
CurvedStepW step_search(PairW<CoreA, CoreB>& pair, CurvedSearchW& search, std::uint32_t lanes) {
    using namespace curved_depth_detail;
    DirectionW& best = search.best;
    const FloatW gap = search.gap, tolerance = pair.tolerance, zero = 0.0f, one = 1.0f;
    const Vec3W home = pair.offset;
    pair.offset = home + best.normal * (gap - best.separation);
    drop_supports(pair.a), drop_supports(pair.b);
    GjkResultW shifted;
    gjk(pair, best.normal, MaskW::from_bits(lanes), {FloatW(HUGE_VALF), FloatW(-1.0f), kCurvedStopShare}, shifted);
    pair.offset = home;
    // If rounding stalled GJK, further steps would not improve its points, so the checks below decide.
    CurvedStepW out;
    out.lost = shifted.enclosed.bits() & lanes;
    out.on_a = point_on_a(pair, shifted.simplex);
    // v is from A's nearest point to B's while B is moved. In B's own pose, the point taken for B is along the normal
    // and may be off B's surface.
    const Vec3W v = shifted.simplex.v;
    const FloatW length = sqrt(max(length_squared(v), FloatW(kTiny)));
    const Vec3W claimed = rotate_back(pair.rotation, out.on_a + best.normal * best.separation - home);
    const FloatW off = outside(pair.b, claimed, rotate_back(pair.rotation, -best.normal),
                               sqrt(length_squared(v - best.normal * gap)), tolerance);
    const MaskW is_minimum = abs(length - gap) <= FloatW(kCurvedShare) * tolerance;
    out.settled = (is_minimum & (off <= FloatW(kCurvedWitnessShare) * tolerance)).bits() & lanes & ~out.lost;
    const std::uint32_t going = lanes & ~(out.settled | out.lost);
    if (going == 0) return out;
    // The sum of the remaining steps as a geometric series.
    const Vec3W next = v * (one / length), step = next - best.normal;
    const FloatW last = length_squared(search.previous_step);
    const FloatW ratio =
        select(last > zero, min(FloatW(0.9f), sqrt(length_squared(step) / max(last, FloatW(kTiny)))), zero);
    const Vec3W leap = next + step * (ratio / (one - ratio));
    DirectionW better = best;
    try_direction(pair, next, going, better);
    try_direction(pair, leap * (one / sqrt(max(length_squared(leap), FloatW(kTiny)))), going, better);
    // If the gap is too small, the nearest points may be far apart along a face or edge; if the gap is too large, they
    // say little about the depth.
    const FloatW least_gap = kCurvedGap;
    const MaskW gained = better.separation > best.separation, moves = MaskW::from_bits(going);
    search.gap = select(is_minimum, least_gap, select(gained, max(least_gap, gap * FloatW(0.25f)), gap * FloatW(8.0f)));
    search.previous_step = step;
    best.normal = select(moves, better.normal, best.normal);
    best.separation = select(moves, better.separation, best.separation);
    return out;
}

// The answer of a settled search.
template <class CoreA, class CoreB>
inline AnswerW answer_of(const PairW<CoreA, CoreB>& pair, const DirectionW& best, Vec3W on_a) {
    const FloatW half = 0.5f;
    const Vec3W middle = on_a + best.normal * (best.separation * half);
    return {best.separation - pair.radius, best.normal,
            middle + best.normal * ((pair.radius_a - pair.radius_b) * half)};
}

}  // namespace abut::ABUT_ISA_NAMESPACE
