// Supporting features of curved shapes: a cap as a polygon of corners on its rim, and the line in which a lying cylinder or cone touches a
// plane. An ellipsoid has none but its deepest point, nor has a custom shape.
//
// Faces: 0 looks along +Y, 1 along -Y, 2 is the side. A cone that is hardly higher than rounding has face 0, too: the slice next to its apex.
#pragma once

#include "manifold/feature.hpp"
#include "manifold/lateral_strip.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr std::int32_t kTopFace = 0, kBottomFace = 1, kLateralFace = 2;
// The ends of a side's line, after the corners of the caps, and the corners of its strip (lateral_strip.hpp), counter-clockwise from an upper one. A cone's two
// last lie between its lower ones, on the rim.
inline constexpr std::uint16_t kUpperEnd = 62, kLowerEnd = 63, kStripCorner = 56;
inline constexpr std::uint32_t kStripCorners = 6;

ABUT_INLINE LateralNormalW lateral_normal(const CurvedCore& core, Vec3W d) { return lateral_normal(core.kind, core.extent.x, core.extent.y, d); }

ABUT_INLINE bool has_features(ShapeKind kind) { return kind == ShapeKind::cylinder || kind == ShapeKind::cone; }

ABUT_INLINE Vec3W scale_of(const CurvedCore& core) { return core.extent; }
ABUT_INLINE Polytope polytope_of(const CurvedCore&, const LaneArray<float> (&scale)[3], const FrameView& frame, int lane) {
    return {frame.prism, scale[0][lane], scale[1][lane], scale[2][lane], Stretch::box};
}

namespace curved_feature_detail {

// What of a cone is within the depth of a slice (slices.hpp) below its apex, halfway down: a disc. It is a face where it is as wide as a strip
// (lateral_strip.hpp) has to be: of cones that are all slice from above, of others at the apex.
template <class T>
struct ApexDisc {
    T half_height, depth;

