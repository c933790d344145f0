// Convex hulls of grid points with exact predicates: no input makes them inconsistent.
#pragma once

#include <span>
#include <vector>

#include "cooking/cooking_types.hpp"

namespace abut::cooking {

// The hull of grid[subset]: consistently oriented, convex without any tolerance; coplanar neighbours occur, degenerate triangles do
// not. Empty where all points lie in one plane. Points that are no more than `ignored` above the planes of the hull of the others
// are left out, the farthest being taken in first; at 0 nothing is.
Mesh exact_hull(std::span<const Vec3d> grid, std::span<const std::uint32_t> subset, double ignored = 0.0);

// The hull of at most so many (4 at least) of `extreme`, which are corners of the hull of them all: at each step the one farthest above
// a plane of the hull so far comes in.
Mesh farthest_hull(std::span<const Vec3d> grid, std::span<const std::uint32_t> extreme, std::uint32_t most_corners);

// The corners of the hull of plane grid points (z is ignored), counter-clockwise, collinear points left out; as indices into grid.
// One index where all points coincide, two where all are collinear.
Indices exact_polygon(std::span<const Vec3d> grid, std::span<const std::uint32_t> subset);

}  // namespace abut::cooking
