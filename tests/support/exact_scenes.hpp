// Pairs for the exact path's tests: seeded, of every kind, ordinary and hostile.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/rounding.hpp"
#include "convex/exact/signed_distance.hpp"

namespace scenes {

using abut::HullGeometry;
using abut::Quat;
using abut::ShapeKind;
using abut::Vec3;
using abut::exact::Posed;
using abut::exact::Shape;

// xoshiro is overkill: splitmix64 [Steele, Lea, Flood 2014], the same on every platform.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t bits() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return z ^ z >> 31;
    }
    double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    double in(double low, double high) { return low + (high - low) * unit(); }
    int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
    bool chance(double p) { return unit() < p; }
    double log_in(double low, double high) { return std::exp(in(std::log(low), std::log(high))); }
    double normal() { return std::sqrt(-2 * std::log(1 - unit())) * std::cos(6.283185307179586 * unit()); }
    Vec3 direction() {
        const double x = normal(), y = normal(), z = normal(), n = std::sqrt(x * x + y * y + z * z);
        return {static_cast<float>(x / n), static_cast<float>(y / n), static_cast<float>(z / n)};
    }
    Quat orientation() {
        const double x = normal(), y = normal(), z = normal(), w = normal(),
                     n = std::sqrt(x * x + y * y + z * z + w * w);
        return {static_cast<float>(x / n), static_cast<float>(y / n), static_cast<float>(z / n),
                static_cast<float>(w / n)};
    }

private:
    std::uint64_t state_;
};

inline float at(const Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
inline Vec3 times(Vec3 v, double s) {
    return {static_cast<float>(v.x * s), static_cast<float>(v.y * s), static_cast<float>(v.z * s)};
}

// What the exact path reads of a hull, filled in by hand: points as they are, about `centre`.
inline std::unique_ptr<HullGeometry> make_hull(const std::vector<Vec3>& about_centre, Vec3 centre = {}) {
    auto hull = std::make_unique<HullGeometry>();
    hull->centre = centre;
    hull->vertex_count = static_cast<std::uint32_t>(about_centre.size());
    hull->padded_count = (hull->vertex_count + abut::kHullPad - 1) / abut::kHullPad * abut::kHullPad;
    hull->columns.resize(3 * hull->padded_count);
    double reach = 0;
    Vec3 low = about_centre[0], high = about_centre[0];
    for (std::uint32_t i = 0; i < hull->padded_count; ++i) {
        const Vec3 v = about_centre[i < hull->vertex_count ? i : 0];
        hull->columns[i] = v.x;
        hull->columns[hull->padded_count + i] = v.y;
        hull->columns[2 * hull->padded_count + i] = v.z;
        reach = std::max(reach, abut::length_above(v.x, v.y, v.z));
        low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
        high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    }
    hull->bound_radius = abut::round_up(reach);  // 0 of a point, as cooking has it: a length of no scale would show
    hull->bounds_min = {centre.x + low.x, centre.y + low.y, centre.z + low.z};
    hull->bounds_max = {centre.x + high.x, centre.y + high.y, centre.z + high.z};
    hull->half_extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z}) / 2;
    return hull;
}

inline Shape sphere(float radius) { return {ShapeKind::sphere, {0, 0, 0}, radius, nullptr, radius}; }
inline Shape capsule(float radius, float half_height) {
    return {ShapeKind::capsule, {0, half_height, 0}, radius, nullptr, double{radius} + half_height};
}
inline Shape box(Vec3 half, float rounding = 0) {
    return {ShapeKind::box,
            {half.x, half.y, half.z},
            rounding,
            nullptr,
            double{std::max({half.x, half.y, half.z})} + rounding};
}
inline Shape hull(const HullGeometry& geometry, float rounding = 0) {
    return {ShapeKind::hull, {1, 1, 1}, rounding, &geometry, double{geometry.half_extent} + rounding};
}

// Points on an ellipsoid; with `dimension` below 3, within a plane, a line, a point.
inline std::vector<Vec3> cloud(Random& random, int count, double size, int dimension = 3, double thinness = 1) {
    const double sx = size * random.in(0.5, 1), sy = size * random.in(0.5, 1) * thinness, sz = size * random.in(0.5, 1);
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) {
        const Vec3 d = random.direction();
        points.push_back({static_cast<float>(dimension > 0 ? d.x * sx : 0),
                          static_cast<float>(dimension > 2 ? d.y * sy : 0),
                          static_cast<float>(dimension > 1 ? d.z * sz : 0)});
    }
    return points;
}

inline double bound(const Shape& s) {
    const double r = s.kind == ShapeKind::hull ? s.hull->bound_radius : norm(s.extents);
    return r + s.radius;
}

}  // namespace scenes
