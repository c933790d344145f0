// The faces of boxes, one per lane: the axis of the normal, and the two axes in the plane.
#pragma once

#include "simd/vec.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The axis of a face's normal, per lane. Vectors and bits are in the order (u, v, normal); u and v are the axes that
// follow the normal's cyclically.
struct FaceAxisW {
    MaskW is_x, is_y;
    FloatW sign;  // of the outward normal along the axis
    IntW bit_u, bit_v,
        corner;  // vertex bits: of both axes in the plane, and of the normal's axis if the normal is negative

    explicit FaceAxisW(IntW face) {
        const FloatW axis = float_of(face >> 1);
        is_x = axis == float_of(IntW(0));
        is_y = axis == float_of(IntW(1));
        const IntW negative = face & IntW(1);
        sign = float_of(IntW(0x3f800000) | (negative << 31));
        bit_u = select(is_x, IntW(2), select(is_y, IntW(4), IntW(1)));
        bit_v = select(is_x, IntW(4), select(is_y, IntW(1), IntW(2)));
        const IntW bit = select(is_x, IntW(1), select(is_y, IntW(2), IntW(4)));
        corner = bit & (IntW(0) - negative);
    }
    FloatW u(Vec3W v) const { return select(is_x, v.y, select(is_y, v.z, v.x)); }
    FloatW v(Vec3W v) const { return select(is_x, v.z, select(is_y, v.x, v.y)); }
    FloatW w(Vec3W v) const { return select(is_x, v.x, select(is_y, v.y, v.z)); }
    // Transforms a vector to (u, v, outward normal).
    Vec3W to_face_axes(Vec3W a) const { return {u(a), v(a), sign * w(a)}; }
};

}  // namespace abut::ABUT_ISA_NAMESPACE
