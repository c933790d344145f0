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

// Returns the lanes in which the answer is proved. `deepest_first`: for contacts, cores that are apart are answered along
// the axis, too; it is right unless two corners are nearest.
template <class A, class B>
ABUT_INLINE MaskW answer_cores(const A& a, const B& b, const PlanePairW& pair, const AxisW& axis, MaskW needed,
                               bool deepest_first, PlaneAnswerW& out) {
    out.edge_a = a.edge_along(axis.normal), out.edge_b = b.edge_along(-axis.normal);
    out.edge_b.corner0 = out.edge_b.corner0 + pair.offset, out.edge_b.corner1 = out.edge_b.corner1 + pair.offset;
    out.normal = axis.normal, out.distance = axis.separation;
    out.point_a = out.edge_a.corner0, out.point_b = out.edge_b.corner0;
    if constexpr (!A::kHasEdges && !B::kHasEdges) {
        find_nearest<FloatW>(false, false, axis, pair.tolerance, out);
        return needed;
    }
    // Less is a touch. Cores on one line have no axis that parts them: their edges' points are the nearest or touch.
    const MaskW overlapping = axis.separation < -pair.tolerance;
    const MaskW by_depth = deepest_first ? needed : needed & overlapping;
    MaskW certified = MaskW();
    if (any(by_depth)) certified = by_depth & find_deepest<FloatW>(axis, pair.tolerance, out);
    const MaskW left = needed & ~overlapping & ~certified;
    if (!any(left)) return certified;
    out.is_slack = out.is_slack & certified;
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
    return certified | (left & proved);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
