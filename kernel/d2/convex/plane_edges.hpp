// Two convex cores in the plane, seen from the edges that face each other: nearest points, depth, contacts. Written once
// for lanes of floats (one pair per lane) and for doubles (the exact path); `Real` is FloatW or double.
//
// Exact in theory: the axis of largest separation is normal to an edge that has the nearest point, and the deepest
// corner of the other core along it is the nearest one. In floats the edges may be nearly parallel. So the nearest of
// four pairs of a corner and an edge counts, and two support planes along its normal prove it.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "base/compiler_support.hpp"

namespace abut::d2 {

ABUT_ALWAYS_INLINE inline double select(bool m, double yes, double no) { return m ? yes : no; }
ABUT_ALWAYS_INLINE inline std::int32_t select(bool m, std::int32_t yes, std::int32_t no) { return m ? yes : no; }
ABUT_ALWAYS_INLINE inline double min(double a, double b) { return a < b ? a : b; }
ABUT_ALWAYS_INLINE inline double max(double a, double b) { return a > b ? a : b; }
ABUT_ALWAYS_INLINE inline double abs(double a) { return a < 0 ? -a : a; }
ABUT_ALWAYS_INLINE inline double sqrt(double a) { return ::sqrt(a); }

template <class Real>
struct TypesFor {
    using Mask = bool;
    using Index = std::int32_t;
};
template <class Real>
using MaskOf = typename TypesFor<Real>::Mask;
template <class Real>
using IndexOf = typename TypesFor<Real>::Index;

template <class Real>
struct Vec2Of {
    Real x, y;
};
template <class Real>
ABUT_ALWAYS_INLINE inline Vec2Of<Real> operator+(Vec2Of<Real> a, Vec2Of<Real> b) {
    return {a.x + b.x, a.y + b.y};
}
template <class Real>
ABUT_ALWAYS_INLINE inline Vec2Of<Real> operator-(Vec2Of<Real> a, Vec2Of<Real> b) {
    return {a.x - b.x, a.y - b.y};
}
template <class Real>
ABUT_ALWAYS_INLINE inline Vec2Of<Real> operator-(Vec2Of<Real> a) {
    return {-a.x, -a.y};
}
template <class Real>
ABUT_ALWAYS_INLINE inline Vec2Of<Real> operator*(std::type_identity_t<Real> s, Vec2Of<Real> a) {
    return {s * a.x, s * a.y};
}
template <class Real>
ABUT_ALWAYS_INLINE inline Real dot(Vec2Of<Real> a, Vec2Of<Real> b) {
    return a.x * b.x + a.y * b.y;
}
// A quarter turn, counter-clockwise: along an edge whose outward normal is `a`.
template <class Real>
ABUT_ALWAYS_INLINE inline Vec2Of<Real> turned(Vec2Of<Real> a) {
    return {-a.y, a.x};
}
template <class Real>
ABUT_ALWAYS_INLINE inline Vec2Of<Real> select(MaskOf<Real> m, Vec2Of<Real> yes, Vec2Of<Real> no) {
    return {select(m, yes.x, no.x), select(m, yes.y, no.y)};
}

// An edge as seen from inside: counter-clockwise from corner 0 to corner 1, with its outward normal. The edge of a
// point has both corners there, and the normal that was asked for.
template <class Real>
struct EdgeOf {
    Vec2Of<Real> corner0, corner1, normal;
    IndexOf<Real> id0, id1;  // of the corners
};

// The axis of largest separation among some edge normals.
template <class Real>
struct AxisOf {
    Real separation;
    Vec2Of<Real> normal;   // from A to B
    MaskOf<Real> is_of_b;  // an edge of B's
    Real slack = 0.0f;     // another axis may have a larger separation by this

    ABUT_ALWAYS_INLINE void offer(Real candidate, Vec2Of<Real> along) {
        const MaskOf<Real> better = candidate > separation;
        separation = select(better, candidate, separation);
        normal = select(better, along, normal);
    }
};

// The signed distance of two cores: point_b - point_a = distance * normal.
template <class Real>
struct CoreAnswerOf {
    Real distance;
    Vec2Of<Real> normal, point_a, point_b;
    EdgeOf<Real> edge_a, edge_b;             // that touch or are nearest
    MaskOf<Real> is_slack = MaskOf<Real>();  // the points are not the deepest or nearest: the axis has slack
};

// The nearest of some points to an edge, if they are in front of its line or behind it by no more than the tolerance.
template <class Real>
struct NearestOf {
    Vec2Of<Real> along;  // from corner 0 to corner 1, unit
    Real length;
    Real squared = HUGE_VALF;                       // of the distance; infinite if all are behind
    Real place = 0.0f, past = 0.0f, height = 0.0f;  // of the edge's point; beyond its end and over its line: the way on

