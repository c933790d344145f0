// Sine and cosine in double without libm, whose last bits differ between machines.
#pragma once

#include "base/compiler_support.hpp"

namespace abut {

// sin(y) / y - 1 and cos(y) - 1 as powers of y^2, the first one first; in [0, pi / 4] the terms left out are below
// 1e-16.
struct TaylorSeries {
    double sin[7], cos[8];
};
ABUT_INLINE constexpr TaylorSeries taylor_series() {
    return {{-1 / 6.0, 1 / 120.0, -1 / 5040.0, 1 / 362880.0, -1 / 39916800.0, 1 / 6227020800.0, -1 / 1307674368000.0},
            {-1 / 2.0, 1 / 24.0, -1 / 720.0, 1 / 40320.0, -1 / 3628800.0, 1 / 479001600.0, -1 / 87178291200.0,
             1 / 20922789888000.0}};
}

namespace maths {

struct SineCosine {
    double sine, cosine;
};
// Sine and cosine of any angle in radians, to 4e-16 up to a million, beyond to 4e-17 of the angle. NaN for infinities
// and NaN.
SineCosine sine_cosine(double angle);

// The angle of a direction (x, y) of any length but 0, from -pi to pi, to 4e-16; without libm, too.
double angle_of(double x, double y);

}  // namespace maths
}  // namespace abut
