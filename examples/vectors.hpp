// Operators on abut's value types, for the examples. abut defines none, so that they never conflict with an engine's
// own.
#pragma once

#include <abut/math.hpp>
#include <cmath>

inline abut::Vec3 operator+(abut::Vec3 a, abut::Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline abut::Vec3 operator-(abut::Vec3 a, abut::Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline abut::Vec3 operator*(abut::Vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
inline float dot(abut::Vec3 a, abut::Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline float length(abut::Vec3 a) { return std::sqrt(dot(a, a)); }
inline abut::Vec3 cross(abut::Vec3 a, abut::Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// First b, then a.
inline abut::Quat operator*(abut::Quat a, abut::Quat b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
inline abut::Vec3 rotate(abut::Quat q, abut::Vec3 v) {
    const abut::Vec3 axis = {q.x, q.y, q.z}, twice = cross(axis, v) * 2.0f;
    return v + twice * q.w + cross(axis, twice);
}
// `axis` is of unit length, `angle` in radians.
inline abut::Quat about(abut::Vec3 axis, float angle) {
    const float sine = std::sin(angle / 2);
    return {axis.x * sine, axis.y * sine, axis.z * sine, std::cos(angle / 2)};
}
inline abut::Quat normalised(abut::Quat q) {
    const float scale = 1 / std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return {q.x * scale, q.y * scale, q.z * scale, q.w * scale};
}