    ABUT_ALWAYS_INLINE explicit NearestOf(const EdgeOf<Real>& edge)
        : along(turned(edge.normal)), length(dot(along, edge.corner1 - edge.corner0)) {}

    ABUT_ALWAYS_INLINE void offer(const EdgeOf<Real>& edge, Vec2Of<Real> to, Real tolerance) {
        const Vec2Of<Real> from0 = to - edge.corner0;
        const Real zero = 0.0f, at = dot(along, from0), over = dot(edge.normal, from0);
        // Less than the tolerance past a corner is not past it: the normal of edges that nearly touch would be noise.
        const Real beyond = at - min(max(at, zero), length);
        const Real way = select(abs(beyond) <= tolerance, zero, beyond);
        const Real candidate = select(over >= -tolerance, way * way + over * over, Real(HUGE_VALF));
        const MaskOf<Real> better = candidate < squared;
        squared = select(better, candidate, squared), place = select(better, at - way, place);
        past = select(better, way, past), height = select(better, over, height);
    }
};

// The nearest points of the edges of an answer, for cores that are apart or overlap by no more than the tolerance.
// `has_edges`: of A and of B, else they are points.
template <class Real>
ABUT_ALWAYS_INLINE inline void find_nearest(bool has_edges_a, bool has_edges_b, const AxisOf<Real>& axis,
                                            Real tolerance, CoreAnswerOf<Real>& out) {
    const EdgeOf<Real>&ea = out.edge_a, &eb = out.edge_b;
    const Real zero = 0.0f, one = 1.0f;
    const auto unit = [&](Real distance, Vec2Of<Real> way, Vec2Of<Real> otherwise) {
        const MaskOf<Real> has_way = (distance > zero) & (distance < Real(HUGE_VALF));
        const Real by = one / select(has_way, distance, one);
        return select(has_way, by * way, otherwise);
    };
    if (!has_edges_a && !has_edges_b) {
        out.point_a = ea.corner0, out.point_b = eb.corner0;
        const Vec2Of<Real> way = out.point_b - out.point_a;
        out.distance = sqrt(dot(way, way));
        out.normal = unit(out.distance, way, axis.normal);
        return;
    }
    NearestOf<Real> to_a(ea), to_b(eb);
    if (has_edges_a) to_a.offer(ea, eb.corner0, tolerance);
    if (has_edges_a && has_edges_b) to_a.offer(ea, eb.corner1, tolerance);
    if (has_edges_b) to_b.offer(eb, ea.corner0, tolerance);
    if (has_edges_a && has_edges_b) to_b.offer(eb, ea.corner1, tolerance);
    const MaskOf<Real> is_b = to_b.squared < to_a.squared;
    const auto of = [&](const auto& a, const auto& b) {
        return !has_edges_a ? b : !has_edges_b ? a : select(is_b, b, a);
    };
    const Real place = of(to_a.place, to_b.place), past = of(to_a.past, to_b.past),
               height = of(to_a.height, to_b.height), distance = sqrt(of(to_a.squared, to_b.squared));
    const Vec2Of<Real> along = of(to_a.along, to_b.along), outward = of(ea.normal, eb.normal),
                       point = of(ea.corner0, eb.corner0) + place * along, way = past * along + height * outward,
                       other = point + way;
    out.point_a = of(point, other), out.point_b = of(other, point);
    // Where corners touch, the edge of the nearest pair need not part the cores; the axis does.
    const MaskOf<Real> touches = distance <= tolerance, is_face = (past == zero) & (distance < Real(HUGE_VALF));
    const Vec2Of<Real> normal = select(is_face, outward, unit(distance, way, outward));
    out.normal = select(touches, axis.normal, of(normal, -normal));
    out.distance = select(touches, axis.separation, select(is_face, height, distance));
}

// The parts of two edges that face each other along a normal. Places are along its left turn.
template <class Real>
struct FacingOf {
    Vec2Of<Real> along;
    Real a0, a1, b0, b1;        // places of the edges' ends, ascending; b0 is edge_b's corner 1
    Real height_a0, height_b0;  // of a0 and b0, along the normal
    Real rise_a, rise_b;        // from its first place to its last
    Real slope_a, slope_b;
    Real low, high;         // both edges are at the places from low to high
    MaskOf<Real> are_wide;  // no edge is within 10 degrees of the normal; such an edge is a corner

