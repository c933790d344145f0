// The signed distance of two cores in lanes: the axis of largest separation, the answer of its edges, and its proof.
#pragma once

#include "d2/convex/plane_pairs.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Offers the axes of `of`'s edges. `way`: from its centre to the other's. Opposite edges of two symmetric cores are one
// axis with the sign of the way.
template <class Of, class Other>
ABUT_INLINE void offer_axes(const Of& of, const Other& other, Vec2W way, bool is_b, AxisW& best) {
    const auto put = [&](FloatW separation, Vec2W outward) { best.offer(separation, is_b ? -outward : outward); };
    of.each_axis([&](auto axis, FloatW limit) {
        const FloatW along = dot(axis, way);
        const Vec2W n = axis;
        if constexpr (Of::kIsSymmetric && Other::kIsSymmetric) {
            put(abs(along) - other.most_along(axis) - limit, {flip_sign(n.x, along), flip_sign(n.y, along)});
        } else {
            put(along - other.most_along(-n) - limit, n);
            if constexpr (Of::kIsSymmetric) put(-along - other.most_along(axis) - limit, -n);
        }
    });
}

// `b` in A's axes, relative to its own centre.
template <class A, class B>
ABUT_INLINE AxisW best_axis(const A& a, const B& b, Vec2W offset, FloatW slack) {
    const Vec2W right = {FloatW(1.0f), FloatW(0.0f)};  // the normal of two points in one place
    AxisW of_a = {-HUGE_VALF, right, MaskW()}, of_b = {-HUGE_VALF, right, MaskW::from_bits(kAllLanes)};
    offer_axes(a, b, offset, false, of_a);
    offer_axes(b, a, -offset, true, of_b);
    if constexpr (!A::kHasEdges || !B::kHasEdges) return A::kHasEdges ? of_a : of_b;
    // Of two parallel edges A's counts, so that noise does not turn the normal. The cosine is that of 2.5 degrees.
    const MaskW parallel = dot(of_a.normal, of_b.normal) > FloatW(0.999f);
    const FloatW handicap = select(parallel, slack, FloatW(0.0f));
    const MaskW is_b = of_b.separation > of_a.separation + handicap;
    const FloatW zero = 0.0f;
    return {select(is_b, of_b.separation, of_a.separation), select(is_b, of_b.normal, of_a.normal), is_b,
            select(is_b, zero, max(of_b.separation - of_a.separation, zero))};
}

using PlaneAnswerW = abut::d2::CoreAnswerOf<FloatW>;

// The edges that face each other along an axis, without their normals.
template <class A, class B>
ABUT_INLINE void find_edges(const A& a, const B& b, const PlanePairW& pair, const AxisW& axis, PlaneAnswerW& out) {
    out.edge_a = a.edge_along(axis.normal), out.edge_b = b.edge_along(-axis.normal);
    out.edge_b.corner0 = out.edge_b.corner0 + pair.offset, out.edge_b.corner1 = out.edge_b.corner1 + pair.offset;
    out.normal = axis.normal, out.distance = axis.separation;
    out.point_a = out.edge_a.corner0, out.point_b = out.edge_b.corner0;
}
template <class A, class B>
ABUT_INLINE void find_normals(const A& a, const B& b, const AxisW& axis, PlaneAnswerW& out) {
    out.edge_a.normal = a.normal_of(out.edge_a, axis.normal);
    out.edge_b.normal = b.normal_of(out.edge_b, -axis.normal);
}

// The lanes that the axis does not answer: of cores that are apart, or overlap by less than the tolerance. (Cores on one
// line have no axis that parts them: their edges' points are the nearest or touch.)
ABUT_INLINE MaskW lanes_left(const AxisW& axis, FloatW tolerance, MaskW needed, MaskW certified) {
    return needed & ~(axis.separation < -tolerance) & ~certified;
}
// Answers these lanes by the nearest points of the edges. Returns those in which the answer is proved.
template <class A, class B>
ABUT_INLINE MaskW answer_left(const A& a, const B& b, const PlanePairW& pair, const AxisW& axis, MaskW left,
                              PlaneAnswerW& out) {
    find_normals(a, b, axis, out);
    PlaneAnswerW nearest = out;
    find_nearest<FloatW>(A::kHasEdges, B::kHasEdges, axis, pair.tolerance, nearest);
    MaskW proved = nearest.distance - axis.separation <= pair.tolerance;
    if (any(left & ~proved)) {
        const FloatW gap =
            dot(nearest.normal, pair.offset) - b.most_along(-nearest.normal) - a.most_along(nearest.normal);
        proved |= nearest.distance - gap <= pair.tolerance;
    }
    out.point_a = select(left, nearest.point_a, out.point_a), out.point_b = select(left, nearest.point_b, out.point_b);
    out.normal = select(left, nearest.normal, out.normal), out.distance = select(left, nearest.distance, out.distance);
    return left & proved;
}

// Returns the lanes in which the answer is proved.
template <class A, class B>
ABUT_INLINE MaskW answer_cores(const A& a, const B& b, const PlanePairW& pair, const AxisW& axis, MaskW needed,
                               PlaneAnswerW& out) {
    find_edges(a, b, pair, axis, out);
    if constexpr (!A::kHasEdges && !B::kHasEdges) {
        find_nearest<FloatW>(false, false, axis, pair.tolerance, out);
        return needed;
    }
    const MaskW overlapping = needed & (axis.separation < -pair.tolerance);
    MaskW certified = MaskW();
    if (any(overlapping)) {
        const auto facing = core_facing<FloatW>(out, axis.normal);
        certified = overlapping & find_deepest<FloatW>(axis, facing, pair.tolerance, out);
    }
    const MaskW left = needed & ~overlapping;
    if (any(left)) certified |= answer_left(a, b, pair, axis, left, out);
    return certified;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
