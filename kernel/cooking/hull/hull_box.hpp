// Hulls that are boxes.
#pragma once

#include <optional>

#include "shapes/hull_geometry.hpp"

namespace abut::cooking {

// Fills the box in HullReport. Precondition: the hull is laid out.
void recognise_box(HullGeometry& hull);

// True if a box was recognised and its centre is the origin.
bool is_centred_box(const HullReport& report);

// The box that is equal to the hull, in any orientation (CookedHull::box), if there is one.
std::optional<HullBox> box_of(const HullGeometry& hull);

}  // namespace abut::cooking