    FacingOf() = default;
    ABUT_ALWAYS_INLINE FacingOf(Vec2Of<Real> normal, Vec2Of<Real> a_from, Vec2Of<Real> a_to, Vec2Of<Real> b_from,
                                Vec2Of<Real> b_to) {
        along = turned(normal);
        a0 = dot(along, a_from), a1 = dot(along, a_to), b0 = dot(along, b_to), b1 = dot(along, b_from);
        height_a0 = dot(normal, a_from), height_b0 = dot(normal, b_to);
        rise_a = dot(normal, a_to) - height_a0, rise_b = dot(normal, b_from) - height_b0;
        const Real width_a = a1 - a0, width_b = b1 - b0, steep = 0.18f, none = HUGE_VALF;  // of a slope of 0
        const Real least_a = steep * abs(rise_a), least_b = steep * abs(rise_b);
        are_wide = (width_a > least_a) & (width_b > least_b);
        slope_a = rise_a / select(are_wide, width_a, none);
        slope_b = rise_b / select(are_wide, width_b, none);
        low = max(a0, b0), high = min(a1, b1);
    }
    ABUT_ALWAYS_INLINE Real height_a(Real at) const { return height_a0 + (at - a0) * slope_a; }
    ABUT_ALWAYS_INLINE Real height_b(Real at) const { return height_b0 + (at - b0) * slope_b; }
    ABUT_ALWAYS_INLINE Real gap(Real at) const { return height_b(at) - height_a(at); }
};

// Of an answer's edges, without radii.
template <class Real>
ABUT_ALWAYS_INLINE inline FacingOf<Real> core_facing(const CoreAnswerOf<Real>& answer, Vec2Of<Real> normal) {
    const EdgeOf<Real>&ea = answer.edge_a, &eb = answer.edge_b;
    return {normal, ea.corner0, ea.corner1, eb.corner0, eb.corner1};
}
// Of its edges swept by the radii, each along its own normal. Without radii it is that of the cores.
template <class Real>
ABUT_ALWAYS_INLINE inline FacingOf<Real> swept_facing(const CoreAnswerOf<Real>& answer, Real radius_a, Real radius_b) {
    const EdgeOf<Real>&ea = answer.edge_a, &eb = answer.edge_b;
    const Vec2Of<Real> up_a = radius_a * ea.normal, up_b = radius_b * eb.normal;
    return {answer.normal, ea.corner0 + up_a, ea.corner1 + up_a, eb.corner0 + up_b, eb.corner1 + up_b};
}

// The points that are nearest or deepest along an axis: at the deepest corner of the edge that is not the axis' own, or in
// the middle of what faces if the edges are parallel. Returns whether they are on both edges and their distance is the
// axis' separation, but for its slack: then no points are nearer, or less deep. `facing`: of the cores along the axis.
template <class Real>
ABUT_ALWAYS_INLINE inline MaskOf<Real> find_deepest(const AxisOf<Real>& axis, const FacingOf<Real>& facing,
                                                    Real tolerance, CoreAnswerOf<Real>& out) {
    const EdgeOf<Real>&ea = out.edge_a, &eb = out.edge_b;
    const Real height_a1 = dot(axis.normal, ea.corner1), height_b1 = dot(axis.normal, eb.corner0);
    const Real corner_a = select(height_a1 > facing.height_a0, facing.a1, facing.a0),
               corner_b = select(height_b1 < facing.height_b0, facing.b1, facing.b0);
    const Real corner = select(axis.is_of_b, corner_a, corner_b);
    const Real first = select(axis.is_of_b, facing.b0, facing.a0), last = select(axis.is_of_b, facing.b1, facing.a1);
    const MaskOf<Real> face = facing.are_wide & (facing.low <= facing.high);
    const Real tilt = abs(facing.gap(facing.low) - facing.gap(facing.high));
    const MaskOf<Real> parallel = face & (tilt <= tolerance);
    const Real at = select(parallel, Real(0.5f) * (facing.low + facing.high), min(max(corner, first), last));
    const MaskOf<Real> is_corner = abs(at - corner) <= tolerance;
    const Real height_a = select(is_corner, max(height_a1, facing.height_a0), facing.height_a(at)),
               height_b = select(is_corner, min(height_b1, facing.height_b0), facing.height_b(at));
    const Real depth = select(axis.is_of_b, facing.height_b0 - height_a, height_b - facing.height_a0);
    const Real error = abs(depth - axis.separation);
    // The edge of the axis is level; of a sliver another one may have been taken for it.
    const MaskOf<Real> is_level = abs(select(axis.is_of_b, facing.rise_b, facing.rise_a)) <= tolerance;
    const MaskOf<Real> is_exact = error <= tolerance;
    out.is_slack = is_level & (!is_exact) & face & (error <= tolerance + axis.slack);
    out.distance = select(out.is_slack, depth, axis.separation), out.normal = axis.normal;
    out.point_a = at * facing.along + select(axis.is_of_b, height_a, height_b - out.distance) * axis.normal;
    out.point_b = out.point_a + out.distance * axis.normal;
    return (is_level & is_exact & (face | is_corner)) | out.is_slack;
}

// --- Contacts ---

// Two contacts, or the first alone. The first is at the lower end of what faces.
template <class Real>
struct ContactsOf {
    Vec2Of<Real> position[2];
    Real separation[2];
    IndexOf<Real> feature[2];
    MaskOf<Real> has_second;
};

// The contacts of two edges swept by their radii: the ends of what faces, on both swept edges. If the answer's own
// points are deeper (those of a rounded corner), they replace the nearer end. `facing`: of the swept edges, if there are
// any. `separation`: with radii. `edges`: of how many of the two cores; the others are points.
template <class Real>
ABUT_ALWAYS_INLINE inline ContactsOf<Real> make_contacts(const CoreAnswerOf<Real>& answer, const FacingOf<Real>& facing,
                                                         Real radius_a, Real radius_b, Real separation, Real tolerance,
                                                         int edges) {
    const EdgeOf<Real>&ea = answer.edge_a, &eb = answer.edge_b;
    const Real half = 0.5f;
    const Vec2Of<Real> middle =
        half * (answer.point_a + answer.point_b) + (half * (radius_a - radius_b)) * answer.normal;
    const IndexOf<Real> low_feature = (ea.id0 << 16) | eb.id1, high_feature = (ea.id1 << 16) | eb.id0;
    ContactsOf<Real> out;
    out.has_second = MaskOf<Real>();
    out.position[0] = out.position[1] = middle;
    out.separation[0] = out.separation[1] = separation;
    out.feature[0] = out.feature[1] = low_feature;
    if (edges == 0) return out;
    const Real at = dot(facing.along, middle);
    if (edges == 1) {
        // Of a point's two ends, the name is that of the nearer corner of the other core.
        const MaskOf<Real> is_high = at - min(facing.a0, facing.b0) > max(facing.a1, facing.b1) - at;
        out.feature[0] = out.feature[1] = select(is_high, high_feature, low_feature);
        return out;
    }
    const Real gap0 = facing.gap(facing.low), gap1 = facing.gap(facing.high);
    const MaskOf<Real> wide = facing.are_wide & (facing.high - facing.low > tolerance);
    const MaskOf<Real> is_low = at - facing.low <= facing.high - at;
    const MaskOf<Real> deeper = (!answer.is_slack) & (min(gap0, gap1) > separation + tolerance);
    const MaskOf<Real> keep0 = wide & !(deeper & is_low), keep1 = wide & !(deeper & !is_low);
    const auto end_at = [&](Real where, Real gap) {
        return where * facing.along + (facing.height_a(where) + half * gap) * answer.normal;
    };
    out.position[0] = select(keep0, end_at(facing.low, gap0), middle);
    out.position[1] = select(keep1, end_at(facing.high, gap1), middle);
    out.separation[0] = select(keep0, gap0, separation);
    out.separation[1] = select(keep1, gap1, separation);
    // Of two corners the names are their own.
    const IndexOf<Real> corner_a = select(at - facing.a0 <= facing.a1 - at, ea.id0, ea.id1),
                        corner_b = select(at - facing.b0 <= facing.b1 - at, eb.id1, eb.id0);
    out.feature[0] = select(wide, low_feature, (corner_a << 16) | corner_b);
    out.feature[1] = high_feature;
    out.has_second = wide;
    return out;
}

}  // namespace abut::d2
