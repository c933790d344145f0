// See rigid_motion.hpp.
#include "queries/casts/rigid_motion.hpp"

namespace abut {
namespace {

using maths::Quatd;
using maths::Vec3d;

struct SinCos {
    double sin, cos;
};

// Sine and cosine of x in [0, pi / 2], to 1e-15: by the series of half the angle, then the formulas of the double
// angle.
SinCos sin_cos(double x) {
    constexpr TaylorSeries kSeries = taylor_series();
    const double y = 0.5 * x, z = y * y;
    double s = 0, c = 0;
    for (int i = 6; i >= 0; --i) s = (s + kSeries.sin[i]) * z;
    for (int i = 7; i >= 0; --i) c = (c + kSeries.cos[i]) * z;
    s = y * (1 + s), c = 1 + c;
    return {2 * s * c, 1 - 2 * s * s};
}

}  // namespace

Quatd RigidMotion::quaternion_at(double time) const {
    if (!rotates() || time == 0) return start;
    const SinCos half = sin_cos(half_angle * time);
    return Quatd{axis.x * half.sin, axis.y * half.sin, axis.z * half.sin, half.cos} * start;
}

maths::Mat3 RigidMotion::axes_at(double time) const { return maths::rotation(quaternion_at(time)); }

PoseD RigidMotion::pose_at(double time) const {
    const maths::Mat3 at = axes_at(time);
    return {at, centre + displacement * time + at * arm};
}

Vec3d RigidMotion::velocity_at(double time, const Vec3d& from_position) const {
    if (!rotates()) return displacement;
    return displacement + cross(angular_velocity(), axes_at(time) * arm + from_position);
}

Quat RigidMotion::orientation_at(double time) const {
    if (!rotates() || time == 0) return first;
    const Quatd q = quaternion_at(time);
    return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
}

}  // namespace abut
