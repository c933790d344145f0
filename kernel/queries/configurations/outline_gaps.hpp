// Bounds on the signed distance of two outlines: cores swept by radii, one pair of poses per lane.
#pragma once

#include "queries/configurations/sieve_chunk.hpp"
#include "simd/vec.hpp"

namespace abut::ABUT_ISA_NAMESPACE {
namespace {

// Bounds on a signed distance.
struct GapW {
    FloatW low = -HUGE_VALF, high = HUGE_VALF;
};
ABUT_INLINE GapW exactly(FloatW gap) { return {gap, gap}; }

struct OutlineW {
    const Outline& shape;
    const float* rows;

    ABUT_INLINE Vec3W at(std::uint32_t row) const {
        const float* const from = rows + row * kLanes;
        return {FloatW::load(from), FloatW::load(from + kLanes), FloatW::load(from + 2 * kLanes)};
    }
    ABUT_INLINE Vec3W centre() const { return at(0); }
    ABUT_INLINE Vec3W axis(std::uint32_t i) const { return at(3 + 3 * i); }
    ABUT_INLINE FloatW half(int i) const { return shape.half[i]; }
    ABUT_INLINE Vec3W local(Vec3W v) const { return {dot(axis(0), v), dot(axis(1), v), dot(axis(2), v)}; }
    // The support value of the core along a unit direction in world axes.
    ABUT_INLINE FloatW extent(Vec3W n) const {
        if (shape.kind == OutlineKind::ball) return 0.0f;
        const Vec3W l = abs(local(n));
        return l.x * half(0) + l.y * half(1) + l.z * half(2);
    }
};

ABUT_INLINE FloatW clamp(FloatW x, FloatW most) { return max(min(x, most), -most); }
ABUT_INLINE Vec3W clamp(Vec3W x, Vec3W most) { return {clamp(x.x, most.x), clamp(x.y, most.y), clamp(x.z, most.z)}; }
ABUT_INLINE Vec3W halves(const OutlineW& box) { return {box.half(0), box.half(1), box.half(2)}; }

ABUT_INLINE FloatW norm(Vec3W v) { return sqrt(dot(v, v)); }

ABUT_INLINE FloatW point_capsule(Vec3W point, const OutlineW& capsule) {
    const Vec3W between = point - capsule.centre(), axis = capsule.axis(1);
    return norm(between - axis * clamp(dot(between, axis), capsule.half(1)));
}

// The signed distance of a point from a box, in the box's frame.
ABUT_INLINE FloatW point_box(Vec3W local, Vec3W half) {
    const Vec3W out = abs(local) - half;
    const FloatW inside = max(max(out.x, out.y), out.z), outside = norm(local - clamp(local, half));  // or NaN
    return select(inside < FloatW(0.0f), inside, outside);
}

// The nearest points of two segments [Ericson 2005, 5.1.9]. Where the axes are nearly parallel, the points are
// uncertain.
ABUT_INLINE GapW capsule_capsule(const OutlineW& a, const OutlineW& b) {
    const Vec3W between = a.centre() - b.centre(), u = a.axis(1), v = b.axis(1);
    const FloatW cosine = dot(u, v), of_u = dot(u, between), of_v = dot(v, between);
    const FloatW sine_squared = FloatW(1.0f) - cosine * cosine;
    FloatW s = clamp((cosine * of_v - of_u) / max(sine_squared, FloatW(1e-12f)), a.half(1));
    const FloatW t = clamp(cosine * s + of_v, b.half(1));
    s = clamp(cosine * t - of_u, a.half(1));
    const FloatW gap = norm(between + u * s - v * t), zero = 0.0f, uncertain = a.half(1) + b.half(1);
    return {gap - select(sine_squared < FloatW(1e-3f), uncertain * FloatW(1e-3f), zero), gap};
}

// Alternating projections give two points, whose distance is the upper bound. Their direction gives the lower bound.
ABUT_INLINE GapW capsule_box(const OutlineW& capsule, const OutlineW& box) {
    const Vec3W middle = box.local(capsule.centre() - box.centre()), axis = box.local(capsule.axis(1));
    const FloatW half = capsule.half(1), zero = 0.0f;
    Vec3W on_segment = middle, on_box = clamp(middle, halves(box));
    for (int i = 0; i < 4; ++i) {
        on_segment = middle + axis * clamp(dot(on_box - middle, axis), half);
        on_box = clamp(on_segment, halves(box));
    }
    const Vec3W rest = on_segment - on_box, spread = abs(rest);
    const FloatW high = norm(rest);
    const FloatW reach =
        abs(dot(axis, rest)) * half + (spread.x * box.half(0) + spread.y * box.half(1) + spread.z * box.half(2));
    return {select(high > zero, (dot(middle, rest) - reach) / high, FloatW(-HUGE_VALF)), high};
}

// The largest gap between two boxes along their separating axes [Gottschalk, Lin, Manocha 1996]: minus their depth if
// they overlap. Short cross products of edges, which are mere rounding, are left out; they would add little.
ABUT_INLINE GapW box_box(const OutlineW& a, const OutlineW& b) {
    constexpr float kShort = 1e-2f;
    const Vec3W between = a.local(b.centre() - a.centre());
    const Vec3W edge[3] = {a.local(b.axis(0)), a.local(b.axis(1)), a.local(b.axis(2))};
    const FloatW ha[3] = {a.half(0), a.half(1), a.half(2)}, hb[3] = {b.half(0), b.half(1), b.half(2)};
    const FloatW along[3] = {between.x, between.y, between.z}, zero = 0.0f;
    const auto part = [](const Vec3W& v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; };
    FloatW gap = -HUGE_VALF;
    for (int i = 0; i < 3; ++i) {
        FloatW of_a = ha[i], of_b = hb[i];
        for (int k = 0; k < 3; ++k) of_a += abs(part(edge[k], i)) * hb[k], of_b += abs(part(edge[i], k)) * ha[k];
        gap = max(gap, max(abs(along[i]) - of_a, abs(dot(edge[i], between)) - of_b));
    }
    MaskW has_short;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int m = 0; m < 3; ++m) {
            const FloatW n_j = -part(edge[m], k), n_k = part(edge[m], j), length = sqrt(n_j * n_j + n_k * n_k);
            FloatW reach = abs(n_j) * ha[j] + abs(n_k) * ha[k];
            for (int o = 1; o < 3; ++o) {
                const Vec3W& other = edge[(m + o) % 3];
                reach += abs(part(other, j) * n_j + part(other, k) * n_k) * hb[(m + o) % 3];
            }
            const MaskW is_short = length < FloatW(kShort);
            const FloatW by = (abs(along[j] * n_j + along[k] * n_k) - reach) / length;
            gap = select(is_short, gap, max(gap, by)), has_short |= is_short;
        }
    }
    const FloatW uncertain = select(has_short, FloatW(4 * kShort * (a.shape.bound + b.shape.bound)), zero);
    return {gap, select(gap < zero, gap + uncertain, FloatW(HUGE_VALF))};
}

