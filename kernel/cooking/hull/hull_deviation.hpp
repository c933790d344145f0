// The distance of a cooked hull from the points from which it was cooked.
#pragma once

#include "cooking/cooking_types.hpp"
#include "cooking/hull/hull_cloud.hpp"
#include "shapes/hull_geometry.hpp"

namespace abut::cooking {

// Fills HullReport::deviation and overshoot from the vertices as they are stored. `exact` is the hull of the whole
// cloud, `skin` that of the vertices.
void measure_deviation(HullGeometry& hull, const Cloud& cloud, const Extent& extent, const Skin& exact,
                       const Skin& skin);

}  // namespace abut::cooking
