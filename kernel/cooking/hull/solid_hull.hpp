// The hull of a solid cloud in its canonical form.
#pragma once

#include <span>

#include "cooking/cooking_types.hpp"

namespace abut::cooking {

// The hull of grid[subset], exactly; a function of the points alone: the corners are the extreme points (the first of
// equal ones), exactly coplanar triangles are a fan from their face's first corner, and faces are in ascending order of
// their loops. Empty where all points lie in one plane.
Mesh solid_hull(std::span<const Vec3d> grid, std::span<const std::uint32_t> subset);

}  // namespace abut::cooking
