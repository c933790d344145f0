// What the steps of cooking hand to each other. Cooking works on a copy of the points moved to the middle of their bounds and scaled by
// a power of two so that the longest side is in [1, 2): exact in double, and the same bits at every power-of-two scale.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <abut/math.hpp>

#include "geometry/double_math.hpp"

namespace abut::cooking {

using exact::Vec3d;

// Positions are snapped to multiples of 2^-38 of the unit (2e-12 of the extent) and kept as whole numbers in double: then the sign of
// every determinant that a hull asks for fits 128 bits and is exact.
inline constexpr int kGridBits = 38;

using Indices = std::vector<std::uint32_t>;
using Triangle = std::array<std::uint32_t, 3>;  // counter-clockwise from outside

struct Cloud {
    std::vector<Vec3> points;  // as given, without duplicates, in ascending order of (x, y, z): the input's order is forgotten here
    std::vector<Vec3d> grid;   // scaled and snapped, in grid steps
    double step = 1;           // metres, scaled
    double moved = 0;          // metres, unscaled: no point is farther from its place on the grid
    double resolution = 0;     // grid steps: closer than this, float32 points cannot be told from coplanar or collinear ones
    double tolerance = 0;      // grid steps: what lies this close to the hull of the rest may be dropped; at least the resolution
};

// A closed surface. neighbours[t][e] is the triangle across the edge triangles[t][e] -> triangles[t][e + 1].
struct Mesh {
    std::vector<Triangle> triangles, neighbours;
};

// The corners of the hull of some points of a cloud, and how they hang together. All are indices into the cloud.
struct Skin {
    Indices corners;  // ascending
    Mesh mesh;        // of a solid
    Indices loop;     // of a flat polygon, counter-clockwise about its normal; of a segment and of a point its corners
};

// Polygons, one behind the other.
struct Loops {
    Indices first = {0};  // one more than there are polygons
    Indices corners;

    std::uint32_t size() const { return std::uint32_t(first.size() - 1); }
    std::span<const std::uint32_t> operator[](std::size_t i) const { return {corners.data() + first[i], first[i + 1] - first[i]}; }
    template <class Corners>
    void add(const Corners& loop) {
        corners.insert(corners.end(), loop.begin(), loop.end());
        first.push_back(std::uint32_t(corners.size()));
    }
};

}  // namespace abut::cooking
