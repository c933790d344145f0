// Hulls that are boxes.
#pragma once

#include <optional>

#include "geometry/hull_geometry.hpp"

namespace abut::cooking {

// Fills what HullReport says of a box. The hull is laid out.
void recognise_box(HullGeometry& hull);

// Whether the box that was recognised is about the origin.
bool is_centred_box(const HullReport& report);

// The box that the hull is, in any orientation (CookedHull::box).
std::optional<HullBox> box_of(const HullGeometry& hull);

}  // namespace abut::cooking
