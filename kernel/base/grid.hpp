// Predicates without rounding errors, for points on an integer grid.
//
// A grid unit is a power of two of metres, chosen by the exact path for each pair and by cooking for each point cloud.
// It is so small that snapping to it costs no more than the rounding of doubles, and so large that every coordinate is
// an integer below 2^51. Differences are then exact doubles, and cross and triple products fit 128 and 192 bits. A few
// integers replace adaptive expansions, which handle any doubles [Shewchuk 1997].
#pragma once

#include "base/double_math.hpp"

namespace abut::maths {

__extension__ using Int128 = __int128;

inline constexpr double kGridReach = 0x1p50;  // |coordinates| of the cores' difference stay below

// Rounds to the grid, |x| < 2^51: the addition leaves no bits for a fraction.
inline double snap(double x) { return (x + 0x1.8p52) - 0x1.8p52; }
inline Vec3d snap(const Vec3d& p) { return {snap(p.x), snap(p.y), snap(p.z)}; }

Vec3d integer_cross(const Vec3d& a, const Vec3d& b);
double integer_triple(const Vec3d& a, const Vec3d& b, const Vec3d& c);

// a x b of two grid vectors, each component to 2^-49 of the length; plain doubles fail for nearly parallel vectors.
inline Vec3d accurate_cross(const Vec3d& a, const Vec3d& b) {
    const Vec3d c = cross(a, b);
    if (dot(c, c) > 0x1p-4 * (dot(a, a) * dot(b, b))) return c;
    return integer_cross(a, b);
}

// (a x b) . c of three grid vectors, with the right sign, and exact to 2^-44.
inline double accurate_triple(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double t = dot(cross(a, b), c);
    if (t * t > 0x1p-12 * (dot(a, a) * dot(b, b) * dot(c, c))) return t;
    return integer_triple(a, b, c);
}

// A number with the sign of (a x b) . c; cheaper than accurate_triple.
inline double triple_sign(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double t = dot(cross(a, b), c);
    if (t * t > 0x1p-98 * (dot(a, a) * dot(b, b) * dot(c, c))) return t;
    return integer_triple(a, b, c);
}

}  // namespace abut::maths
