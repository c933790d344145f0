// A ray and its hit in a shape's frame.
#pragma once

#include <cstdint>
#include <limits>

#include <abut/rays.hpp>
#include <abut/status.hpp>

#include "base/double_math.hpp"

namespace abut {

struct LocalRay {
    maths::Vec3d origin, direction;  // metres; unit vector
    double length;                   // metres, 0 or more

    maths::Vec3d at(double distance) const { return origin + direction * distance; }
};

struct LocalHit {
    double distance = std::numeric_limits<double>::infinity();  // along the ray, metres; infinite for a miss
    maths::Vec3d normal{};                                      // unit, outward; zero if the ray starts inside
    std::uint32_t child = 0;
    std::uint16_t face = kNoFace;
    bool starts_inside = false;
    Status status = Status::ok;

    bool hits() const { return distance < std::numeric_limits<double>::infinity(); }
};

inline LocalHit start_inside() {
    LocalHit hit;
    hit.distance = 0;
    hit.starts_inside = true;
    return hit;
}

// Orders the hits of children by distance. At equal distances, a solid in which the ray starts comes first, then the
// lower index of the child.
inline bool comes_before(const LocalHit& a, const LocalHit& b) {
    if (a.distance != b.distance) return a.distance < b.distance;
    if (a.starts_inside != b.starts_inside) return a.starts_inside;
    return a.child < b.child;
}

}  // namespace abut
