// Hulls that are boxes.
#pragma once

#include "geometry/hull_geometry.hpp"

namespace abut::cooking {

// Fills what HullReport says of a box. The hull is laid out.
void recognise_box(HullGeometry& hull);

// Whether the box that was recognised is about the origin.
bool is_centred_box(const HullReport& report);

}  // namespace abut::cooking
