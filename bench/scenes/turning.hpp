// Rotations for those who build scenes, in double until the last.
#pragma once

#include "support/oracle/oracle.hpp"

namespace abut::scenes {

// (cos, sin, 0) of `turns` whole turns.
oracle::Vec3d turned_about_z(double turns);

Quat to_float(double x, double y, double z, double w);  // made unit
Quat product(const Quat& p, const Quat& q);
// `from`, turned further by the rotation vector (radians; small) in world axes.
Quat slightly_turned(const Quat& from, const oracle::Vec3d& rotation_vector);

// Right-handed axes: z a feature's normal, x along it.
struct Frame3 {
    oracle::Vec3d x, y, z;

    // `z` unit; the frame's x as near to `along` as it can be, or anywhere where that says nothing.
    static Frame3 about(const oracle::Vec3d& z, const oracle::Vec3d& along);
    Frame3 spun(double turns) const;                         // about z
    Frame3 tilted(double radians, double axis_turns) const;  // about an axis square to z
};
// The rotation that takes `from` to `to`.
Quat turn_between(const Frame3& from, const Frame3& to);

// The farthest that the posed shape reaches along a world direction; a half-space along its own normal, whatever the
// direction.
double extent(const oracle::Solid& solid, const Quat& orientation, const oracle::Vec3d& direction);

}  // namespace abut::scenes