// The radius of a half-space is its offset.
ABUT_INLINE GapW halfspace_any(const OutlineW& plane, const OutlineW& shape) {
    const Vec3W normal = plane.axis(0);
    return exactly(dot(normal, shape.centre() - plane.centre()) - shape.extent(normal));
}

// The gap between a point and a core.
ABUT_INLINE FloatW gap_of_point(Vec3W point, const OutlineW& b) {
    using enum OutlineKind;
    const OutlineKind kind = b.shape.kind;
    if (kind == box) return point_box(b.local(point - b.centre()), halves(b));
    if (kind == capsule) return point_capsule(point, b);
    if (kind == ball) return norm(point - b.centre());
    return dot(b.axis(0), point - b.centre());
}

ABUT_INLINE GapW gap_of_cores(const OutlineW& a, const OutlineW& b) {
    using enum OutlineKind;
    const OutlineKind ka = a.shape.kind, kb = b.shape.kind;
    if (ka == ball) return exactly(gap_of_point(a.centre(), b));
    if (kb == halfspace) return halfspace_any(b, a);
    if (kb == capsule) return capsule_capsule(a, b);
    return ka == capsule ? capsule_box(a, b) : box_box(a, b);
}

// A lower bound for the contents of two outlines, by balls along the first: a sixth of the instructions of the gap of
// two boxes.
ABUT_NOINLINE FloatW low_by_balls(const OutlineW& a, const OutlineW& b) {
    if (a.shape.kind == OutlineKind::none || b.shape.kind == OutlineKind::none) return -HUGE_VALF;
    const bool is_box = b.shape.kind == OutlineKind::box;
    const Vec3W between = a.centre() - b.centre(), along = a.axis(a.shape.long_axis), half = halves(b);
    const Vec3W centre = is_box ? b.local(between) : a.centre(), axis = is_box ? b.local(along) : along;
    const float step = 2 * a.shape.half[a.shape.long_axis] / float(a.shape.balls);
    FloatW least = HUGE_VALF;
    for (std::uint32_t i = 0; i < a.shape.balls; ++i) {
        const float offset = step * (float(i) - 0.5f * float(a.shape.balls - 1));
        const Vec3W ball = centre + axis * FloatW(offset);
        least = min(least, is_box ? point_box(ball, half) : gap_of_point(ball, b));  // NaN stays
    }
    return least - FloatW(a.shape.ball_radius + b.shape.radius);
}

// Bounds for the shapes that two outlines contain.
ABUT_NOINLINE GapW gap_of(const OutlineW& a, const OutlineW& b) {
    if (a.shape.kind > b.shape.kind) return gap_of(b, a);
    if (a.shape.kind == OutlineKind::none || a.shape.kind == OutlineKind::halfspace) return {};
    GapW out = gap_of_cores(a, b);
    const FloatW radius = a.shape.radius + b.shape.radius;
    out.low = out.low - radius;
    out.high = a.shape.is_exact && b.shape.is_exact ? out.high - radius : FloatW(HUGE_VALF);
    return out;
}

// As gap_of, but computes the gap of a ball without a call.
ABUT_INLINE GapW gap_of_part(const OutlineW& part, const OutlineW& other) {
    if (part.shape.kind != OutlineKind::ball || other.shape.kind == OutlineKind::none) return gap_of(part, other);
    const FloatW gap = gap_of_point(part.centre(), other) - FloatW(part.shape.radius + other.shape.radius);
    return {gap, other.shape.is_exact ? gap : FloatW(HUGE_VALF)};
}

}  // namespace
}  // namespace abut::ABUT_ISA_NAMESPACE
