// The caps of the cylinder of radius 1 between -1 and 1 on Y as polygons: what of a cylinder or a cone has contacts in a plane.
#pragma once

#include "geometry/hull_geometry.hpp"

namespace abut {

// Face 0 looks along +Y, face 1 along -Y; vertices 0 .. 15 are of the one, 16 .. 31 of the other. There are no other faces and no edges: it
// is for clipping alone.
HullGeometry make_unit_prism();

}  // namespace abut
