// Rotations, see turning.hpp. Nothing but sqrt, so that scenes are the same on every platform.
#include "scenes/turning.hpp"

#include <algorithm>

namespace abut::scenes {

using oracle::Vec3d;

Vec3d turned_about_z(double turns) {
    const double quarters = 4 * (turns - std::floor(turns)), t = quarters - std::floor(quarters);
    // A rational point of the quarter by the half-angle's tangent: monotone in the angle, which is all that is asked.
    const double x = (1 - t * t) / (1 + t * t), y = 2 * t / (1 + t * t);
    switch (int(quarters)) {
        case 0: return {x, y, 0};
        case 1: return {-y, x, 0};
        case 2: return {-x, -y, 0};
        default: return {y, -x, 0};
    }
}

Quat to_float(double x, double y, double z, double w) {
    const double s = 1 / std::sqrt(x * x + y * y + z * z + w * w);
    return {float(x * s), float(y * s), float(z * s), float(w * s)};
}

Quat product(const Quat& p, const Quat& q) {
    const double px = p.x, py = p.y, pz = p.z, pw = p.w;
    return to_float(pw * q.x + px * q.w + py * q.z - pz * q.y, pw * q.y - px * q.z + py * q.w + pz * q.x,
                    pw * q.z + px * q.y - py * q.x + pz * q.w, pw * q.w - px * q.x - py * q.y - pz * q.z);
}

Quat slightly_turned(const Quat& from, const Vec3d& rotation_vector) {
    const Vec3d half = rotation_vector / 2;
    return product(to_float(half.x, half.y, half.z, 1), from);
}

Frame3 Frame3::about(const Vec3d& z, const Vec3d& along) {
    Vec3d x = along - z * dot(along, z);
    if (length(x) < 1e-3) x = cross(z, std::fabs(z.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0});
    x = normalised(x);
    return {x, cross(z, x), z};
}

Frame3 Frame3::spun(double turns) const {
    const Vec3d at = turned_about_z(turns);
    return {x * at.x + y * at.y, y * at.x - x * at.y, z};
}

Frame3 Frame3::tilted(double radians, double axis_turns) const {
    const Vec3d at = turned_about_z(axis_turns), axis = x * at.x + y * at.y;
    const double t = radians / 2, cosine = (1 - t * t) / (1 + t * t), sine = 2 * t / (1 + t * t);
    const auto turn = [&](const Vec3d& v) {
        return v * cosine + cross(axis, v) * sine + axis * (dot(axis, v) * (1 - cosine));
    };
    return {turn(x), turn(y), turn(z)};
}

Quat turn_between(const Frame3& from, const Frame3& to) {
    const auto row = [&](double Vec3d::*c) { return from.x * (to.x.*c) + from.y * (to.y.*c) + from.z * (to.z.*c); };
    const Vec3d r = row(&Vec3d::x), s = row(&Vec3d::y), t = row(&Vec3d::z);
    // Four times the square of each component; the largest is safe to divide by.
    const double w = 1 + r.x + s.y + t.z, x = 1 + r.x - s.y - t.z, y = 1 - r.x + s.y - t.z, z = 1 - r.x - s.y + t.z;
    const double most = std::max({w, x, y, z});
    if (most == w) return to_float(t.y - s.z, r.z - t.x, s.x - r.y, w);
    if (most == x) return to_float(x, r.y + s.x, r.z + t.x, t.y - s.z);
    if (most == y) return to_float(r.y + s.x, y, s.z + t.y, r.z - t.x);
    return to_float(r.z + t.x, s.z + t.y, z, s.x - r.y);
}

double extent(const oracle::Solid& solid, const Quat& orientation, const Vec3d& direction) {
    return oracle::extent(solid, oracle::rotation_of(orientation), direction);
}

}  // namespace abut::scenes
