// The caps of the cylinder of radius 1 between -1 and 1 on Y as polygons: the faces of cylinders and cones that are
// clipped.
#pragma once

#include "shapes/hull_geometry.hpp"

namespace abut {

// Face 0 faces +Y, face 1 faces -Y; vertices 0 .. 15 belong to face 0, 16 .. 31 to face 1. There are no other faces and
// no edges: the prism is for clipping only.
HullGeometry make_unit_prism();

}  // namespace abut
