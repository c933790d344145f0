// Support points of E = A - B, whose support function is the depth: what curved cores' search and proof share.
#pragma once

#include "lanes/load.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct DirectionW {
    Vec3W normal;       // unit, from A to B
    FloatW separation;  // along it; not positive for cores that overlap
};

namespace difference_detail {

ABUT_INLINE Vec3W farthest(const PointCore&, Vec3W, std::uint32_t) { return splat(0.0f); }
ABUT_INLINE Vec3W farthest(const ExtentCore& core, Vec3W d, std::uint32_t) { return copysign(core.extent, d); }
ABUT_INLINE Vec3W farthest(const HullCore& core, Vec3W d, std::uint32_t lanes) {
    IntW id;
    return support(core, d, lanes, id);
}
template <Curved Core>
ABUT_INLINE Vec3W farthest(const Core& core, Vec3W d, std::uint32_t) {
    return farthest_point(core, d);
}

ABUT_INLINE Vec3W unit(Vec3W v) { return v * (FloatW(1.0f) / sqrt(max(length_squared(v), FloatW(kTiny)))); }

// Two unit vectors square to n and to each other [Duff et al. 2017].
ABUT_INLINE Mat3W axes_about(Vec3W n) {
    const FloatW one = 1.0f, sign = copysign(one, n.z), a = -(one / (sign + n.z)), b = n.x * n.y * a;
    return {{one + sign * n.x * n.x * a, sign * b, -(sign * n.x)}, {b, sign + n.y * n.y * a, -n.y}, n};
}

}  // namespace difference_detail
}  // namespace abut::ABUT_ISA_NAMESPACE
