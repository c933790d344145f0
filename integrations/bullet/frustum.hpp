// Hulls between two horizontal polygons, their centre of mass at the origin, as the engine takes the origin for it.
#pragma once

#include <span>
#include <vector>

#include "shape_spec.hpp"

namespace abut::tools {

struct Corner {
    double x = 0, z = 0;
};

// `sides` corners on a circle, the first at angle 0.
std::vector<Corner> regular_polygon(int sides, double radius);
// Its bottom is the polygon, its top the polygon scaled about its centroid by `top`; a prism where `top` is 1.
ShapeSpec make_frustum(std::span<const Corner> polygon, double top, double height);
// From the bottom to the centre of mass.
double frustum_centre(double top, double height);

}  // namespace abut::tools
