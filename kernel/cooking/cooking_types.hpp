// The data that the steps of cooking pass to each other. Cooking works on a copy of the points moved to the middle of
// their bounds and scaled by a power of two so that the longest side is in [1, 2): exact in double, and the same bits
// at every power-of-two scale.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include <abut/math.hpp>

#include "base/double_math.hpp"
#include "base/memory.hpp"
#include "shapes/hull_geometry.hpp"

namespace abut::cooking {

using maths::BoxD;
using maths::to_double;
using maths::Vec3d;

// Positions are snapped to multiples of 2^-38 of the unit (2e-12 of the extent) and kept as whole numbers in double:
// then the sign of every determinant that a hull needs is exact (base/grid.hpp).
inline constexpr int kGridBits = 38;

using Indices = Vector<std::uint32_t>;
using Triangle = std::array<std::uint32_t, 3>;  // counter-clockwise from outside

struct Cloud {
    Vector<Vec3>
        points;  // the input without duplicates, in ascending order of (x, y, z), so that its order does not matter
    Vector<Vec3d> grid;     // scaled and snapped, in grid steps
    double step = 1;        // metres, scaled
    double moved = 0;       // metres, unscaled: the largest distance of a point from its grid point
    double resolution = 0;  // grid steps: float32 points this close to a plane or line may be meant to lie in it
    double tolerance =
        0;  // grid steps: points this close to the hull of the rest may be dropped; at least the resolution
};

// A closed surface. neighbours[t][e] is the triangle across the edge triangles[t][e] -> triangles[t][e + 1].
struct Mesh {
    Vector<Triangle> triangles, neighbours;
};

// The corners of the hull of some points of a cloud, and their connections, as indices into the cloud.
struct Skin {
    Indices corners;  // ascending
    Mesh mesh;        // of a solid
    Indices loop;     // of a flat polygon, counter-clockwise about its normal; of a segment and of a point its corners
};

// Polygons, stored one after the other.
struct Loops {
    Indices first = {0};  // one more than there are polygons
    Indices corners;

    std::uint32_t size() const { return std::uint32_t(first.size() - 1); }
    std::span<const std::uint32_t> operator[](std::size_t i) const {
        return {corners.data() + first[i], first[i + 1] - first[i]};
    }
    template <class Corners>
    void add(const Corners& loop) {
        corners.insert(corners.end(), loop.begin(), loop.end());
        first.push_back(std::uint32_t(corners.size()));
    }
};

// Twice the vector area of the polygon of corners at(0) .. at(count - 1); its direction is the normal of the plane that
// fits best.
template <class At>
Vec3d twice_area(std::size_t count, At at) {
    Vec3d area{};
    for (std::size_t i = 1; i + 1 < count; ++i) area = area + cross(at(i) - at(0), at(i + 1) - at(0));
    return area;
}

// Vertex i in a hull's tables.
inline Vec3d vertex_of(const HullGeometry& hull, std::size_t i) {
    return {hull.vertices[i].x, hull.vertices[i].y, hull.vertices[i].z};
}
inline Vec3d normal_of(const HullGeometry& hull, std::size_t face) {
    const float* const n = hull.planes.data() + face;
    return {n[0], n[hull.padded_faces], n[2 * std::size_t(hull.padded_faces)]};
}
inline double offset_of(const HullGeometry& hull, std::size_t face) {
    return hull.planes[3 * std::size_t(hull.padded_faces) + face];
}

}  // namespace abut::cooking
