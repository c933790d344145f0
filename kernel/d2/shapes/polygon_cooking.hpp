// Convex hulls in the plane, exact.
#pragma once

#include <cstdint>
#include <span>

#include <abut/d2/vec2.hpp>

#include "base/memory.hpp"

namespace abut::d2 {

// Positive if a, b, c are counter-clockwise, 0 if they are collinear. The sign is exact for all finite floats.
double orientation(Vec2 a, Vec2 b, Vec2 c);

// The corners of the convex hull as indices of points, counter-clockwise, from the lowest one (of equally low ones the
// leftmost). One index if all points are equal, two if they are collinear. Of equal points, the first is used.
Vector<std::uint32_t> convex_hull(std::span<const Vec2> points);

}  // namespace abut::d2
