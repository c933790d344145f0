// Poses in the plane, in double.
#pragma once

#include <cmath>

#include <abut/d2/shapes_2d.hpp>

namespace abut::d2 {

// A pose. The rotation is unit.
struct DPose {
    DVec2 position;
    double c = 1, s = 0;
};

inline DVec2 rotated(const DPose& by, DVec2 v) { return {by.c * v.x - by.s * v.y, by.s * v.x + by.c * v.y}; }
inline DVec2 transformed(const DPose& by, DVec2 p) {
    const DVec2 r = rotated(by, p);
    return {r.x + by.position.x, r.y + by.position.y};
}
// Applies `inner`, then `outer`.
inline DPose composed(const DPose& outer, const DPose& inner) {
    const double c = outer.c * inner.c - outer.s * inner.s, s = outer.s * inner.c + outer.c * inner.s;
    const double length = std::sqrt(c * c + s * s);  // the product of many unit rotations stays unit
    return {transformed(outer, inner.position), c / length, s / length};
}
inline DPose to_double(const Pose& pose) {
    const double c = pose.rotation.c, s = pose.rotation.s, length = std::sqrt(c * c + s * s);
    return {{pose.position.x, pose.position.y}, c / length, s / length};
}

}  // namespace abut::d2
