// Directed rounding from double to float, for conservative bounds.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/tolerances.hpp"

namespace abut {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

inline float round_up(double value) {
    const float nearest = static_cast<float>(value);
    if (!(nearest < value)) return nearest;
    // The next float: std::nextafter without a call.
    const auto bits = std::bit_cast<std::uint32_t>(nearest);
    return std::bit_cast<float>(bits >> 31 != 0 ? bits - 1 : bits + 1);
}

inline float round_down(double value) { return -round_up(-value); }

// The sum, or the next double if the sum was rounded down [Knuth, TAOCP 2, 4.2.2: the error of a sum is a double].
inline double sum_above(double a, double b) {
    const double sum = a + b, of_b = sum - a, error = (a - (sum - of_b)) + (b - of_b);
    return error > 0 ? std::nextafter(sum, std::numeric_limits<double>::infinity()) : sum;
}

// An upper bound of the length, exact along an axis. Squares of floats are exact in double.
inline double length_above(double x, double y, double z) {
    const double sum = std::abs(x) + std::abs(y) + std::abs(z);
    if (sum == std::abs(x) || sum == std::abs(y) || sum == std::abs(z)) return sum;
    return std::sqrt(x * x + y * y + z * z) * kRootExcess;
}

}  // namespace abut
