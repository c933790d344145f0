// Likely directions of least depth of curved cores, by closed forms and Newton's method: the start of the search
// (curved_depth.hpp).
//
// The depth along unit n is the support function of E = A - B. Its slope along a tangent t is t . e, where e is E's
// support point. Its second derivative along a great circle is that of the cores' support functions (the radii of
// curvature of their surfaces) minus the depth. A cylinder's support function has a fold where n is perpendicular to
// the cylinder's axis; minima on the fold are searched only along that circle.
#pragma once

#include "convex/depth/direction.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace newton_detail {

using namespace direction_detail;

inline constexpr int kFoldSteps = 4, kFreeSteps = 6;
// The longest step, in radians. On a fold, a step where the depth is not convex also has this length; the free search
// makes no step there.
inline constexpr float kMostStepAngle = 0.4f;
// The least squared lateral distance from an axis at which a point defines a lateral direction.
inline constexpr float kLeastLateral = 1e-6f;

// Second derivatives of a support function along two unit tangents.
struct HessianW {
    FloatW uu, uv, vv;
};
ABUT_INLINE HessianW operator+(const HessianW& a, const HessianW& b) { return {a.uu + b.uu, a.uv + b.uv, a.vv + b.vv}; }

template <class Core>
ABUT_INLINE HessianW hessian_of(const Core&, Vec3W, Vec3W, Vec3W) {
    return {FloatW(0.0f), FloatW(0.0f), FloatW(0.0f)};
}
// A rim is curved only along its own tangent, a cone's apex not at all.
ABUT_INLINE HessianW hessian_of_rim(const CurvedCore& core, Vec3W n, Vec3W u, Vec3W v) {
    const FloatW zero = 0.0f, one = 1.0f, r = core.extent.x;
    const FloatW squared = n.x * n.x + n.z * n.z, radial = sqrt(squared), u_along = n.z * u.x - n.x * u.z,
                 v_along = n.z * v.x - n.x * v.z;
    MaskW has_rim = squared > FloatW(kTiny);
    if (core.kind == ShapeKind::cone) has_rim &= ~(FloatW(2.0f) * core.extent.y * n.y > r * radial);
    const FloatW by = select(has_rim, r / select(has_rim, squared * radial, one), zero);
    return {by * u_along * u_along, by * u_along * v_along, by * v_along * v_along};
}
ABUT_INLINE HessianW hessian_of_ellipsoid(const CurvedCore& core, Vec3W n, Vec3W u, Vec3W v) {
    const Vec3W r = core.extent, sn = multiply(r, n), su = multiply(r, u), sv = multiply(r, v);
    const FloatW over = FloatW(1.0f) / max(length_squared(sn), FloatW(kTiny)), over_length = sqrt(over);
    const FloatW u_along = dot(su, sn), v_along = dot(sv, sn);
    return {(length_squared(su) - u_along * u_along * over) * over_length - core.erosion,
            (dot(su, sv) - u_along * v_along * over) * over_length,
            (length_squared(sv) - v_along * v_along * over) * over_length - core.erosion};
}
ABUT_INLINE HessianW hessian_of(const CurvedCore& core, Vec3W n, Vec3W u, Vec3W v) {
    return core.kind == ShapeKind::cylinder || core.kind == ShapeKind::cone ? hessian_of_rim(core, n, u, v)
                                                                            : hessian_of_ellipsoid(core, n, u, v);
}
ABUT_INLINE HessianW hessian_of(const CustomCore& core, Vec3W n, Vec3W u, Vec3W v) {
    if (core.kind == ShapeKind::custom) return {FloatW(0.0f), FloatW(0.0f), FloatW(0.0f)};
    return hessian_of(static_cast<const CurvedCore&>(core), n, u, v);
}

// The depth at unit n, and its first and second derivatives along two tangents.
struct SlopeW {
    FloatW depth, u, v;
    HessianW hessian;
};
template <class CoreA, class CoreB>
ABUT_INLINE SlopeW slope_at(const PairW<CoreA, CoreB>& pair, Vec3W n, Vec3W u, Vec3W v, std::uint32_t lanes) {
    const Vec3W in_b = rotate_back(pair.rotation, -n);
    const Vec3W e = farthest(pair.a, n, lanes) - rotate(pair.rotation, farthest(pair.b, in_b, lanes)) - pair.offset;
    const HessianW hessian = hessian_of(pair.a, n, u, v) +
                             hessian_of(pair.b, in_b, rotate_back(pair.rotation, u), rotate_back(pair.rotation, v));
    const FloatW depth = dot(e, n);
    return {depth, dot(e, u), dot(e, v), {hessian.uu - depth, hessian.uv, hessian.vv - depth}};
}

