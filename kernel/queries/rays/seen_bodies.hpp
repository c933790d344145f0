// Positions of the caller's points relative to its bodies, in double.
#pragma once

#include <abut/frame.hpp>
#include <abut/math.hpp>

#include "base/double_math.hpp"

namespace abut {

// Returns point i relative to the body's position, world axes. Reads double_points, or `points` if that is empty.
inline maths::Vec3d seen_from_body(const Bodies& bodies, std::uint32_t body, const Strided<Vec3>& points,
                                   const Strided<DVec3>& double_points, std::uint32_t i) {
    const DVec3 at = bodies.position(body);
    const maths::Vec3d from = {at.x, at.y, at.z};
    if (double_points.empty()) return maths::to_double(points[i]) - from;
    const DVec3 point = double_points[i];
    return maths::Vec3d{point.x, point.y, point.z} - from;
}

// True if no coordinate exceeds kFarthestMetres; false for NaN.
inline bool is_near(const maths::Vec3d& v) {
    return std::fabs(v.x) <= double(kFarthestMetres) && std::fabs(v.y) <= double(kFarthestMetres) &&
           std::fabs(v.z) <= double(kFarthestMetres);
}

inline Vec3 to_float(const maths::Vec3d& v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

}  // namespace abut
