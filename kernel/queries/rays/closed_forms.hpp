// Closed forms for where rays meet shapes, without branches. One ray (OneRay) and one ray per lane (ray_lanes.hpp) give
// the same bits.
//
// `F` has the types Number, Vec and Mask, the struct Ray { Vec origin, direction; Number length; } and the functions of
// OneRay. Ray and shape are in one frame; directions are unit vectors.
#pragma once

#include <abut/shape_id.hpp>

#include "base/compiler_support.hpp"
#include "base/double_math.hpp"
#include "queries/rays/local_ray.hpp"

namespace abut {

struct OneRay {
    using Number = double;
    using Vec = maths::Vec3d;
    using Mask = bool;
    using Ray = LocalRay;

    ABUT_ALWAYS_INLINE static double choose(bool which, double yes, double no) { return which ? yes : no; }
    ABUT_ALWAYS_INLINE static Vec choose(bool which, const Vec& yes, const Vec& no) { return which ? yes : no; }
    ABUT_ALWAYS_INLINE static double least(double a, double b) { return a < b ? a : b; }
    ABUT_ALWAYS_INLINE static double most(double a, double b) { return a > b ? a : b; }
    ABUT_ALWAYS_INLINE static double magnitude(double a) { return std::fabs(a); }
    ABUT_ALWAYS_INLINE static double root(double a) { return std::sqrt(a); }
    ABUT_ALWAYS_INLINE static bool no(bool a) { return !a; }
};

template <class F>
ABUT_INLINE typename F::Vec unit_along(const typename F::Vec& v) {
    return v * (typename F::Number(1.0) / F::root(dot(v, v)));
}

// The distance along the ray (infinite for a miss) and the outward unit normal there (zero if the ray starts inside).
template <class F>
struct Met {
    typename F::Number distance;
    typename F::Vec normal;
    typename F::Mask inside;
};

// Normalizes `normal`. A zero normal, possible for a set without thickness, becomes the direction opposite to the ray.
template <class F>
ABUT_INLINE typename F::Vec normal_for(const typename F::Vec& normal, const typename F::Vec& direction) {
    const typename F::Number zero = 0.0, one = 1.0;
    const typename F::Mask is_zero = (normal.x == zero) & (normal.y == zero) & (normal.z == zero);
    const typename F::Number squared = F::choose(is_zero, one, dot(normal, normal));
    return F::choose(is_zero, -direction, normal * (one / F::root(squared)));
}

// The face (Feature) whose normal is nearest to this unit normal of a shape that is not a hull, or kNoFace.
template <class F>
ABUT_INLINE typename F::Number face_along(ShapeKind kind, const typename F::Vec& normal) {
    using Number = typename F::Number;
    const Number zero = 0.0, one = 1.0, two = 2.0, half_right = 0.70710678118654752;
    const Number lateral = F::choose(normal.y < -half_right, one, two);
    switch (kind) {
        case ShapeKind::box: {
            const Number x = F::magnitude(normal.x), y = F::magnitude(normal.y), z = F::magnitude(normal.z);
            const typename F::Mask along_x = F::no((x < y) | (x < z)), along_y = F::no(y < z);
            const Number along = F::choose(along_x, normal.x, F::choose(along_y, normal.y, normal.z));
            return F::choose(along_x, zero, F::choose(along_y, two, Number(4.0))) + F::choose(along < zero, one, zero);
        }
        case ShapeKind::cylinder: return F::choose(half_right < normal.y, zero, lateral);
        case ShapeKind::cone: return lateral;
        case ShapeKind::ellipsoid:
        case ShapeKind::custom: return two;
        case ShapeKind::halfspace: return zero;
        default: return double(kNoFace);
    }
}

// The interval of a ray's line inside a convex set. Each plane, slab or quadric that bounds the set shortens it.
template <class F>
struct Span {
    using Number = typename F::Number;
    using Vec = typename F::Vec;
    using Mask = typename F::Mask;

    Number from = -HUGE_VAL, to = HUGE_VAL;
    Vec normal = {0.0, 0.0, 0.0};  // at `from`: outward, of any length

    // Limits the interval to [enters, leaves].
    ABUT_ALWAYS_INLINE void cut(const Number& enters, const Number& leaves, const Vec& entry_normal) {
        const Mask later = from < enters;
        from = F::choose(later, enters, from), normal = F::choose(later, entry_normal, normal);
        to = F::least(to, leaves);
    }
    // Makes the interval empty where `none` is true.
    ABUT_ALWAYS_INLINE void empty(const Mask& none) { to = F::choose(none, Number(-HUGE_VAL), to); }

