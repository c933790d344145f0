// Witness points of a depth in closed form: the parts of both cores that are farthest along a direction, and the
// nearest points of these parts.
//
// Such a part is a point, a segment, a rectangle or a disc. Alternating projections find the nearest points of two
// parts; for segments they start at the crossing. After B is moved by the depth along the direction, these points
// should coincide. The caller checks the remaining distance: if it is large, the direction is no minimum.
#pragma once

#include "convex/depth/direction.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace faces_detail {

// The part of a core that is farthest along a direction. `half_axis`: half the edges of a segment or rectangle, or two
// radii of a disc; zero vectors for missing ones.
struct FaceW {
    Vec3W centre, half_axis[2];
    MaskW is_disc;
};

inline Vec3W only(MaskW m, Vec3W v) { return select(m, v, splat(0.0f)); }

ABUT_INLINE FaceW face_of(const PointCore&, Vec3W, FloatW, std::uint32_t) {
    return {splat(0.0f), {splat(0.0f), splat(0.0f)}, MaskW()};
}
ABUT_INLINE FaceW face_of(const HullCore& core, Vec3W d, FloatW, std::uint32_t lanes) {
    return {farthest(core, d, lanes), {splat(0.0f), splat(0.0f)}, MaskW()};
}
ABUT_INLINE FaceW face_of(const ExtentCore& core, Vec3W d, FloatW level, std::uint32_t) {
    const FloatW zero = 0.0f;
    const Vec3W e = core.extent, fall = abs(multiply(e, d)), corner = copysign(e, d);
    const MaskW x = fall.x <= level, y = fall.y <= level, z = fall.z <= level;
    const Vec3W along_x = {e.x, zero, zero}, along_y = {zero, e.y, zero}, along_z = {zero, zero, e.z};
    FaceW face = {{select(x, zero, corner.x), select(y, zero, corner.y), select(z, zero, corner.z)}, {}, MaskW()};
    face.half_axis[0] = select(x, along_x, only(y, along_y));
    face.half_axis[1] = select(x & y, along_y, only(z, along_z));
    return face;
}
ABUT_INLINE FaceW face_of(const CurvedCore& core, Vec3W d, FloatW level, std::uint32_t) {
    const FloatW zero = 0.0f, r = core.extent.x, h = core.extent.y;
    const Vec3W point = farthest_point(core, d);
    FaceW face = {point, {splat(0.0f), splat(0.0f)}, MaskW()};
    if (core.kind != ShapeKind::cylinder && core.kind != ShapeKind::cone) return face;
    const FloatW radial = sqrt(d.x * d.x + d.z * d.z);
    face.is_disc = r * radial <= level;
    if (core.kind == ShapeKind::cone) {
        // A cone's line from the apex to the rim, if it is as far along d as the base.
        face.is_disc &= d.y < zero;
        const MaskW on_side = ~face.is_disc & (abs(FloatW(2.0f) * h * d.y - r * radial) <= level);
        const Vec3W rim = {d.x * (r / max(radial, FloatW(kTiny))), -h, d.z * (r / max(radial, FloatW(kTiny)))},
                    apex = {zero, h, zero};
        face.half_axis[0] = only(on_side, (apex - rim) * FloatW(0.5f));
        face.centre = select(on_side, (apex + rim) * FloatW(0.5f), point);
    } else {
        const MaskW on_side = h * abs(d.y) <= level;
        face.half_axis[0] = only(on_side, {zero, h, zero});
        face.centre.y = select(on_side, zero, point.y);
    }
    face.centre.x = select(face.is_disc, zero, face.centre.x);
    face.centre.z = select(face.is_disc, zero, face.centre.z);
    face.half_axis[0] = select(face.is_disc, {r, zero, zero}, face.half_axis[0]);
    face.half_axis[1] = select(face.is_disc, {zero, zero, r}, face.half_axis[1]);
    return face;
}
ABUT_INLINE FaceW face_of(const CustomCore& core, Vec3W d, FloatW level, std::uint32_t lanes) {
    if (core.kind == ShapeKind::custom) return {farthest_point(core, d), {splat(0.0f), splat(0.0f)}, MaskW()};
    return face_of(static_cast<const CurvedCore&>(core), d, level, lanes);
}

// The point of a face nearest to another point.
ABUT_INLINE Vec3W nearest(const FaceW& face, Vec3W p) {
    const FloatW one = 1.0f, tiny = kTiny;
    const Vec3W from = p - face.centre;
    FloatW x = dot(from, face.half_axis[0]) / max(length_squared(face.half_axis[0]), tiny),
           y = dot(from, face.half_axis[1]) / max(length_squared(face.half_axis[1]), tiny);
    const FloatW shrink = one / sqrt(max(one, x * x + y * y));
    x = select(face.is_disc, x * shrink, max(-one, min(one, x)));
    y = select(face.is_disc, y * shrink, max(-one, min(one, y)));
    return face.centre + face.half_axis[0] * x + face.half_axis[1] * y;
}

}  // namespace faces_detail

// A's witness point for a direction of least depth. `off`: its distance from B's witness point after B has been moved
// out by the depth; 0 if both points are exact.
struct FaceWitnessW {
    Vec3W on_a;
    FloatW off;
};

// `level`: points closer than this to the support plane belong to the face.
template <class CoreA, class CoreB>
inline FaceWitnessW witness_of_faces(const PairW<CoreA, CoreB>& pair, const DirectionW& along, FloatW level,
                                     std::uint32_t lanes) {
    using namespace faces_detail;
    const FloatW zero = 0.0f, one = 1.0f;
    const Vec3W n = along.normal;
    const FaceW a = face_of(pair.a, n, level, lanes);
    FaceW b = face_of(pair.b, rotate_back(pair.rotation, -n), level, lanes);
    // B's face, in A's frame and moved along n until B touches A.
    b.centre = rotate(pair.rotation, b.centre) + pair.offset - n * along.separation;
    b.half_axis[0] = rotate(pair.rotation, b.half_axis[0]), b.half_axis[1] = rotate(pair.rotation, b.half_axis[1]);
    // `share`: the parameter on B's first axis where A's first axis crosses it.
    const Vec3W across = cross(n, a.half_axis[0]);
    const FloatW rate = dot(b.half_axis[0], across);
    const MaskW crosses = abs(rate) > FloatW(kTiny);
    const FloatW share = select(crosses, dot(a.centre - b.centre, across) / select(crosses, rate, one), zero);
    Vec3W on_b = nearest(b, select(crosses, b.centre + b.half_axis[0] * max(-one, min(one, share)), a.centre));
    Vec3W on_a = nearest(a, on_b);
    for (int i = 0; i < 2; ++i) on_b = nearest(b, on_a), on_a = nearest(a, on_b);
    return {on_a, sqrt(length_squared(on_b - on_a))};
}

}  // namespace abut::ABUT_ISA_NAMESPACE
