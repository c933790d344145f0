// A body's motion from one pose to another, in double: its centre of rotation moves linearly, its orientation rotates
// at a constant rate along the shorter arc [Shoemake 1985]. No function of libm except sqrt, so that all machines give
// the same bits.
#pragma once

#include <abut/frame.hpp>

#include "base/double_math.hpp"
#include "base/trigonometry.hpp"
#include "shapes/shape_bounds.hpp"

namespace abut {

// Made in lanes (start_motions.cpp). Lanes read and write the doubles by their order, as in moving_lanes.hpp.
struct RigidMotion {
    maths::Quatd start{};         // the orientation at time 0, unit
    maths::Vec3d centre{};        // of rotation, at time 0, world space
    maths::Vec3d displacement{};  // of the centre, from time 0 to time 1
    maths::Vec3d arm{};           // the body's position from the centre, in the body's frame
    maths::Vec3d axis{};          // of the rotation, unit, world axes; zero without rotation
    double half_angle = 0;        // of the rotation from time 0 to time 1, radians, at most pi / 2
    Quat first{};                 // the orientation at time 0, as given
    bool is_valid = false;        // both poses are valid

    bool rotates() const { return half_angle > 0; }
    maths::Vec3d angular_velocity() const { return axis * (2 * half_angle); }
    maths::Mat3 axes_at(double time) const;
    PoseD pose_at(double time) const;
    // The velocity of a point of the body. `from_position`: relative to the body's position at that time, world axes.
    maths::Vec3d velocity_at(double time, const maths::Vec3d& from_position) const;
    // The orientation at a time, rounded to floats; at time 0 the given one.
    Quat orientation_at(double time) const;

private:
    maths::Quatd quaternion_at(double time) const;
};

}  // namespace abut
