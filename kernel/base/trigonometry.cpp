// See trigonometry.hpp.
#include "base/trigonometry.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace abut::maths {
namespace {

// pi / 2 in three parts [Cody, Waite 1980]: the first two have 33 bits, so that their products with a number of quarter
// turns below 2^20 are exact.
constexpr double kQuarter[3] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
constexpr double kQuartersInRadian = 0x1.45f306dc9c883p-1, kTurn = 0x1.921fb54442d18p+2;
constexpr double kMostExact = 0x1p20;  // radians

// Sine and cosine for |y| up to pi / 4.
SineCosine by_series(double y) {
    constexpr TaylorSeries kSeries = taylor_series();
    const double z = y * y;
    double s = 0, c = 0;
    for (int i = 6; i >= 0; --i) s = (s + kSeries.sin[i]) * z;
    for (int i = 7; i >= 0; --i) c = (c + kSeries.cos[i]) * z;
    return {y + y * s, 1 + c};
}

}  // namespace

SineCosine sine_cosine(double angle) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    if (!(std::fabs(angle) <= std::numeric_limits<double>::max())) return {kNan, kNan};
    if (std::fabs(angle) > kMostExact) angle = std::fmod(angle, kTurn);  // exact on every machine
    const double quarters = (angle * kQuartersInRadian + 0x1.8p52) - 0x1.8p52;
    const double first = angle - quarters * kQuarter[0], second = quarters * kQuarter[1];
    const double rest = first - second, lost = (first - rest) - second;
    const auto [s, c] = by_series(rest - (quarters * kQuarter[2] - lost));
    switch (static_cast<std::int64_t>(quarters) & 3) {
        case 0: return {s, c};
        case 1: return {c, -s};
        case 2: return {-s, -c};
        default: return {-c, s};
    }
}

double angle_of(double x, double y) {
    const double length = std::sqrt(x * x + y * y);
    const bool is_steep = std::fabs(y) > std::fabs(x);
    const double ratio = is_steep ? x / y : y / x;
    // A first guess to 0.004 [Rajan et al. 2006], then two steps of Newton's method, each of which raises the error to
    // the fifth power.
    double angle = ratio * (0.125 * kTurn + 0.273 * (1 - std::fabs(ratio)));
    if (is_steep)
        angle = (y < 0 ? -0.25 : 0.25) * kTurn - angle;
    else if (x < 0)
        angle += (y < 0 ? -0.5 : 0.5) * kTurn;
    for (int i = 0; i < 2; ++i) {
        const auto [s, c] = sine_cosine(angle);
        const double error = (y * c - x * s) / length;
        angle += error + error * error * error / 6;
    }
    return angle;
}

}  // namespace abut::maths
