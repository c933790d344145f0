// Rotations in double, one per lane, in the arithmetic of base/double_math.hpp. No libm, so that every machine gives
// the same bits.
#pragma once

#include "simd/doubles.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct QuatDW {
    DoubleW x, y, z, w;
};

struct MatrixDW {
    DVec3W row_x, row_y, row_z;
};
ABUT_INLINE DVec3W rotate(const MatrixDW& m, const DVec3W& v) {
    return {dot(m.row_x, v), dot(m.row_y, v), dot(m.row_z, v)};
}
ABUT_INLINE DVec3W rotate_back(const MatrixDW& m, const DVec3W& v) {
    return m.row_x * v.x + m.row_y * v.y + m.row_z * v.z;
}

ABUT_INLINE QuatDW widen(const QuatW& q) { return {widen(q.x), widen(q.y), widen(q.z), widen(q.w)}; }
ABUT_INLINE QuatW narrow(const QuatDW& q) { return {narrow(q.x), narrow(q.y), narrow(q.z), narrow(q.w)}; }
ABUT_INLINE QuatDW operator*(const QuatDW& a, const QuatDW& b) {
    return {a.w * b.x + a.x * b.w + (a.y * b.z - a.z * b.y), a.w * b.y + a.y * b.w + (a.z * b.x - a.x * b.z),
            a.w * b.z + a.z * b.w + (a.x * b.y - a.y * b.x), a.w * b.w - (a.x * b.x + a.y * b.y + a.z * b.z)};
}
ABUT_INLINE DoubleW norm_squared(const QuatDW& q) { return q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w; }
ABUT_INLINE QuatDW normalised(const QuatDW& q) {
    const DoubleW by = DoubleW(1.0) / sqrt(norm_squared(q));
    return {q.x * by, q.y * by, q.z * by, q.w * by};
}

// The rotation matrix of a quaternion of any length.
ABUT_INLINE MatrixDW rotation_of(const QuatDW& q) {
    const DoubleW one = 1.0, s = DoubleW(2.0) / norm_squared(q);
    const DoubleW xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z, xy = s * q.x * q.y, xz = s * q.x * q.z,
                  yz = s * q.y * q.z;
    const DoubleW wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
    return {
        {one - (yy + zz), xy - wz, xz + wy}, {xy + wz, one - (xx + zz), yz - wx}, {xz - wy, yz + wx, one - (xx + yy)}};
}

}  // namespace abut::ABUT_ISA_NAMESPACE
