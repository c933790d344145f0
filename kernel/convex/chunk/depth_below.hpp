// Tests whether A extends deep below its contacts. If so, contacts that follow certainly overlap
// (convex/chunk/follow.hpp).
#pragma once

#include "convex/lanes/polytope.hpp"
#include "convex/manifold/manifold.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace depth_below_detail {

// True if a point (in the core's frame) is certainly inside the rounded core; only cores with planes allow that proof.
// `down`: the direction away from the nearest surface.
template <class Core>
inline MaskW is_inside(const Core&, FloatW, Vec3W, Vec3W, std::uint32_t) {
    return MaskW();
}
inline MaskW is_inside(const ExtentCore& core, FloatW radius, Vec3W p, Vec3W, std::uint32_t) {
    const FloatW zero = 0.0f;
    const Vec3W m = abs(p) - core.extent, over = {max(m.x, zero), max(m.y, zero), max(m.z, zero)};
    return length_squared(over) <= radius * radius;
}
inline MaskW is_inside(const HullCore& core, FloatW radius, Vec3W at, Vec3W down, std::uint32_t lanes) {
    const Vec3W p = at + down * radius;
    const LaneArray<float> x = lanes_of(p.x), y = lanes_of(p.y), z = lanes_of(p.z);
    const LaneArray<float> scale[3] = {lanes_of(core.scale.x), lanes_of(core.scale.y), lanes_of(core.scale.z)};
    FloatW most[kLanes];
    for (FloatW& lane : most) lane = HUGE_VALF;
    for_each_lane(lanes, [&](int lane) {
        const Polytope polytope = polytope_of(core, scale, lane);
        if (polytope.hull->face_count == 0) return;
        const Vec3W point = {x[lane], y[lane], z[lane]};
        most[lane] = -HUGE_VALF;
        for (std::uint32_t i = 0; i < polytope.hull->padded_faces; i += kLanes) {
            const PlaneW plane = polytope.stretch == Stretch::even ? load_planes<Stretch::even>(polytope, i)
                                                                   : load_planes<Stretch::uneven>(polytope, i);
            most[lane] = max(most[lane], dot(plane.normal, point) - plane.offset);
        }
    });
    return reduce_max_each(most) <= FloatW(0.0f);
}
template <Curved Core>
inline MaskW is_inside(const Core& core, FloatW radius, Vec3W at, Vec3W down, std::uint32_t) {
    if (core.kind != ShapeKind::cylinder) return MaskW();
    const Vec3W p = at + down * radius;
    return max(sqrt(p.x * p.x + p.z * p.z) - core.extent.x, abs(p.y) - core.extent.y) <= FloatW(0.0f);
}

}  // namespace depth_below_detail

// Returns those of `lanes` in which the point `deep` below the middle of A's contact points is inside A.
template <class Pair>
inline MaskW is_deep_below(const Pair& pair, const ManifoldW& manifold, std::uint32_t lanes) {
    Vec3W points = splat(0.0f);
    FloatW separations = 0.0f;
    for (int k = 0; k < kManifoldPoints; ++k) {
        const MaskW has = MaskW::from_bits(k == 0 ? kAllLanes : manifold.has[k]);
        points = points + select(has, manifold.point[k], manifold.point[0]);
        separations = separations + select(has, manifold.separation[k], manifold.separation[0]);
    }
    const FloatW quarter = 0.25f, deep = FloatW(kDeepBelowShare) * pair.smaller;
    const Vec3W below = points * quarter - manifold.normal * (separations * (quarter * FloatW(0.5f)) + deep);
    return depth_below_detail::is_inside(pair.a, pair.radius_a, below, -manifold.normal, lanes) &
           MaskW::from_bits(lanes);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
