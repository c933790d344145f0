// The side of a plane's edge on which the origin is: exact, so that triangles that share an edge agree.
#pragma once

#include <cmath>

#include "base/double_math.hpp"

namespace abut {

// The rounding error of `product`, which is a times b rounded [Dekker 1971].
inline double product_error(double a, double b, double product) {
    const auto high = [](double x) {
        const double c = x * 134217729.0;
        return c - (c - x);
    };
    const double ah = high(a), al = a - ah, bh = high(b), bl = b - bh;
    return ((ah * bh - product) + ah * bl + al * bh) + al * bl;
}

// a.x b.y - a.y b.x with the exact sign. Swapping a and b changes only the sign.
inline double planar_cross(const maths::Vec3d& a, const maths::Vec3d& b) {
    const double p = a.x * b.y, q = a.y * b.x, value = p - q;
    if (std::fabs(value) > 0x1p-50 * (std::fabs(p) + std::fabs(q))) return value;
    return value + (product_error(a.x, b.y, p) - product_error(a.y, b.x, q));
}

// The sign of planar_cross; if that is 0, the sign for an origin shifted by an infinitesimal distance [Edelsbrunner,
// Muecke 1990].
inline int planar_cross_sign(const maths::Vec3d& a, const maths::Vec3d& b) {
    const double value = planar_cross(a, b), nearby = value != 0 ? value : a.y != b.y ? a.y - b.y : b.x - a.x;
    return nearby > 0 ? 1 : nearby < 0 ? -1 : 0;
}

}  // namespace abut
