// Supporting features of curved shapes: a cap as a polygon of corners on its rim, and the line in which a lying cylinder or cone touches a
// plane. An ellipsoid has none but its deepest point, nor has a custom shape.
//
// Faces: 0 looks along +Y, 1 along -Y, 2 is the side. A cone that is hardly higher than rounding has face 0, too: the slice next to its apex.
#pragma once

#include "manifold/feature.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr std::int32_t kTopFace = 0, kBottomFace = 1, kSideFace = 2;
// The ends of a side's line, after the corners of the caps.
inline constexpr std::uint16_t kUpperEnd = 62, kLowerEnd = 63;

ABUT_INLINE bool has_features(ShapeKind kind) { return kind == ShapeKind::cylinder || kind == ShapeKind::cone; }

ABUT_INLINE Vec3W scale_of(const CurvedCore& core) { return core.extent; }
ABUT_INLINE Polytope polytope_of(const CurvedCore&, const LaneArray<float> (&scale)[3], const FrameView& frame, int lane) {
    return {frame.prism, scale[0][lane], scale[1][lane], scale[2][lane], Stretch::box};
}

namespace curved_feature_detail {

// Outward, in the meridian of d: the side's normal is (radius along Y, height sideways) for a cone.
struct SideNormalW {
    Vec3W normal;
    FloatW along;                   // of d, which has any length
    FloatW sideways, own_sideways;  // of d and of the normal

    // d is nearer to a cone's axis than to the normals of its side: what touches there is the apex, and which meridian is meant is rounding.
    ABUT_INLINE MaskW is_of_apex() const { return sideways < FloatW(kApexShare) * own_sideways; }
};
ABUT_INLINE SideNormalW side_normal(const CurvedCore& core, Vec3W d) {
    const FloatW sideways = sqrt(d.x * d.x + d.z * d.z), zero = 0.0f, one = 1.0f;
    const bool is_cone = core.kind == ShapeKind::cone;
    const FloatW up = is_cone ? core.extent.x : zero, out = is_cone ? core.extent.y + core.extent.y : one;
    const FloatW inverse = one / sqrt(max(up * up + out * out, FloatW(kTiny))), by = out * inverse / max(sideways, FloatW(kTiny));
    return {{d.x * by, up * inverse, d.z * by}, (out * sideways + up * d.y) * inverse, sideways, out * inverse};
}

}  // namespace curved_feature_detail

namespace curved_feature_detail {

// What of a cone is within the depth of a slice (slices.hpp) below its apex, halfway down: a disc. It is a face of cones that are no more than
// kLevelDrop bounds high, of those that are all slice from above, of others at the apex.
template <class T>
struct ApexDisc {
    T half_height, tolerance, depth;

    ABUT_INLINE ApexDisc(T of_half_height, T bound)
        : half_height(of_half_height), tolerance(bound), depth(T(kSliceShare) * bound) {}
    ABUT_INLINE auto is_all() const { return half_height + half_height <= depth; }
    ABUT_INLINE auto is_face() const { return half_height + half_height <= T(kLevelDrop) * tolerance; }
    ABUT_INLINE T height_below() const { return half_height - T(0.5f) * depth; }
    ABUT_INLINE T share_below() const { return depth / (half_height + half_height); }
};
struct Disc {
    float height, share;  // of the radius
};
struct DiscW {
    FloatW height, share;
};
ABUT_INLINE Disc apex_disc(float half_height, float tolerance) {
    const ApexDisc<float> of(half_height, tolerance);
    if (of.is_all()) return {0.0f, 1.0f};
    return {of.height_below(), of.share_below()};
}
ABUT_INLINE DiscW apex_disc(FloatW half_height, FloatW tolerance) {
    const ApexDisc<FloatW> of(half_height, tolerance);
    const MaskW all = of.is_all();
    return {select(all, FloatW(0.0f), of.height_below()), select(all, FloatW(1.0f), of.share_below())};
}

}  // namespace curved_feature_detail

// The face that looks most along d (unit, in the core's frame).
ABUT_INLINE LaneArray<std::int32_t> best_faces(const CurvedCore& core, Vec3W d, std::uint32_t, FloatW tolerance, std::uint32_t&) {
    using namespace curved_feature_detail;
    if (!has_features(core.kind)) return lanes_of(IntW(kSideFace));
    const FloatW zero = 0.0f;
    const SideNormalW of_side = side_normal(core, d);
    MaskW top = d.y >= of_side.along;
    if (core.kind == ShapeKind::cone) {
        const ApexDisc<FloatW> disc(core.extent.y, tolerance);
        top = (d.y >= zero) & disc.is_face() & (disc.is_all() | of_side.is_of_apex());
    }
    return lanes_of(select(top, IntW(kTopFace), select(zero - d.y >= of_side.along, IntW(kBottomFace), IntW(kSideFace))));
}

// Unit, as d is; where there are no features, or at the apex, the direction itself.
ABUT_INLINE Vec3W face_normals(const CurvedCore& core, const LaneArray<std::int32_t>& face, Vec3W d) {
    if (!has_features(core.kind)) return d;
    const FloatW zero = 0.0f, one = 1.0f;
    const FloatW which = float_of(load(face) | IntW(0x4b000000)) - FloatW(8388608.0f);
    const MaskW side = which == FloatW(static_cast<float>(kSideFace));
    const Vec3W cap = {zero, select(which == zero, one, -one), zero};
    const auto of_side = curved_feature_detail::side_normal(core, d);
    return select(side, select(of_side.is_of_apex(), d, of_side.normal), cap);
}

// `p` is the prism scaled to the shape.
ABUT_INLINE void set_curved_feature(Feature& f, ShapeKind kind, const Polytope& p, std::int32_t face, float radius,
                                    float tolerance, float side, const ContactAxes& axes) {
    if (!has_features(kind)) return;
    const float narrow = kSliver * tolerance;
    if (face != kSideFace) {
        Polytope cap = p;
        if (kind == ShapeKind::cone && face == kTopFace) {
            const auto disc = curved_feature_detail::apex_disc(p.y, tolerance);
            cap.x *= disc.share, cap.y = disc.height, cap.z *= disc.share;
        }
        if (2.0f * cap.x > narrow) set_face(f, cap, face, radius, side, axes);
        f.has_chords = true;
        return;
    }
    f.has_chords = false;
    if (!(2.0f * p.y > narrow)) return;
    if (kind == ShapeKind::cylinder) {
        set_segment(f, {0.0f, p.y, 0.0f}, {0.0f, -p.y, 0.0f}, radius + p.x, side, axes);
    } else {
        // The line from the apex to the rim that looks most along the normal; none where that is the apex's.
        const Float3 d = axes.normal * side;
        const float sideways = sqrt_of(d.x * d.x + d.z * d.z), out = 2.0f * p.y;
        if (!(sideways * sqrt_of(p.x * p.x + out * out) >= kApexShare * out)) return;
        const float by = sideways > 0.0f ? p.x / sideways : 0.0f;
        set_segment(f, {0.0f, p.y, 0.0f}, {d.x * by, -p.y, d.z * by}, radius, side, axes);
        f.is_round = false;
        f.radius = 0.0f;
    }
    f.vertex[0] = kUpperEnd, f.vertex[1] = kLowerEnd;
    f.has_flat_ends = true;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
