// Proofs of overlap in closed form: a point in both shapes. Three points are tried: one on the line between the
// centres, and the point of either shape nearest to the other's centre. They prove most overlaps of curved shapes,
// including shapes that stand on each other's caps, whose common volume is too small for GJK.
#pragma once

#include "convex/lanes/curved.hpp"
#include "convex/lanes/load.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace common_point_detail {

// True if a core contains its own origin, its centre. The origin of a custom shape may be outside.
template <class Core>
ABUT_INLINE bool has_middle(const Core&) {
    return true;
}
ABUT_INLINE bool has_middle(const CustomCore& core) { return core.kind != ShapeKind::custom; }

// A lower bound on the distance from the centre of the rounded core to its surface along `direction`, in units of the
// direction's length. `rounding`: the shape's radius in the same units.
ABUT_INLINE FloatW reach_along(const PointCore&, Vec3W, FloatW rounding) { return rounding; }
ABUT_INLINE FloatW reach_along(const ExtentCore& core, Vec3W direction, FloatW rounding) {
    const FloatW tiny = kTiny;
    const Vec3W e = core.extent, by = abs(direction);
    return min(e.x / max(by.x, tiny), min(e.y / max(by.y, tiny), e.z / max(by.z, tiny))) + rounding;
}
ABUT_INLINE FloatW reach_along(const CurvedCore& core, Vec3W direction, FloatW rounding) {
    const FloatW tiny = kTiny, r = core.extent.x, h = core.extent.y,
                 radial = sqrt(curved_detail::radial_squared(direction));
    switch (core.kind) {
        case ShapeKind::cylinder: return min(h / max(abs(direction.y), tiny), r / max(radial, tiny)) + rounding;
        case ShapeKind::cone: {
            // Downwards the base limits the distance, upwards the lateral face, which is half the base's radius from
            // the centre.
            const FloatW half = FloatW(0.5f) * r;
            return min(h / max(-direction.y, tiny), half / max(radial + direction.y * (half / max(h, tiny)), tiny)) +
                   rounding;
        }
        case ShapeKind::ellipsoid: {
            // The bound is for the whole ellipsoid, whose erosion is a part of its radius.
            const Vec3W e = core.extent, share = {direction.x / max(e.x, tiny), direction.y / max(e.y, tiny),
                                                  direction.z / max(e.z, tiny)};
            return FloatW(1.0f) / max(sqrt(length_squared(share)), tiny);
        }
        default: return 0.0f;
    }
}

// The point of the core nearest to p, or the core's centre.
ABUT_INLINE Vec3W near_point(const PointCore&, Vec3W) { return splat(0.0f); }
ABUT_INLINE Vec3W near_point(const ExtentCore& core, Vec3W p) {
    const Vec3W e = core.extent;
    return {max(-e.x, min(e.x, p.x)), max(-e.y, min(e.y, p.y)), max(-e.z, min(e.z, p.z))};
}
ABUT_INLINE Vec3W near_point(const CurvedCore& core, Vec3W p) {
    if (core.kind != ShapeKind::cylinder) return splat(0.0f);
    const FloatW r = core.extent.x, h = core.extent.y, radial = sqrt(curved_detail::radial_squared(p));
    const FloatW by = min(FloatW(1.0f), r / max(radial, FloatW(kTiny)));
    return {p.x * by, max(-h, min(h, p.y)), p.z * by};
}

ABUT_INLINE FloatW inverse_of(FloatW length) { return FloatW(1.0f) / max(length, FloatW(kTiny)); }

// True if a rounded core contains a point (in the core's frame), by more than `sure`.
template <class Core>
ABUT_INLINE MaskW contains(const Core& core, Vec3W p, FloatW radius, FloatW sure) {
    const FloatW length = sqrt(length_squared(p));
    return (reach_along(core, p, radius * inverse_of(length)) - FloatW(1.0f)) * length > sure;
}

}  // namespace common_point_detail

// Lanes proved to overlap by more than rounding.
template <class CoreA, class CoreB>
ABUT_INLINE MaskW have_common_point(const PairW<CoreA, CoreB>& pair) {
    using namespace common_point_detail;
    if (!has_middle(pair.a) || !has_middle(pair.b)) return MaskW();
    const FloatW sure = FloatW(kCertificateShare) * pair.tolerance, length = sqrt(length_squared(pair.offset)),
                 inverse = inverse_of(length);
    const Vec3W to_b = pair.offset, to_a = rotate_back(pair.rotation, -pair.offset);
    const FloatW of_a = reach_along(pair.a, to_b, pair.radius_a * inverse),
                 of_b = reach_along(pair.b, to_a, pair.radius_b * inverse);
    return ((of_a + of_b - FloatW(1.0f)) * length > sure) |
           contains(pair.a, rotate(pair.rotation, near_point(pair.b, to_a)) + to_b, pair.radius_a, sure) |
           contains(pair.b, rotate_back(pair.rotation, near_point(pair.a, to_b) - to_b), pair.radius_b, sure);
}
// Proves no overlap of hulls: they need not contain their origin, and GJK needs few steps for deep overlaps
// (docs/decisions.md).
template <class CoreB>
ABUT_INLINE MaskW have_common_point(const PairW<HullCore, CoreB>&) {
    return MaskW();
}

}  // namespace abut::ABUT_ISA_NAMESPACE
