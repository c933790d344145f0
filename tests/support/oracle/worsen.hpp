// What the oracle's verdicts have in common: the worst violation of all, as a fraction of what is allowed.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <abut/math.hpp>

#include "support/oracle/vec.hpp"

namespace abut::oracle {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline bool finite(const Vec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

inline double largest(const Vec3& v) {
    return std::max({std::fabs(double(v.x)), std::fabs(double(v.y)), std::fabs(double(v.z))});
}

inline double largest(const Vec3d& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

// What a unit of rounding in each coordinate comes to along a unit vector: 1 to 1.73.
inline double sum_of_coordinates(const Vec3d& unit) {
    return std::fabs(unit.x) + std::fabs(unit.y) + std::fabs(unit.z);
}

template <class Verdict>
void worsen(Verdict& verdict, const char* what, double violation, double allowed) {
    // Points that coincide exactly have a tolerance of zero.
    const double fraction = violation == 0 ? 0 : violation / std::max(allowed, std::numeric_limits<double>::min());
    if (fraction > verdict.worst || std::isnan(fraction)) verdict.worst = fraction, verdict.what = what;
}

}  // namespace abut::oracle
