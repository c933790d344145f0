// Rotations of moving bodies, one per lane. No libm, so that every machine gives the same bits.
#pragma once

#include "queries/casts/rigid_motion.hpp"
#include "simd/rotations.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The rotation matrix of a unit quaternion.
ABUT_INLINE MatrixDW to_matrix(const QuatDW& q) {
    const DoubleW one = 1.0, x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    const DoubleW xx = q.x * x2, yy = q.y * y2, zz = q.z * z2, xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    const DoubleW wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return {
        {one - (yy + zz), xy - wz, xz + wy}, {xy + wz, one - (xx + zz), yz - wx}, {xz - wy, yz + wx, one - (xx + yy)}};
}

ABUT_INLINE DVec3W rotated_by(const QuatDW& q, const DVec3W& v) {
    const DVec3W u = {q.x, q.y, q.z}, t = cross(u, v) * DoubleW(2.0);
    return v + t * q.w + cross(u, t);
}

ABUT_INLINE QuatW operator*(const QuatW& a, const QuatW& b) {
    return {a.w * b.x + a.x * b.w + (a.y * b.z - a.z * b.y), a.w * b.y + a.y * b.w + (a.z * b.x - a.x * b.z),
            a.w * b.z + a.z * b.w + (a.x * b.y - a.y * b.x), a.w * b.w - (a.x * b.x + a.y * b.y + a.z * b.z)};
}

// Sine and cosine of x in [0, pi / 2] (rigid_motion.cpp).
struct SinCosW {
    DoubleW sin, cos;
};
ABUT_INLINE SinCosW sin_cos(const DoubleW& x) {
    constexpr TaylorSeries kSeries = taylor_series();
    const DoubleW y = DoubleW(0.5) * x, z = y * y, one = 1.0, two = 2.0;
    DoubleW s = 0.0, c = 0.0;
    ABUT_UNROLL(7)
    for (int i = 6; i >= 0; --i) s = (s + DoubleW(kSeries.sin[i])) * z;
    ABUT_UNROLL(8)
    for (int i = 7; i >= 0; --i) c = (c + DoubleW(kSeries.cos[i])) * z;
    s = y * (one + s), c = one + c;
    return {two * s * c, one - two * s * s};
}

// Sine and cosine of x in [0, pi / 2], to the precision of floats.
struct SinCosFW {
    FloatW sin, cos;
};
ABUT_INLINE SinCosFW sin_cos(FloatW x) {
    constexpr TaylorSeries kSeries = taylor_series();
    const FloatW y = FloatW(0.5f) * x, z = y * y, one = 1.0f, two = 2.0f;
    FloatW s = 0.0f, c = 0.0f;
    ABUT_UNROLL(4)
    for (int i = 3; i >= 0; --i)
        s = (s + FloatW(float(kSeries.sin[i]))) * z, c = (c + FloatW(float(kSeries.cos[i]))) * z;
    s = y * (one + s), c = one + c;
    return {two * s * c, one - two * s * s};
}

}  // namespace abut::ABUT_ISA_NAMESPACE
