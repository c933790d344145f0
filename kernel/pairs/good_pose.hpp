// What a body's pose must satisfy. The same test, in the same arithmetic, as the lanes' (separation/load.hpp).
#pragma once

#include <cmath>

#include <abut/frame.hpp>

#include "tolerances.hpp"

namespace abut {

inline bool is_good_pose(const Body& body) {
    const Vec3 p = body.position;
    const Quat q = body.orientation;
    const float norm_squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z) && norm_squared >= kUnitSquaredLow &&
           norm_squared <= kUnitSquaredHigh;
}

}  // namespace abut
