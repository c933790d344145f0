// Signs of determinants of grid points, without rounding: coordinates are whole and differ by at most 2^39, so that 128 bits do.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "cooking/cooking_types.hpp"

namespace abut::cooking {

__extension__ typedef __int128 Int128;

struct Int3 {
    std::int64_t x, y, z;
};

inline Int3 difference(Vec3d a, Vec3d b) {  // exact: both are whole and at most 2^38 in size
    return {std::int64_t(a.x - b.x), std::int64_t(a.y - b.y), std::int64_t(a.z - b.z)};
}

inline int sign(Int128 value) { return (value > 0) - (value < 0); }

struct ExactNormal {
    Int128 x, y, z;
};

// Of the counter-clockwise triangle a, b, c; its length is twice the area.
inline ExactNormal exact_normal(Vec3d a, Vec3d b, Vec3d c) {
    const Int3 u = difference(b, a), v = difference(c, a);
    return {Int128(u.y) * v.z - Int128(u.z) * v.y, Int128(u.z) * v.x - Int128(u.x) * v.z, Int128(u.x) * v.y - Int128(u.y) * v.x};
}

// Of the volume spanned by a, b, c, d: positive where d is above the plane of the counter-clockwise triangle a, b, c. At most 120 bits.
inline int exact_side(Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
    const ExactNormal n = exact_normal(a, b, c);
    const Int3 w = difference(d, a);
    return sign(n.x * w.x + n.y * w.y + n.z * w.z);
}

inline int exact_turn(Vec3d a, Vec3d b, Vec3d c) { return sign(exact_normal(a, b, c).z); }

// Of dot(cross(u, v), w) in double: 32 ulps (28 can occur) times the largest difference on the grid.
inline double height_error(Vec3d u, Vec3d v) { return 0x1p-48 * 0x1p39 * max_abs(u) * max_abs(v); }

}  // namespace abut::cooking
