// The rim of a cap seen along the normal, and the crossings of two rims: of one pair (rim.hpp), or of one pair per lane
// (lens.hpp).
#pragma once

#include "base/tolerances.hpp"
#include "simd/vec.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace rim_detail {

// A point of a rim that is no corner has the name of an edge, from the cap's first corner to one of these numbers:
// crossings, and points of the arcs that begin at crossings.
inline constexpr std::uint32_t kCrossing = 32, kArcPoint = 34, kArcPoints = 3;
inline constexpr float kLongArc = -0.94f;  // the cosine of 200 degrees

inline float pick(bool m, float yes, float no) { return m ? yes : no; }
inline FloatW pick(MaskW m, FloatW yes, FloatW no) { return select(m, yes, no); }

template <class T>
struct Direction2 {
    T c, s;
};
template <class T>
inline Direction2<T> unit(T c, T s) {
    const T inverse = 1.0f / sqrt_of(c * c + s * s + kTiny);
    return {c * inverse, s * inverse};
}

// The direction halfway from p to q, counter-clockwise.
template <class T>
ABUT_INLINE Direction2<T> between(Direction2<T> p, Direction2<T> q) {
    const auto is_near = (p.c * q.c + p.s * q.s > 0.0f) & (p.c * q.s > p.s * q.c);
    return unit(pick(is_near, p.c + q.c, q.s - p.s), pick(is_near, p.s + q.s, p.c - q.c));
}
// True if the arc from p to q is longer than 200 degrees.
template <class T>
inline auto is_long(Direction2<T> p, Direction2<T> q) {
    return (p.c * q.s < p.s * q.c) & (p.c * q.c + p.s * q.s > kLongArc);
}
// A number that increases counter-clockwise from the first corner.
template <class T>
inline T around(Direction2<T> t) {
    return pick(t.s >= 0.0f, 1.0f - t.c, 3.0f + t.c);
}
// The three points of the arc from p to q, whose middle is m.
template <class T>
ABUT_INLINE void points_of_arc(Direction2<T> p, Direction2<T> q, Direction2<T> m, Direction2<T> (&out)[kArcPoints]) {
    out[0] = m, out[1] = unit<T>(p.c + 2.0f * m.c, p.s + 2.0f * m.s),
    out[2] = unit<T>(q.c + 2.0f * m.c, q.s + 2.0f * m.s);
}

// The ellipse middle + u cos + w sin.
template <class T>
struct Ellipse {
    T x, y, ux, uy, wx, wy, inverse, radius,
        reach;  // reach: the squared distance from the middle within which points count as on the rim

    // The ellipse through corners 0, 4, 8 and 12, which are 90 degrees apart. `slack`: in the plane.
    ABUT_INLINE Ellipse(const T (&cx)[4], const T (&cy)[4], T slack)
        : x(0.5f * (cx[0] + cx[2])),
          y(0.5f * (cy[0] + cy[2])),
          ux(0.5f * (cx[0] - cx[2])),
          uy(0.5f * (cy[0] - cy[2])),
          wx(0.5f * (cx[1] - cx[3])),
          wy(0.5f * (cy[1] - cy[3])),
          inverse(1.0f / (ux * wy - uy * wx)) {
        const T area = ux * wy - uy * wx;
        radius = sqrt_of(pick(area < 0.0f, -area, area));
        reach = 1.0f + 2.0f * slack / radius;
    }
    // P: T, or FloatW for several points on the rim of one pair.
    template <class P>
    P x_at(Direction2<P> t) const {
        return x + ux * t.c + wx * t.s;
    }
    template <class P>
    P y_at(Direction2<P> t) const {
        return y + uy * t.c + wy * t.s;
    }
    // Transforms a vector of the plane into units of the disc, in which the rim is the unit circle.
    template <class P>
    Direction2<P> in_disc(P dx, P dy) const {
        return {(dx * wy - dy * wx) * inverse, (dy * ux - dx * uy) * inverse};
    }
    template <class P>
    ABUT_INLINE auto holds(P px, P py) const {
        const Direction2<P> at = in_disc<P>(px - x, py - y);
        return at.c * at.c + at.s * at.s <= reach;
    }
};

