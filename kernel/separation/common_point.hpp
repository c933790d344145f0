// Proofs of overlap in closed form: a point that both shapes have. Three are tried: one on the line between the middles, and of either shape the point
// next to the other's middle. They prove most overlaps of curved shapes, and those of shapes that stand on each other's caps, for which GJK has next to no
// volume to find.
#pragma once

#include "lanes/curved.hpp"
#include "lanes/load.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace common_point_detail {

// True if a core's own origin is in it, as its middle. The origin of a custom shape may be outside.
template <class Core>
ABUT_INLINE bool has_middle(const Core&) {
    return true;
}
ABUT_INLINE bool has_middle(const CustomCore& core) { return core.kind != ShapeKind::custom; }

// A lower bound on the distance from the middle of the rounded core to its surface along `way`, in lengths of that. `rounding`: the shape's radius,
// in the same lengths.
ABUT_INLINE FloatW reach_along(const PointCore&, Vec3W, FloatW rounding) { return rounding; }
ABUT_INLINE FloatW reach_along(const ExtentCore& core, Vec3W direction, FloatW rounding) {
    const FloatW tiny = kTiny;
    const Vec3W e = core.extent, by = abs(direction);
    return min(e.x / max(by.x, tiny), min(e.y / max(by.y, tiny), e.z / max(by.z, tiny))) + rounding;
}
ABUT_INLINE FloatW reach_along(const CurvedCore& core, Vec3W direction, FloatW rounding) {
    const FloatW tiny = kTiny, r = core.extent.x, h = core.extent.y, sideways = sqrt(curved_detail::radial_squared(direction));
    switch (core.kind) {
        case ShapeKind::cylinder: return min(h / max(abs(direction.y), tiny), r / max(sideways, tiny)) + rounding;
        case ShapeKind::cone: {
            // Down to the base; up to the side, which is half the base's radius from the middle.
            const FloatW half = FloatW(0.5f) * r;
            return min(h / max(-direction.y, tiny), half / max(sideways + direction.y * (half / max(h, tiny)), tiny)) + rounding;
        }
        case ShapeKind::ellipsoid: {
            // For the whole ellipsoid: its erosion is a part of its radius.
            const Vec3W e = core.extent, share = {direction.x / max(e.x, tiny), direction.y / max(e.y, tiny), direction.z / max(e.z, tiny)};
            return FloatW(1.0f) / max(sqrt(length_squared(share)), tiny);
        }
        default: return 0.0f;
    }
}

// The core's point that is nearest to p, or its middle.
ABUT_INLINE Vec3W near_point(const PointCore&, Vec3W) { return splat(0.0f); }
ABUT_INLINE Vec3W near_point(const ExtentCore& core, Vec3W p) {
    const Vec3W e = core.extent;
    return {max(-e.x, min(e.x, p.x)), max(-e.y, min(e.y, p.y)), max(-e.z, min(e.z, p.z))};
}
ABUT_INLINE Vec3W near_point(const CurvedCore& core, Vec3W p) {
    if (core.kind != ShapeKind::cylinder) return splat(0.0f);
    const FloatW r = core.extent.x, h = core.extent.y, sideways = sqrt(curved_detail::radial_squared(p));
    const FloatW by = min(FloatW(1.0f), r / max(sideways, FloatW(kTiny)));
    return {p.x * by, max(-h, min(h, p.y)), p.z * by};
}

ABUT_INLINE FloatW inverse_of(FloatW length) { return FloatW(1.0f) / max(length, FloatW(kTiny)); }

// True if a rounded core contains a point (in its frame), by more than `sure`.
template <class Core>
ABUT_INLINE MaskW contains(const Core& core, Vec3W p, FloatW radius, FloatW sure) {
    const FloatW length = sqrt(length_squared(p));
    return (reach_along(core, p, radius * inverse_of(length)) - FloatW(1.0f)) * length > sure;
}

}  // namespace common_point_detail

// Pairs that overlap by more than rounding, as far as this tells.
template <class CoreA, class CoreB>
ABUT_INLINE MaskW have_common_point(const PairW<CoreA, CoreB>& pair) {
    using namespace common_point_detail;
    if (!has_middle(pair.a) || !has_middle(pair.b)) return MaskW();
    const FloatW sure = FloatW(kCertificateShare) * pair.tolerance, length = sqrt(length_squared(pair.offset)), inverse = inverse_of(length);
    const Vec3W to_b = pair.offset, to_a = rotate_back(pair.rotation, -pair.offset);
    const FloatW of_a = reach_along(pair.a, to_b, pair.radius_a * inverse), of_b = reach_along(pair.b, to_a, pair.radius_b * inverse);
    return ((of_a + of_b - FloatW(1.0f)) * length > sure) |
           contains(pair.a, rotate(pair.rotation, near_point(pair.b, to_a)) + to_b, pair.radius_a, sure) |
           contains(pair.b, rotate_back(pair.rotation, near_point(pair.a, to_b) - to_b), pair.radius_b, sure);
}
// Not asked: a hull's origin need not be in it, and GJK needs few steps for hulls that overlap deeply (docs/decisions.md).
template <class CoreB>
ABUT_INLINE MaskW have_common_point(const PairW<HullCore, CoreB>&) {
    return MaskW();
}

}  // namespace abut::ABUT_ISA_NAMESPACE
