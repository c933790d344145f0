// Vectors, matrices and rotations, one per lane.
#pragma once

#include "simd/simd.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct Vec3W {
    FloatW x, y, z;
};
ABUT_INLINE Vec3W splat(float value) { return {value, value, value}; }
ABUT_INLINE Vec3W operator+(Vec3W a, Vec3W b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
ABUT_INLINE Vec3W operator-(Vec3W a, Vec3W b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
ABUT_INLINE Vec3W operator*(Vec3W a, FloatW s) { return {a.x * s, a.y * s, a.z * s}; }
ABUT_INLINE Vec3W operator-(Vec3W a) { return {-a.x, -a.y, -a.z}; }
ABUT_INLINE Vec3W multiply(Vec3W a, Vec3W b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
ABUT_INLINE FloatW dot(Vec3W a, Vec3W b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
ABUT_INLINE Vec3W cross(Vec3W a, Vec3W b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
ABUT_INLINE FloatW length_squared(Vec3W a) { return dot(a, a); }
ABUT_INLINE Vec3W abs(Vec3W a) { return {abs(a.x), abs(a.y), abs(a.z)}; }
ABUT_INLINE Vec3W copysign(Vec3W magnitude, Vec3W sign) {
    return {copysign(magnitude.x, sign.x), copysign(magnitude.y, sign.y), copysign(magnitude.z, sign.z)};
}
ABUT_INLINE Vec3W flip_sign(Vec3W a, FloatW sign) {
    return {flip_sign(a.x, sign), flip_sign(a.y, sign), flip_sign(a.z, sign)};
}
ABUT_INLINE Vec3W select(MaskW m, Vec3W yes, Vec3W no) {
    return {select(m, yes.x, no.x), select(m, yes.y, no.y), select(m, yes.z, no.z)};
}

struct DVec3W {
    DoubleW x, y, z;
};
ABUT_INLINE DVec3W operator+(const DVec3W& a, const DVec3W& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
ABUT_INLINE DVec3W operator-(const DVec3W& a, const DVec3W& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
ABUT_INLINE DVec3W operator*(const DVec3W& a, const DoubleW& s) { return {a.x * s, a.y * s, a.z * s}; }
ABUT_INLINE DoubleW dot(const DVec3W& a, const DVec3W& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
ABUT_INLINE DVec3W cross(const DVec3W& a, const DVec3W& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
ABUT_INLINE DVec3W widen(Vec3W v) { return {widen(v.x), widen(v.y), widen(v.z)}; }
ABUT_INLINE Vec3W narrow(const DVec3W& v) { return {narrow(v.x), narrow(v.y), narrow(v.z)}; }

// Three columns: m * v = v.x * x + v.y * y + v.z * z.
struct Mat3W {
    Vec3W x, y, z;
};
ABUT_INLINE Vec3W rotate(const Mat3W& m, Vec3W v) {
    return {m.x.x * v.x + m.y.x * v.y + m.z.x * v.z, m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
            m.x.z * v.x + m.y.z * v.y + m.z.z * v.z};
}
ABUT_INLINE Vec3W rotate_back(const Mat3W& m, Vec3W v) { return {dot(m.x, v), dot(m.y, v), dot(m.z, v)}; }
ABUT_INLINE Mat3W transpose_times(const Mat3W& a, const Mat3W& b) {
    return {rotate_back(a, b.x), rotate_back(a, b.y), rotate_back(a, b.z)};
}

struct QuatW {
    FloatW x, y, z, w;
};
// The rotation of q / |q|, by one division and no square root.
ABUT_INLINE Mat3W to_matrix(QuatW q, FloatW norm_squared) {
    const FloatW one = 1.0f, two_over = FloatW(2.0f) / norm_squared;
    const FloatW x2 = q.x * two_over, y2 = q.y * two_over, z2 = q.z * two_over;
    const FloatW xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    const FloatW xy = q.x * y2, xz = q.x * z2, yz = q.y * z2, wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return {
        {one - (yy + zz), xy + wz, xz - wy}, {xy - wz, one - (xx + zz), yz + wx}, {xz + wy, yz - wx, one - (xx + yy)}};
}

// Convert numbers from -1 to 1 into 16 bits, and back. Adding 1.5 * 2^23 leaves an integer in the low bits of a float.
ABUT_INLINE IntW to_16_bits(FloatW x) { return bits_of(x * FloatW(32767.0f) + FloatW(12582912.0f)) & IntW(0xffff); }
ABUT_INLINE FloatW from_16_bits(IntW x) {
    return (float_of((x ^ IntW(0x8000)) | IntW(0x4b000000)) - FloatW(8388608.0f + 32768.0f)) * FloatW(1.0f / 32767.0f);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
