// Double-precision vectors, rotations and rigid poses of the oracle. Shares nothing with the kernel's arithmetic.
#pragma once

#include <cmath>

#include <abut/frame.hpp>
#include <abut/math.hpp>

namespace abut::oracle {

struct Vec3d {
    double x = 0, y = 0, z = 0;

    Vec3d() = default;
    constexpr Vec3d(double px, double py, double pz) : x(px), y(py), z(pz) {}
    constexpr explicit Vec3d(const Vec3& v) : x(v.x), y(v.y), z(v.z) {}

    friend constexpr Vec3d operator+(const Vec3d& u, const Vec3d& v) { return {u.x + v.x, u.y + v.y, u.z + v.z}; }
    friend constexpr Vec3d operator-(const Vec3d& u, const Vec3d& v) { return {u.x - v.x, u.y - v.y, u.z - v.z}; }
    friend constexpr Vec3d operator-(const Vec3d& v) { return {-v.x, -v.y, -v.z}; }
    friend constexpr Vec3d operator*(const Vec3d& v, double s) { return {v.x * s, v.y * s, v.z * s}; }
    friend constexpr Vec3d operator*(double s, const Vec3d& v) { return v * s; }
    friend constexpr Vec3d operator/(const Vec3d& v, double s) { return {v.x / s, v.y / s, v.z / s}; }
    friend bool operator==(const Vec3d&, const Vec3d&) = default;
};

constexpr double dot(const Vec3d& u, const Vec3d& v) { return u.x * v.x + u.y * v.y + u.z * v.z; }
constexpr Vec3d cross(const Vec3d& u, const Vec3d& v) {
    return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}
inline double length(const Vec3d& v) { return std::sqrt(dot(v, v)); }
inline Vec3d normalised(const Vec3d& v) { return v / length(v); }

struct Rotation {
    Vec3d row_x{1, 0, 0}, row_y{0, 1, 0}, row_z{0, 0, 1};
    Vec3d operator*(const Vec3d& v) const { return {dot(row_x, v), dot(row_y, v), dot(row_z, v)}; }
    Vec3d back(const Vec3d& v) const { return row_x * v.x + row_y * v.y + row_z * v.z; }
    Vec3d column_y() const { return {row_x.y, row_y.y, row_z.y}; }
};

// `q` need not be of unit length: it is normalised here, as the library promises to.
inline Rotation rotation_of(const Quat& q) {
    const double norm = std::sqrt(double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z + double(q.w) * q.w);
    const double x = q.x / norm, y = q.y / norm, z = q.z / norm, w = q.w / norm;
    return {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
}

struct Pose {
    Vec3d position;
    Rotation rotation;
};

inline Pose pose_of(const Body& body) { return {Vec3d(body.position), rotation_of(body.orientation)}; }

}  // namespace abut::oracle
