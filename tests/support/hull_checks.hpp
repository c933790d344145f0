// What must hold of every cooked hull, whatever it was cooked from; and clouds to cook.
#pragma once

#include <abut/math.hpp>
#include <abut/shape_store.hpp>

#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "shapes/hull_geometry.hpp"
#include "shapes/tables.hpp"

namespace abut::test {

inline const HullGeometry& geometry(const ShapeStore& store, ShapeId id) {
    const auto& tables = tables_of(store);
    return tables.hulls[tables.kinds[std::uint32_t(ShapeKind::hull)].records[id.slot()].geometry];
}

struct Limits {
    double dropped = 2.4e-7;  // of the longest side: how far outside the hull an input point may be
    double flat = 7e-7;       // of half the longest side: how far below a face's plane its own corners may be
};

// The first thing found wrong, or "". Compares with the points' own support function, which tells the distance of two
// convex sets.
std::string find_fault(const HullGeometry& hull, std::span<const Vec3> points, const Limits& limits = {});

// Whether two hulls are equal, bit for bit, in all that the kernels read.
bool same(const HullGeometry& a, const HullGeometry& b);

// Uniform numbers that are the same with every standard library.
class Random {
public:
    explicit Random(std::uint32_t seed) : engine_(seed) {}
    double unit() { return double(engine_()) * 0x1p-32; }
    double between(double low, double high) { return low + (high - low) * unit(); }
    std::uint32_t below(std::uint32_t n) { return std::uint32_t(unit() * n); }
    Vec3 direction() {
        for (;;) {
            const double x = between(-1, 1), y = between(-1, 1), z = between(-1, 1),
                         r = std::sqrt(x * x + y * y + z * z);
            if (r > 0.1 && r < 1.0) return {float(x / r), float(y / r), float(z / r)};
        }
    }

private:
    std::mt19937 engine_;
};

// A random rotation, then rounding to float: what was flat or straight is so no longer.
class Rotation {
public:
    explicit Rotation(Random& random);
    Vec3 operator()(double x, double y, double z) const;

private:
    double m_[9];
};

std::vector<Vec3> sphere_points(Random& random, int count);
std::vector<Vec3> lattice(int side);                     // side^3 points of a unit cube
std::vector<Vec3> prism(int sides, double half_height);  // two rings
std::vector<Vec3> cone(int sides);                       // a ring and an apex
std::vector<Vec3> icosphere(int subdivisions);
std::vector<Vec3> scaled(std::vector<Vec3> points, float by);
std::vector<Vec3> moved(std::span<const Vec3> points, const Rotation& rotation, Vec3 scale, Vec3 offset);

}  // namespace abut::test
