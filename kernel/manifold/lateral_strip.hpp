// What of a cylinder's or cone's side lies within half of promise 1's bound of the plane that touches it along a line. It is hardly wider than that
// line, except next to a shape some thousand times larger and on a cone that is nearly flat: there it is a face.
#pragma once

#include "lanes/curved.hpp"
#include "wide/vec.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The side's normal in one meridian.
struct LateralNormalW {
    Vec3W normal;
    FloatW along;                  // of the direction it was asked for
    FloatW sideways, own_lateral;  // of that direction and of the normal

    // The direction is nearer to a cone's axis than to the normals of its side: what touches there is the apex, and which meridian is meant is rounding.
    ABUT_INLINE MaskW is_of_apex() const { return sideways < FloatW(kApexShare) * own_lateral; }
};
// Outward, in the meridian of d: the side's normal is (radius along Y, height sideways) for a cone.
ABUT_INLINE LateralNormalW lateral_normal(ShapeKind kind, FloatW radius, FloatW half_height, Vec3W d) {
    const FloatW sideways = sqrt(d.x * d.x + d.z * d.z), zero = 0.0f, one = 1.0f;
    const bool is_cone = kind == ShapeKind::cone;
    const FloatW up = is_cone ? radius : zero, out = is_cone ? half_height + half_height : one;
    const FloatW inverse = one / sqrt(max(up * up + out * out, FloatW(kTiny))), by = out * inverse / max(sideways, FloatW(kTiny));
    return {{d.x * by, up * inverse, d.z * by}, (out * sideways + up * d.y) * inverse, sideways, out * inverse};
}

// Circles about the axis near both ends of the line: at the depth they are as wide as the strip. A plane along a cone's line cuts it in a parabola; of the
// quadrilaterals in a parabola the largest has its short side a ninth of the way along. A fourteenth loses a hundredth of the area, and less of the length.
struct LateralStripW {
    struct EndW {
        FloatW radius, height, half_width;
    };
    EndW upper, lower;
    FloatW depth, inwards;  // inwards: how far inside of a circle's foremost point that is, along the unit direction or the normal

    ABUT_INLINE LateralStripW(ShapeKind kind, FloatW radius, FloatW half_height, FloatW rounding, const LateralNormalW& side, FloatW tolerance)
        : depth(FloatW(kStripDepth) * tolerance), inwards(depth / max(side.own_lateral, side.sideways)) {
        const FloatW out = rounding * side.own_lateral, up = rounding * side.normal.y;
        lower.radius = radius + out, lower.height = up - half_height;
        upper.radius = lower.radius, upper.height = up + half_height;
        if (kind == ShapeKind::cone) {
            upper.radius = min(lower.radius, max(out, (lower.radius + FloatW(6.5f) * inwards) * FloatW(1.0f / 14.0f)));
            upper.height = upper.height - (half_height + half_height) * ((upper.radius - out) / radius);
        }
        upper.half_width = aside(upper, 1.0f), lower.half_width = aside(lower, 1.0f);
    }
    // `smaller`: size.
    ABUT_INLINE MaskW is_wide(FloatW smaller) const { return upper.half_width + lower.half_width > FloatW(kStripWidth) * smaller; }

    // A point of the surface, on an end's circle, at `part` 1 and -1 at the depth: so far out in the meridian, along the axis, and across (out x axis).
    ABUT_INLINE Vec3W corner(const EndW& end, float part) const {
        const FloatW across = aside(end, part);
        return {end.radius - inwards_at(end, part), end.height, part < 0.0f ? -across : across};
    }

private:
    ABUT_INLINE FloatW inwards_at(const EndW& end, float part) const { return min(FloatW(part * part) * inwards, end.radius + end.radius); }
    ABUT_INLINE FloatW aside(const EndW& end, float part) const {
        const FloatW in = inwards_at(end, part);
        return sqrt(max(in * (end.radius + end.radius - in), FloatW(0.0f)));
    }
};

}  // namespace abut::ABUT_ISA_NAMESPACE
