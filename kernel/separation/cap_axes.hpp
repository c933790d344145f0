// Pairs with a cylinder or a cone that are apart along the axis of a cap. Where two flat sides are nearly parallel, GJK's simplices are slivers whose
// direction float32 does not know. The cap's axis is known, and a point of the other shape over the cap shows that nothing is nearer.
#pragma once

#include "lanes/answer.hpp"
#include "lanes/curved.hpp"
#include "separation/certify.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace cap_detail {

// The cap that looks along a direction, in the shape's frame.
struct CapW {
    MaskW has;
    FloatW up, height, radius;  // 1 or -1: its outward normal is (0, up, 0)

    ABUT_INLINE CapW(const CurvedCore& core, Vec3W d) : up(copysign(FloatW(1.0f), d.y)), height(core.extent.y), radius(core.extent.x) {
        has = d.y * d.y >= FloatW(kAlongCapCosineSquared) * length_squared(d);
        if (core.kind == ShapeKind::cone) has &= up < FloatW(0.0f);
        if (core.kind != ShapeKind::cone && core.kind != ShapeKind::cylinder) has = MaskW();
    }
    ABUT_INLINE FloatW above(Vec3W p) const { return up * p.y - height; }
    // Down to the cap's plane.
    ABUT_INLINE Vec3W down(Vec3W p) const { return {p.x, up * height, p.z}; }
    ABUT_INLINE MaskW is_under(Vec3W p) const { return p.x * p.x + p.z * p.z <= radius * radius; }
};

}  // namespace cap_detail

// For `lanes` whose cores are apart along about `s.v`.
template <class CoreA, class CoreB>
ABUT_NOINLINE CertifiedW certify_by_caps(const PairW<CoreA, CoreB>& pair, const SimplexW& s, std::uint32_t lanes) {
    using namespace cap_detail;
    const FloatW half = 0.5f, zero = 0.0f, allowed = FloatW(kCertificateShare) * pair.tolerance;
    lanes &= (pair.tolerance > FloatW(kSureAxisBound)).bits();
    CertifiedW out;
    out.certified = MaskW();
    out.answer = {zero, splat(0.0f), splat(0.0f)};
    // `other`: a point of the other shape in the cap's frame.
    const auto try_point = [&](const CapW& cap, FloatW gap, Vec3W n, Vec3W other, auto&& place) {
        const FloatW above = cap.above(other);
        const MaskW can = cap.has & ~out.certified & cap.is_under(other) & (gap > allowed) & (above - gap <= allowed);
        if (!any(can)) return;
        const Vec3W midpoint = place((other + cap.down(other)) * half) + n * ((pair.radius_a - pair.radius_b) * half);
        out.answer = {select(can, (above + gap) * half - pair.radius, out.answer.signed_distance), select(can, n, out.answer.normal),
                      select(can, midpoint, out.answer.midpoint)};
        out.certified |= can;
    };
    const auto try_cap = [&](const CapW& cap, Vec3W n, auto&& support_of_other, auto&& found_of_other, auto&& place) {
        const std::uint32_t asked = (cap.has & ~out.certified).bits() & lanes;
        if (asked == 0) return;
        const FloatW gap = gap_along(pair, n, asked);
        try_point(cap, gap, n, support_of_other(asked), place);
        try_point(cap, gap, n, found_of_other(), place);
    };
    const auto in_a = [&](Vec3W p) { return rotate(pair.rotation, p) + pair.offset; };
    const auto in_b = [&](Vec3W p) { return rotate_back(pair.rotation, p - pair.offset); };
    if constexpr (kIsCurved<CoreA>) {
        const CapW cap(pair.a, s.v);
        const Vec3W n = {zero, cap.up, zero};
        try_cap(
            cap, n, [&](std::uint32_t asked) { return in_a(farthest(pair.b, rotate_back(pair.rotation, -n), asked)); },
            [&] { return point_on_b(pair, s); }, [](Vec3W p) { return p; });
    }
    const CapW cap(pair.b, -rotate_back(pair.rotation, s.v));
    const Vec3W n = pair.rotation.y * -cap.up;
    try_cap(
        cap, n, [&](std::uint32_t asked) { return in_b(farthest(pair.a, n, asked)); }, [&] { return in_b(point_on_a(pair, s)); }, in_a);
    out.certified &= MaskW::from_bits(lanes);
    return out;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
