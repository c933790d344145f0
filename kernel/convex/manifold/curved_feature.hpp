// Supporting features of curved shapes: a cap as a polygon of corners on its rim, and the line along which a lying
// cylinder or cone touches a plane. Ellipsoids and custom shapes have only their deepest point.
//
// Faces: 0 has the normal +Y, 1 has -Y, 2 is the lateral face. A cone not higher than a slice also has face 0: a disc
// at half its height.
#pragma once

#include "convex/lanes/curved.hpp"
#include "convex/manifold/feature.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr std::int32_t kTopFace = 0, kBottomFace = 1, kLateralFace = 2;
// Vertex ids of the ends of a lateral face's line, after those of the caps' corners.
inline constexpr std::uint16_t kUpperEnd = 62, kLowerEnd = 63;

// The normal of a lateral face in one meridian.
struct LateralNormalW {
    Vec3W normal;
    FloatW along;                       // cosine with the given direction
    FloatW asked_lateral, own_lateral;  // lateral parts of that direction and of the normal itself

    // True if the direction is closer to a cone's axis than to the normals of the lateral face. The apex touches then,
    // because rounding would choose the meridian.
    MaskW is_of_apex() const { return asked_lateral < FloatW(kApexShare) * own_lateral; }
};
// The outward normal in the meridian of d; that of a cone is (radius along Y, height perpendicular to Y).
inline LateralNormalW lateral_normal(const CurvedCore& core, Vec3W d) {
    const FloatW lateral = sqrt(d.x * d.x + d.z * d.z), zero = 0.0f, one = 1.0f;
    const bool is_cone = core.kind == ShapeKind::cone;
    const FloatW up = is_cone ? core.extent.x : zero, out = is_cone ? core.extent.y + core.extent.y : one;
    const FloatW inverse = one / sqrt(max(up * up + out * out, FloatW(kTiny))),
                 by = out * inverse / max(lateral, FloatW(kTiny));
    return {{d.x * by, up * inverse, d.z * by}, (out * lateral + up * d.y) * inverse, lateral, out * inverse};
}

inline bool has_features(ShapeKind kind) { return kind == ShapeKind::cylinder || kind == ShapeKind::cone; }

inline Vec3W scale_of(const CurvedCore& core) { return core.extent; }
inline Polytope polytope_of(const CurvedCore&, const LaneArray<float> (&scale)[3], const FrameView& frame, int lane) {
    return {frame.prism, scale[0][lane], scale[1][lane], scale[2][lane], Stretch::box};
}

// The face best aligned with d (unit, in the core's frame).
inline LaneArray<std::int32_t> best_faces(const CurvedCore& core, Vec3W d, std::uint32_t, FloatW tolerance,
                                          std::uint32_t&) {
    if (!has_features(core.kind)) return lanes_of(IntW(kLateralFace));
    const FloatW zero = 0.0f;
    const LateralNormalW lateral = lateral_normal(core, d);
    MaskW top = d.y >= lateral.along;
    if (core.kind == ShapeKind::cone)
        top = (d.y >= zero) & (core.extent.y + core.extent.y <= FloatW(kSliceShare) * tolerance);
    return lanes_of(
        select(top, IntW(kTopFace), select(zero - d.y >= lateral.along, IntW(kBottomFace), IntW(kLateralFace))));
}

// The faces' outward normals, unit, in the core's frame; d itself if the shape has no features, or if the apex touches.
ABUT_INLINE Vec3W normals_of_faces(const CurvedCore& core, const LaneArray<std::int32_t>& face, Vec3W d) {
    if (!has_features(core.kind)) return d;
    const FloatW zero = 0.0f, one = 1.0f;
    const FloatW which = float_of(load(face) | IntW(0x4b000000)) - FloatW(8388608.0f);
    const MaskW is_lateral = which == FloatW(static_cast<float>(kLateralFace));
    const Vec3W cap = {zero, select(which == zero, one, -one), zero};
    const LateralNormalW lateral = lateral_normal(core, d);
    return select(is_lateral, select(lateral.is_of_apex(), d, lateral.normal), cap);
}

// Sets a cap or the line of a lateral face. `p`: the prism, scaled to the shape.
inline void set_curved_feature(Feature& f, ShapeKind kind, const Polytope& p, std::int32_t face, float radius,
                               float tolerance, float normal_sign, const ContactAxes& axes) {
    if (!has_features(kind)) return;
    const float narrow = kSliver * tolerance;
    if (face != kLateralFace) {
        Polytope cap = p;
        if (kind == ShapeKind::cone && face == kTopFace) cap.y = 0.0f;
        if (2.0f * cap.x > narrow) set_face(f, cap, face, radius, normal_sign, axes);
        f.has_chords = true;
        return;
    }
    f.has_chords = false;
    if (!(2.0f * p.y > narrow)) return;
    if (kind == ShapeKind::cylinder) {
        set_segment(f, {0.0f, p.y, 0.0f}, {0.0f, -p.y, 0.0f}, radius + p.x, normal_sign, axes);
    } else {
        // The line from the apex to the rim that is best aligned with the normal; none if the apex touches.
        const Float3 d = axes.normal * normal_sign;
        const float lateral = sqrt_of(d.x * d.x + d.z * d.z), out = 2.0f * p.y;
        if (!(lateral * sqrt_of(p.x * p.x + out * out) >= kApexShare * out)) return;
        const float by = lateral > 0.0f ? p.x / lateral : 0.0f;
        set_segment(f, {0.0f, p.y, 0.0f}, {d.x * by, -p.y, d.z * by}, radius, normal_sign, axes);
        f.is_round = false;
        f.radius = 0.0f;
        // Up to these lateral distances from the line's ends, the surface is at most `inwards` below the line.
        const float sine = out / sqrt_of(p.x * p.x + out * out), inwards = kLineDepth * tolerance;
        const auto aside_squared = [&](float of) {
            return inwards < 2.0f * of ? inwards * (2.0f * of - inwards) : 0.0f;
        };
        f.aside[0] = aside_squared(radius * sine), f.aside[1] = aside_squared(p.x + radius * sine);
    }
    f.vertex[0] = kUpperEnd, f.vertex[1] = kLowerEnd;
    f.has_flat_ends = true;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
