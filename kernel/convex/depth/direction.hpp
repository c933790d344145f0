// Directions and depths along them, in E = A - B, whose support function is the depth: shared by the search and the
// proof for curved cores.
#pragma once

#include "convex/lanes/load.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct DirectionW {
    Vec3W normal;       // unit, from A to B
    FloatW separation;  // of the cores along the normal; not positive if they overlap
};

namespace direction_detail {

ABUT_INLINE Vec3W unit(Vec3W v) { return v * (FloatW(1.0f) / sqrt(max(length_squared(v), FloatW(kTiny)))); }

// Two unit vectors perpendicular to n and to each other [Duff et al. 2017].
ABUT_INLINE Mat3W tangent_axes(Vec3W n) {
    const FloatW one = 1.0f, sign = copysign(one, n.z), a = -(one / (sign + n.z)), b = n.x * n.y * a;
    return {{one + sign * n.x * n.x * a, sign * b, -(sign * n.x)}, {b, sign + n.y * n.y * a, -n.y}, n};
}

}  // namespace direction_detail
}  // namespace abut::ABUT_ISA_NAMESPACE