    ABUT_INLINE ApexDisc(T of_half_height, T bound) : half_height(of_half_height), depth(T(kSliceShare) * bound) {}
    ABUT_INLINE auto is_all() const { return half_height + half_height <= depth; }
    ABUT_INLINE auto is_face(T radius, T smaller) const { return share_below() * radius > T(kStripWidth) * smaller; }
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
ABUT_INLINE LaneArray<std::int32_t> best_faces(const CurvedCore& core, Vec3W d, std::uint32_t, FloatW tolerance, FloatW smaller, std::uint32_t&) {
    using namespace curved_feature_detail;
    if (!has_features(core.kind)) return lanes_of(IntW(kLateralFace));
    const FloatW zero = 0.0f;
    const LateralNormalW of_side = lateral_normal(core, d);
    MaskW top = d.y >= of_side.along;
    if (core.kind == ShapeKind::cone) {
        const ApexDisc<FloatW> disc(core.extent.y, tolerance);
        top = (d.y >= zero) & (disc.is_all() | (disc.is_face(core.extent.x, smaller) & of_side.is_of_apex()));
    }
    return lanes_of(select(top, IntW(kTopFace), select(zero - d.y >= of_side.along, IntW(kBottomFace), IntW(kLateralFace))));
}

// Unit, as d is; where there are no features, or at the apex, the direction itself.
ABUT_INLINE Vec3W normals_of_faces(const CurvedCore& core, const LaneArray<std::int32_t>& face, Vec3W d) {
    if (!has_features(core.kind)) return d;
    const FloatW zero = 0.0f, one = 1.0f;
    const FloatW which = float_of(load(face) | IntW(0x4b000000)) - FloatW(8388608.0f);
    const MaskW side = which == FloatW(static_cast<float>(kLateralFace));
    const Vec3W cap = {zero, select(which == zero, one, -one), zero};
    const auto of_side = lateral_normal(core, d);
    return select(side, select(of_side.is_of_apex(), d, of_side.normal), cap);
}

// The strip of a side in a plane below the line. False where it is hardly wider than that line.
inline bool set_strip(Feature& f, ShapeKind kind, const Polytope& p, float radius, float tolerance, float smaller, float side,
                      const ContactAxes& axes) {
    const Float3 d = axes.normal * side;
    const LateralNormalW along = lateral_normal(kind, FloatW(p.x), FloatW(p.y), {d.x, d.y, d.z});
    const LateralStripW strip(kind, p.x, p.y, radius, along, tolerance);
    if ((strip.is_wide(smaller) & ~along.is_of_apex()).bits() % 2 == 0) return false;
    const auto first = [](FloatW v) { return lanes_of(v)[0]; };
    // Everything is placed along the axis as it is seen and square to it: the axes of the contact are unit to rounding, which the radius multiplies.
    const Float3 axis = {axes.x.y, axes.y.y, axes.normal.y};
    const float flat = axis.x * axis.x + axis.y * axis.y, inverse = side / sqrt_of(flat * dot(axis, axis) + kTiny);
    const Float3 out = {-(axis.x * axis.z) * inverse, -(axis.y * axis.z) * inverse, flat * inverse}, across = cross(out, axis);
    const Float3 normal = out * first(along.own_lateral) + axis * first(along.normal.y);
    const ContactAxes seen = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, axes.origin};
    const float depth = first(strip.depth), below = kStripBelow * depth;
    HullCorner corners[kStripCorners + kLanes] = {};
    std::uint32_t count = 0;
    const auto put = [&](const LateralStripW::EndW& end, float part, std::uint32_t corner) {
        const Vec3W of = strip.corner(end, part);
        const Float3 at = out * first(of.x) + axis * first(of.y) + across * first(of.z) + normal * (part * part * depth - below);
        corners[count++] = {at.x, at.y, at.z, static_cast<std::int32_t>(kStripCorner + corner), 0, 0, 0, 0};
    };
    constexpr float kThird = 1.0f / 3.0f;
    put(strip.upper, -1.0f, 0), put(strip.upper, 1.0f, 1), put(strip.lower, 1.0f, 2);
    if (kind == ShapeKind::cone) put(strip.lower, kThird, 4), put(strip.lower, -kThird, 5);
    put(strip.lower, -1.0f, 3);
    for (std::uint32_t i = 0; i < count; ++i) {
        HullCorner& c = corners[i];
        const HullCorner& next = corners[i + 1 < count ? i + 1 : 0];
        c.way_x = next.x - c.x, c.way_y = next.y - c.y, c.way_z = next.z - c.z;
    }
    if (!set_plane(f, normal, kLateralFace, 0.0f, side, seen)) return true;
    f.count = count;
    f.has_chords = true;
    f.width = first(strip.upper.half_width + strip.lower.half_width);
    for (std::uint32_t i = 0; i < count; i += kLanes)
        feature_detail::set_corners(f, i, corners, {p.hull, 1.0f, 1.0f, 1.0f, Stretch::even}, seen, seen.origin);
    f.height0 = f.height[0] - (f.slope_x * f.x[0] + f.slope_y * f.y[0]);
    return true;
}

// `p` is the prism scaled to the shape; `smaller`: size of the pair.
ABUT_INLINE void set_curved_feature(Feature& f, ShapeKind kind, const Polytope& p, std::int32_t face, float radius, float tolerance, float smaller,
                                    float side, const ContactAxes& axes) {
    if (!has_features(kind)) return;
    const float narrow = kSliver * tolerance;
    if (face != kLateralFace) {
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
    if (set_strip(f, kind, p, radius, tolerance, smaller, side, axes)) return;
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
        // No farther than the rim is within the depth, either.
        const float sine = out / sqrt_of(p.x * p.x + out * out), inwards = kStripDepth * tolerance;
        const auto aside_squared = [&](float of) { return inwards < 2.0f * of ? inwards * (2.0f * of - inwards) : 0.0f; };
        f.aside[0] = aside_squared(radius * sine), f.aside[1] = aside_squared(p.x + radius * sine);
    }
    f.vertex[0] = kUpperEnd, f.vertex[1] = kLowerEnd;
    f.has_flat_ends = true;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
