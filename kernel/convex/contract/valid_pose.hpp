// The test for a valid pose, in the same arithmetic as in lanes (convex/lanes/load.hpp).
#pragma once

#include <cmath>

#include <abut/frame.hpp>
#include <abut/math.hpp>

#include "base/tolerances.hpp"

namespace abut {

// The sum of the absolute coordinates, metres; NaN if a coordinate is.
inline float metres_out(Vec3 p) { return std::fabs(p.x) + std::fabs(p.y) + std::fabs(p.z); }

inline bool is_valid_pose(const Body& body) {
    const Vec3 p = body.position;
    const Quat q = body.orientation;
    const float norm_squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return metres_out(p) <= kFarthestMetres && norm_squared >= kUnitSquaredLow && norm_squared <= kUnitSquaredHigh;
}

// As the test, for a body with children or triangles, whose positions are computed in double.
inline bool is_valid_parent_pose(const Body& body) {
    return is_valid_pose(body) && metres_out(body.position) <= kMostMetres;
}

}  // namespace abut
