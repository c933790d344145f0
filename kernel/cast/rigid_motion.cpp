// See rigid_motion.hpp.
#include "cast/rigid_motion.hpp"

#include "frame/valid_pose.hpp"

namespace abut {
namespace {

using exact::Quatd;
using exact::Vec3d;

// A rotation by less is none: it moves no point of the range (range.hpp) by a rounding of its size.
constexpr double kLeastHalfAngle = 1e-12;
constexpr double kHalfPi = 1.5707963267948966;

Vec3d of(const DVec3& v) { return {v.x, v.y, v.z}; }

}  // namespace

// By the series of half the angle, then the formulas of the double angle.
SinCos sin_cos(double x) {
    constexpr TaylorSeries kSeries = taylor_series();
    const double y = 0.5 * x, z = y * y;
    double s = 0, c = 0;
    for (int i = 6; i >= 0; --i) s = (s + kSeries.sin[i]) * z;
    for (int i = 7; i >= 0; --i) c = (c + kSeries.cos[i]) * z;
    s = y * (1 + s), c = 1 + c;
    return {2 * s * c, 1 - 2 * s * s};
}

// Newton's method on sin(angle - x), which converges with the third power: 5e-3, 2e-8, 1e-24.
double angle_of(double sine, double cosine) {
    const bool is_steep = sine > cosine;
    const double ratio = is_steep ? cosine / sine : sine / cosine, low = ratio / (1 + 0.28125 * ratio * ratio);
    double angle = is_steep ? kHalfPi - low : low;
    for (int i = 0; i < 2; ++i) {
        const SinCos at = sin_cos(angle);
        angle = exact::least(exact::most(angle + (sine * at.cos - cosine * at.sin), 0), kHalfPi);
    }
    return angle;
}

RigidMotion::RigidMotion(const DVec3& from, const Quat& orientation, const DVec3& to, const Quat& end_orientation, const Vec3& centre_in_body) {
    first = orientation;
    const auto rounded = [](const DVec3& p) { return Vec3{static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)}; };
    is_valid = is_valid_pose({rounded(from), {}, orientation}) && is_valid_pose({rounded(to), {}, end_orientation}) &&
               metres_out(centre_in_body) <= kMostMetres;
    if (!is_valid) return;
    start = exact::normalised(exact::to_double(orientation));
    axes = exact::rotation(start);
    arm = -exact::to_double(centre_in_body);
    centre = of(from) - axes * arm;
    displacement = of(to) - of(from);
    const bool keeps = orientation.x == end_orientation.x && orientation.y == end_orientation.y && orientation.z == end_orientation.z &&
                       orientation.w == end_orientation.w;
    if (keeps) return;
    const Quatd end = exact::normalised(exact::to_double(end_orientation));
    Quatd relative = end * Quatd{-start.x, -start.y, -start.z, start.w};
    if (relative.w < 0) relative = {-relative.x, -relative.y, -relative.z, -relative.w};
    const Vec3d v = {relative.x, relative.y, relative.z};
    const double sine = exact::norm(v);
    if (sine <= kLeastHalfAngle) return;
    displacement = of(to) - exact::rotation(end) * arm - centre;
    axis = v * (1 / sine);
    half_angle = angle_of(sine, relative.w);
    const auto times_axis = [&](const exact::Mat3& m) {
        return exact::Mat3{m.row_z * axis.y - m.row_y * axis.z, m.row_x * axis.z - m.row_z * axis.x, m.row_y * axis.x - m.row_x * axis.y};
    };
    axis_products[0] = times_axis(axes), axis_products[1] = times_axis(axis_products[0]);
}

exact::Mat3 RigidMotion::axes_at(double time) const {
    if (!rotates() || time == 0) return axes;
    const SinCos half = sin_cos(half_angle * time);
    const double sine = 2 * half.sin * half.cos, rest = 2 * half.sin * half.sin;
    return {axes.row_x + axis_products[0].row_x * sine + axis_products[1].row_x * rest,
            axes.row_y + axis_products[0].row_y * sine + axis_products[1].row_y * rest,
            axes.row_z + axis_products[0].row_z * sine + axis_products[1].row_z * rest};
}

PoseD RigidMotion::pose_at(double time) const {
    const exact::Mat3 at = axes_at(time);
    return {at, centre + displacement * time + at * arm};
}

Vec3d RigidMotion::velocity_at(double time, const Vec3d& from_position) const {
    if (!rotates()) return displacement;
    return displacement + cross(angular_velocity(), axes_at(time) * arm + from_position);
}

Quat RigidMotion::orientation_at(double time) const {
    if (!rotates() || time == 0) return first;
    const SinCos half = sin_cos(half_angle * time);
    const Quatd q = Quatd{axis.x * half.sin, axis.y * half.sin, axis.z * half.sin, half.cos} * start;
    return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
}

}  // namespace abut