    // Limits the interval to the inside of a plane: height + slope * distance <= 0.
    ABUT_ALWAYS_INLINE void cut_by_plane(const Number& height, const Number& slope, const Vec& plane_normal) {
        const Number zero = 0.0, infinite = HUGE_VAL;
        const Mask enters = slope < zero, leaves = zero < slope;
        const Number at = -height / F::choose(enters | leaves, slope, Number(1.0));
        cut(F::choose(enters, at, -infinite), F::choose(leaves, at, infinite), plane_normal);
        empty(F::no(enters | leaves) & (zero < height));
    }
    // Limits the interval to -half <= origin + slope * distance <= half. The normal is `axis`, or -axis if the slope is
    // positive.
    ABUT_ALWAYS_INLINE void cut_by_slab(const Number& origin, const Number& slope, const Number& half,
                                        const Vec& axis) {
        const Number zero = 0.0, one = 1.0, infinite = HUGE_VAL;
        const Mask falls = slope < zero, moves = falls | (zero < slope);
        const Number above = origin - half, below = -origin - half, by = F::choose(moves, slope, one);
        const Number high = -above / by, low = below / by;
        cut(F::choose(moves, F::choose(falls, high, low), -infinite),
            F::choose(moves, F::choose(falls, low, high), infinite), axis * F::choose(falls, one, -one));
        empty(F::no(moves) & ((zero < above) | (zero < below)));
    }
    ABUT_ALWAYS_INLINE Met<F> met(const typename F::Ray& ray) const {
        const Number zero = 0.0;
        const Mask hits = (from <= to) & F::no((to < zero) | (ray.length < from)), starts = hits & (from <= zero);
        return {F::choose(hits, F::choose(starts, zero, from), Number(HUGE_VAL)),
                F::choose(starts, Vec{0.0, 0.0, 0.0}, normal_for<F>(normal, ray.direction)), starts};
    }
};

// Limits the interval to the inside of an infinite cylinder about Y.
template <class F>
ABUT_INLINE void cut_by_tube(Span<F>& span, const typename F::Vec& o, const typename F::Vec& d,
                             const typename F::Number& radius) {
    using Number = typename F::Number;
    const Number zero = 0.0, one = 1.0, infinite = HUGE_VAL, square = d.x * d.x + d.z * d.z;
    const typename F::Mask moves = zero < square;
    const Number by = F::choose(moves, square, one), middle = -(o.x * d.x + o.z * d.z) / by,
                 across = o.x * d.z - o.z * d.x;
    const Number chord = radius * radius - across * across / by, half = F::root(F::most(chord, zero) / by),
                 enters = middle - half;
    span.cut(F::choose(moves, enters, -infinite), F::choose(moves, middle + half, infinite),
             {o.x + d.x * enters, zero, o.z + d.z * enters});
    span.empty((moves & (chord < zero)) | (F::no(moves) & (radius * radius < o.x * o.x + o.z * o.z)));
}

// Limits the interval to the nappe below the apex: cosine * radial <= sine * w, where w >= 0 is the height of the apex
// above the point; sine and cosine of the half angle at the apex. A ray less steep than the slope may meet the nappe
// above the apex, so the caller's slab must end at the apex.
template <class F>
ABUT_INLINE void cut_by_nappe(Span<F>& span, const typename F::Vec& o, const typename F::Vec& d,
                              const typename F::Number& apex, const typename F::Number& sine,
                              const typename F::Number& cosine) {
    using Number = typename F::Number;
    using Vec = typename F::Vec;
    const Number zero = 0.0, one = 1.0, infinite = HUGE_VAL, w = apex - o.y;
    const Number a = cosine * cosine * (d.x * d.x + d.z * d.z) - sine * sine * d.y * d.y;
    const Number b = cosine * cosine * (o.x * d.x + o.z * d.z) + sine * sine * w * d.y;
    const Number c = cosine * cosine * (o.x * o.x + o.z * o.z) - sine * sine * w * w;
    // Both roots of the quadric are on one nappe, unless the ray is steeper than the slope: then one is on each nappe.
    const Number square = b * b - a * c, part = F::root(F::most(square, zero)),
                 root = F::choose(b < zero, -b + part, -b - part);
    const Number second = F::choose(root == zero, zero, c / F::choose(root == zero, one, root));
    const Number first = F::choose(a == zero, second, root / F::choose(a == zero, one, a));
    const Number low = F::least(first, second), high = F::most(first, second);
    const typename F::Mask both = zero < a, falls = d.y < zero;
    const Number enters = F::choose(both, low, F::choose(falls, high, -infinite));
    const Vec p = o + d * F::choose(both | falls, enters, zero);
    const Number radial = F::root(p.x * p.x + p.z * p.z), by = F::choose(zero < radial, radial, one);
    const Vec slope = {cosine * p.x / by, sine, cosine * p.z / by};
    span.cut(enters, F::choose(both, high, F::choose(falls, infinite, low)),
             F::choose(zero < radial, slope, Vec{0.0, 1.0, 0.0}));
    span.empty((both & (square < zero)) | (F::no(both) & (root == zero) & (zero < c)));
}

template <class F>
ABUT_INLINE Met<F> meet_box(const typename F::Ray& ray, const typename F::Vec& half) {
    Span<F> span;
    span.cut_by_slab(ray.origin.x, ray.direction.x, half.x, {1.0, 0.0, 0.0});
    span.cut_by_slab(ray.origin.y, ray.direction.y, half.y, {0.0, 1.0, 0.0});
    span.cut_by_slab(ray.origin.z, ray.direction.z, half.z, {0.0, 0.0, 1.0});
    return span.met(ray);
}

template <class F>
ABUT_INLINE Met<F> meet_cylinder(const typename F::Ray& ray, const typename F::Number& radius,
                                 const typename F::Number& half_height) {
    Span<F> span;
    span.cut_by_slab(ray.origin.y, ray.direction.y, half_height, {0.0, 1.0, 0.0});
    cut_by_tube<F>(span, ray.origin, ray.direction, radius);
    return span.met(ray);
}

// Where a ray meets a cone. The half height must be above 0.
template <class F>
ABUT_INLINE Met<F> meet_cone(const typename F::Ray& ray, const typename F::Number& radius,
                             const typename F::Number& half_height) {
    const typename F::Number twice = typename F::Number(2.0) * half_height;
    const typename F::Number slope = F::root(radius * radius + typename F::Number(4.0) * half_height * half_height);
    Span<F> span;
    span.cut_by_slab(ray.origin.y, ray.direction.y, half_height, {0.0, 1.0, 0.0});
    cut_by_nappe<F>(span, ray.origin, ray.direction, half_height, radius / slope, twice / slope);
    return span.met(ray);
}

// Where a ray meets an ellipsoid, computed in the frame in which it is the unit ball.
template <class F>
ABUT_INLINE Met<F> meet_ellipsoid(const typename F::Ray& ray, const typename F::Vec& radii) {
    using Number = typename F::Number;
    using Vec = typename F::Vec;
    const Number one = 1.0, zero = 0.0;
    const Vec inverse = {one / radii.x, one / radii.y, one / radii.z};
    const Vec o = {ray.origin.x * inverse.x, ray.origin.y * inverse.y, ray.origin.z * inverse.z};
    const Vec d = {ray.direction.x * inverse.x, ray.direction.y * inverse.y, ray.direction.z * inverse.z};
    const Vec across = cross(o, d);
    const Number square = dot(d, d), chord = one - dot(across, across) / square, middle = -dot(o, d) / square;
    const Number half = F::root(F::most(chord, zero) / square);
    const Vec p = o + d * (middle - half);
    Span<F> span;
    span.from = middle - half, span.to = middle + half;
    span.normal = {p.x * inverse.x, p.y * inverse.y, p.z * inverse.z};
    span.empty(chord < zero);
    return span.met(ray);
}

template <class F>
ABUT_INLINE Met<F> meet_ball(const typename F::Ray& ray, const typename F::Vec& centre,
                             const typename F::Number& radius) {
    using Number = typename F::Number;
    const Number zero = 0.0;
    const typename F::Vec o = ray.origin - centre;
    const Number middle = -dot(o, ray.direction);
    const typename F::Vec nearest = o + ray.direction * middle;
    const Number chord = radius * radius - dot(nearest, nearest), half = F::root(F::most(chord, zero));
    Span<F> span;
    span.from = middle - half, span.to = middle + half;
    span.normal = o + ray.direction * span.from;
    span.empty(chord < zero);
    return span.met(ray);
}

// Where a ray meets the points within `radius` of a segment. The hit is on the tube if the ray enters it between its
// ends, otherwise on the ball at the nearer end.
template <class F>
ABUT_INLINE Met<F> meet_capsule(const typename F::Ray& ray, const typename F::Vec& a, const typename F::Vec& b,
                                const typename F::Number& radius) {
    using Number = typename F::Number;
    using Vec = typename F::Vec;
    using Mask = typename F::Mask;
    const Number zero = 0.0, one = 1.0, infinite = HUGE_VAL;
    const Vec axis = b - a, o = ray.origin - a;
    const Number along = dot(axis, axis);
    const Mask has_axis = zero < along;
    const Number by = F::choose(has_axis, along, one), origin_at = dot(o, axis) / by,
                 advance = dot(ray.direction, axis) / by;
    const Number nearest_at = F::choose(has_axis, F::most(zero, F::least(origin_at, one)), zero);
    const Vec from_axis = o - axis * nearest_at;
    const Mask inside = dot(from_axis, from_axis) <= radius * radius;
    // Components perpendicular to the axis.
    const Vec out = o - axis * origin_at, radial = ray.direction - axis * advance;
    const Number square = dot(radial, radial);
    const Mask crosses = has_axis & (zero < square);
    const Number per = F::choose(crosses, square, one), middle = -dot(out, radial) / per;
    const Vec nearest = out + radial * middle;
    const Number chord = radius * radius - dot(nearest, nearest);
    const Mask misses = crosses & (chord < zero);
    const Number enters = middle - F::root(F::most(chord, zero) / per), at = dot(o + ray.direction * enters, axis) / by;
    const Mask beyond = (at < zero) | (one < at), on_tube = crosses & F::no(beyond);
    const Number end =
        F::choose(crosses, F::choose(at < zero, zero, one),
                  F::choose(has_axis, F::choose(zero < dot(ray.direction, axis), zero, one), nearest_at));
    Met<F> hit = meet_ball<F>(ray, F::choose(Number(0.5) < end, b, a), radius);
    const Mask is_behind = (enters < zero) | (ray.length < enters);
    hit.distance = F::choose(on_tube, F::choose(is_behind, infinite, enters), hit.distance);
    const Vec from_tube = out + radial * enters;
    const Mask is_on_axis = (from_tube.x == zero) & (from_tube.y == zero) & (from_tube.z == zero);
    const Vec upright = F::choose(is_on_axis, -radial, from_tube);
    hit.normal =
        F::choose(on_tube, upright * (one / F::root(F::choose(on_tube, dot(upright, upright), one))), hit.normal);
    hit.distance = F::choose(inside, zero, F::choose(misses, infinite, hit.distance));
    hit.inside = inside | (hit.inside & F::no(on_tube | misses));
    hit.normal = F::choose(hit.inside, Vec{0.0, 0.0, 0.0}, hit.normal);
    return hit;
}

// Where a ray meets the half-space dot(normal, x) <= offset, swept by `radius`. `normal` may have any length.
template <class F>
ABUT_INLINE Met<F> meet_halfspace(const typename F::Ray& ray, const typename F::Vec& normal,
                                  const typename F::Number& offset, const typename F::Number& radius) {
    const typename F::Vec out = unit_along<F>(normal);
    Span<F> span;
    span.cut_by_plane(dot(out, ray.origin) - (offset / F::root(dot(normal, normal)) + radius), dot(out, ray.direction),
                      out);
    return span.met(ray);
}

// The ball that clips a ray is larger than the shape's bounding ball by this factor, which covers rounding in double.
inline constexpr double kBallExcess = 1 + 1e-9;
// Rounding error of the distance between a ray's line and the ball's centre, as a fraction of the largest coordinate.
inline constexpr double kLineRounding = 1e-15;

// Clips a ray to a ball about (0, 0, 0). `near` starts where the ray enters the ball, after `begin` metres, so that a
// far origin costs no precision. `left`: the ray meets the ball.
template <class F>
struct Clipped {
    typename F::Ray near;
    typename F::Number begin;
    typename F::Mask left;
};
template <class F>
ABUT_INLINE Clipped<F> clip_to_ball(const typename F::Ray& ray, const typename F::Number& radius) {
    using Number = typename F::Number;
    const typename F::Vec& o = ray.origin;
    const Number zero = 0.0, middle = -dot(o, ray.direction);
    const Number largest = F::most(F::most(F::magnitude(o.x), F::magnitude(o.y)), F::magnitude(o.z));
    const Number reach = radius * Number(kBallExcess) + Number(kLineRounding) * largest;
    const typename F::Vec nearest = o + ray.direction * middle;
    const Number begin = F::most(zero, middle - reach);
    const typename F::Mask left =
        F::no((middle + reach < zero) | (reach * reach < dot(nearest, nearest)) | (ray.length < begin));
    return {{o + ray.direction * begin, ray.direction, ray.length - begin}, begin, left};
}

}  // namespace abut