// A rim in units of another rim's disc.
template <class T>
struct EllipseOverDisc {
    Direction2<T> middle, u, w;

    EllipseOverDisc(const Ellipse<T>& rim, const Ellipse<T>& over)
        : middle(over.in_disc(rim.x - over.x, rim.y - over.y)),
          u(over.in_disc(rim.ux, rim.uy)),
          w(over.in_disc(rim.wx, rim.wy)) {}
    Direction2<T> at(Direction2<T> t) const {
        return {middle.c + u.c * t.c + w.c * t.s, middle.s + u.s * t.c + w.s * t.s};
    }
    // Makes one step of Newton's method towards the other rim. Returns the remaining error in units of the other rim's
    // disc.
    ABUT_INLINE T approach(Direction2<T>& t) const {
        const Direction2<T> p = at(t), along = {w.c * t.c - u.c * t.s, w.s * t.c - u.s * t.s};
        const T off = p.c * p.c + p.s * p.s - 1.0f, rise = 2.0f * (p.c * along.c + p.s * along.s);
        const T step = pick(rise * rise > kTiny, -off / rise, T(0.0f));
        t = unit<T>(t.c - step * t.s, t.s + step * t.c);
        const Direction2<T> q = at(t);
        return 0.5f * (q.c * q.c + q.s * q.s - 1.0f);
    }
};

// The crossings of two rims, on A's rim and on B's. Seen along the normal, the rims are circles except for the tilt of
// their planes, which Newton's method corrects.
template <class T>
struct RimsCrossing {
    const Ellipse<T>&a, &b;
    EllipseOverDisc<T> over;
    T dx, dy, d, under;

    RimsCrossing(const Ellipse<T>& of_a, const Ellipse<T>& of_b)
        : a(of_a), b(of_b), over(a, b), dx(b.x - a.x), dy(b.y - a.y), d(sqrt_of(dx * dx + dy * dy)) {
        const T ra = a.radius, rb = b.radius;
        under = (ra + rb - d) * (rb + d - ra) * (ra + d - rb) * (ra + rb + d);
    }
    // False if one rim extends over the other by almost nothing.
    auto do_cross(T apart) const {
        const T ra = a.radius, rb = b.radius;
        return (under > 0.0f) & (d > kTiny) & (d - pick(ra < rb, rb - ra, ra - rb) >= apart);
    }
    // Finds the crossing on the right or left as seen from A's middle. True if the crossing's error is at most `slack`.
    ABUT_INLINE auto find(bool is_left, T slack, Direction2<T>& on_a, Direction2<T>& on_b) const {
        const T ra = a.radius, rb = b.radius, inverse = 1.0f / d, half = 0.5f * sqrt_of(under) * inverse;
        const T along = 0.5f * ((ra - rb) * (ra + rb) * inverse + d), nx = dx * inverse, ny = dy * inverse,
                off = is_left ? half : -half;
        const Direction2<T> start = a.in_disc(nx * along - ny * off, ny * along + nx * off);
        on_a = unit(start.c, start.s);
        over.approach(on_a);
        const T left = over.approach(on_a) * rb;
        const Direction2<T> in_b = over.at(on_a);
        on_b = unit(in_b.c, in_b.s);
        return left * left <= slack * slack;
    }
};

// The line on which the distance of two planes equals the margin. (gx, gy): the gradient of their distance along the
// normal; `left`: the margin minus that distance at the middle of a rim. crosses: true if the line is within two radii
// of the middle, so that it may cross the rim.
template <class T>
struct MarginLine {
    T gx, gy, squared, left;

    MarginLine(T slope_x, T slope_y, T height, const Ellipse<T>& rim, T margin)
        : gx(slope_x), gy(slope_y), squared(gx * gx + gy * gy) {
        left = margin - (height + gx * rim.x + gy * rim.y);
    }
    auto crosses(const Ellipse<T>& rim) const { return left * left < squared * 4.0f * rim.radius * rim.radius; }
};

}  // namespace rim_detail

}  // namespace abut::ABUT_ISA_NAMESPACE
