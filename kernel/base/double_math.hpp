// Vectors and rotations in double, for cooking, poses and the exact path. They use no function of libm except sqrt, so
// that all machines give the same bits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include <abut/math.hpp>

namespace abut::maths {

struct Vec3d {
    double x, y, z;  // trivial: EPA keeps thousands on the stack
};

inline double min(double a, double b) { return a < b ? a : b; }
inline double max(double a, double b) { return a > b ? a : b; }
inline Vec3d to_double(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Vec3d operator+(const Vec3d& a, const Vec3d& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3d operator-(const Vec3d& a, const Vec3d& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3d operator-(const Vec3d& a) { return {-a.x, -a.y, -a.z}; }
inline Vec3d operator*(const Vec3d& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline double dot(const Vec3d& a, const Vec3d& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 times(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline Vec3d times(const Vec3d& a, const Vec3d& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline Vec3d absolute(const Vec3d& a) { return {std::fabs(a.x), std::fabs(a.y), std::fabs(a.z)}; }
inline Vec3d cross(const Vec3d& a, const Vec3d& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double norm(const Vec3d& a) { return std::sqrt(dot(a, a)); }
inline bool is_zero(const Vec3d& a) { return a.x == 0 && a.y == 0 && a.z == 0; }
inline bool same(const Vec3d& a, const Vec3d& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
inline double max_abs(const Vec3d& a) { return max(max(std::fabs(a.x), std::fabs(a.y)), std::fabs(a.z)); }
inline double component(const Vec3d& a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }
// The axis of the largest component; the first of equal ones.
inline int largest_axis(const Vec3d& a) { return a.x >= a.y && a.x >= a.z ? 0 : a.y >= a.z ? 1 : 2; }

// The power of two that scales x > 0 into [1, 2), for a normal number below 2^1023; for zero and subnormals, 1.
inline double scale_to_one(double x) {
    const std::uint64_t exponent = std::bit_cast<std::uint64_t>(x) >> 52;
    return exponent == 0 ? 1.0 : std::bit_cast<double>((2046 - exponent) << 52);
}

// The unit vector along a, of any length but zero. Dividing by a power of two first keeps the squares in range.
inline Vec3d unit(const Vec3d& a) {
    const Vec3d near_one = a * scale_to_one(max_abs(a));
    return near_one * (1.0 / norm(near_one));
}

// A box; it is empty if low exceeds high.
struct BoxD {
    Vec3d low, high;
};
inline constexpr BoxD kNoBounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

inline BoxD joined(const BoxD& a, const BoxD& b) {
    return {{min(a.low.x, b.low.x), min(a.low.y, b.low.y), min(a.low.z, b.low.z)},
            {max(a.high.x, b.high.x), max(a.high.y, b.high.y), max(a.high.z, b.high.z)}};
}
inline BoxD joined(const BoxD& box, const Vec3d& point) { return joined(BoxD{point, point}, box); }

struct Quatd {
    double x, y, z, w;
};

inline Quatd to_double(const Quat& q) { return {q.x, q.y, q.z, q.w}; }

inline Quatd operator*(const Quatd& a, const Quatd& b) {
    return {a.w * b.x + a.x * b.w + (a.y * b.z - a.z * b.y), a.w * b.y + a.y * b.w + (a.z * b.x - a.x * b.z),
            a.w * b.z + a.z * b.w + (a.x * b.y - a.y * b.x), a.w * b.w - (a.x * b.x + a.y * b.y + a.z * b.z)};
}

inline double length(const Quatd& q) { return std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w); }
inline Quatd normalised(const Quatd& q) {
    const double by = 1.0 / length(q);
    return {q.x * by, q.y * by, q.z * by, q.w * by};
}

// conj(a) * b. Equal orientations give an exactly zero vector part, hence exactly the identity below.
inline Quatd relative(const Quatd& a, const Quatd& b) {
    return {(a.w * b.x - a.x * b.w) + (a.z * b.y - a.y * b.z), (a.w * b.y - a.y * b.w) + (a.x * b.z - a.z * b.x),
            (a.w * b.z - a.z * b.w) + (a.y * b.x - a.x * b.y), a.w * b.w + (a.x * b.x + a.y * b.y + a.z * b.z)};
}

struct Mat3 {
    Vec3d row_x, row_y, row_z;
};

inline Vec3d operator*(const Mat3& m, const Vec3d& v) { return {dot(m.row_x, v), dot(m.row_y, v), dot(m.row_z, v)}; }
inline Vec3d transposed_times(const Mat3& m, const Vec3d& v) { return m.row_x * v.x + m.row_y * v.y + m.row_z * v.z; }

inline Mat3 operator*(const Mat3& a, const Mat3& b) {
    return {transposed_times(b, a.row_x), transposed_times(b, a.row_y), transposed_times(b, a.row_z)};
}
inline Mat3 transposed(const Mat3& m) {
    return {{m.row_x.x, m.row_y.x, m.row_z.x}, {m.row_x.y, m.row_y.y, m.row_z.y}, {m.row_x.z, m.row_y.z, m.row_z.z}};
}

// The rotation matrix of a quaternion of any length: the division by |q|^2 normalises without a square root.
inline Mat3 rotation(const Quatd& q) {
    const double s = 2.0 / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    const double xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z;
    const double xy = s * q.x * q.y, xz = s * q.x * q.z, yz = s * q.y * q.z;
    const double wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
    return {{1 - (yy + zz), xy - wz, xz + wy}, {xy + wz, 1 - (xx + zz), yz - wx}, {xz - wy, yz + wx, 1 - (xx + yy)}};
}

}  // namespace abut::maths
