// The cube [-1, 1]^3 as a cooked hull: boxes, segments and points are this cube scaled by their half extents.
#pragma once

#include "shapes/hull_geometry.hpp"

namespace abut {

// Vertex i has its x, y, z negative where bit 0, 1, 2 of i is set, as the ids of convex/lanes/core.hpp have it.
HullGeometry make_unit_cube();

}  // namespace abut