ABUT_INLINE void keep(Vec3W n, FloatW separation, DirectionW& best) {
    const MaskW better = separation > best.separation;
    best.normal = select(better, n, best.normal);
    best.separation = select(better, separation, best.separation);
}

// Searches along the great circle perpendicular to a unit axis, starting at n on it.
template <class CoreA, class CoreB>
ABUT_INLINE void descend_fold(const PairW<CoreA, CoreB>& pair, Vec3W axis, Vec3W n, std::uint32_t lanes,
                              DirectionW& best) {
    const FloatW zero = 0.0f, most = kMostStepAngle;
    for (int i = 0;; ++i) {
        const Vec3W t = cross(axis, n);
        const SlopeW slope = slope_at(pair, n, t, t, lanes);
        keep(n, -slope.depth, best);
        if (i == kFoldSteps) return;
        const MaskW convex = slope.hessian.uu > zero;
        const FloatW step =
            select(convex, -slope.u / select(convex, slope.hessian.uu, most), flip_sign(-most, slope.u));
        n = unit(n + t * max(-most, min(most, step)));
    }
}

// Searches from the best direction so far, without constraint.
template <class CoreA, class CoreB>
ABUT_INLINE void descend_freely(const PairW<CoreA, CoreB>& pair, std::uint32_t lanes, DirectionW& best) {
    const FloatW zero = 0.0f, one = 1.0f, most = kMostStepAngle;
    Vec3W n = best.normal;
    for (int i = 0;; ++i) {
        const Mat3W axes = tangent_axes(n);
        const SlopeW at = slope_at(pair, n, axes.x, axes.y, lanes);
        keep(n, -at.depth, best);
        if (i == kFreeSteps) return;
        const FloatW det = at.hessian.uu * at.hessian.vv - at.hessian.uv * at.hessian.uv;
        const MaskW convex = (at.hessian.uu > zero) & (det > zero);
        const FloatW over = select(convex, one / select(convex, det, one), zero);
        const FloatW u = (at.hessian.uv * at.v - at.hessian.vv * at.u) * over,
                     v = (at.hessian.uv * at.u - at.hessian.uu * at.v) * over;
        const FloatW length = sqrt(u * u + v * v), by = min(one, most / max(length, most));
        n = unit(n + axes.x * (u * by) + axes.y * (v * by));
    }
}

// Searches the circle on which a core's support function has a fold: perpendicular to a cylinder's axis or a box axis.
// Starts at the direction towards B.
template <class CoreA, class CoreB>
ABUT_INLINE void descend_fold_about(const PairW<CoreA, CoreB>& pair, Vec3W axis, std::uint32_t lanes,
                                    DirectionW& best) {
    const Vec3W towards = pair.offset - axis * dot(pair.offset, axis);
    const MaskW has_side = length_squared(towards) > FloatW(kLeastLateral);
    descend_fold(pair, axis, unit(select(has_side, towards, tangent_axes(axis).x)), lanes, best);
}
template <class CoreA, class CoreB, class Core>
ABUT_INLINE void descend_folds_of(const PairW<CoreA, CoreB>&, const Core&, const Mat3W&, std::uint32_t, DirectionW&) {}
template <class CoreA, class CoreB, Curved Core>
ABUT_INLINE void descend_folds_of(const PairW<CoreA, CoreB>& pair, const Core& core, const Mat3W& axes,
                                  std::uint32_t lanes, DirectionW& best) {
    if (core.kind == ShapeKind::cylinder) descend_fold_about(pair, axes.y, lanes, best);
}
template <class CoreA, class CoreB>
ABUT_INLINE void descend_folds_of(const PairW<CoreA, CoreB>& pair, const ExtentCore&, const Mat3W& axes,
                                  std::uint32_t lanes, DirectionW& best) {
    descend_fold_about(pair, axes.x, lanes, best);
    descend_fold_about(pair, axes.y, lanes, best);
    descend_fold_about(pair, axes.z, lanes, best);
}

}  // namespace newton_detail

// Searches from `best` along the folds of both cores, then freely. Replaces `best` by each shallower direction.
template <class CoreA, class CoreB>
ABUT_INLINE void improve(const PairW<CoreA, CoreB>& pair, std::uint32_t lanes, DirectionW& best) {
    using namespace newton_detail;
    const FloatW zero = 0.0f, one = 1.0f;
    descend_folds_of(pair, pair.a, {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}, lanes, best);
    descend_folds_of(pair, pair.b, pair.rotation, lanes, best);
    descend_freely(pair, lanes, best);
    best.separation = gap_along(pair, best.normal, lanes);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
