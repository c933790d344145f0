// The errors of cooking that a scale reveals. Cooking drops details below its resolution, which is a part of the
// longest side, and treats faces as flat to within the same resolution. A scale that is far larger along a short side
// than along the others magnifies these errors: the hull is then cooked again, at that scale, from points that were
// kept for it.
#pragma once

#include "cooking/cooking_types.hpp"
#include "cooking/hull/hull_cloud.hpp"
#include "shapes/hull_geometry.hpp"

namespace abut::cooking {

// Fills HullGeometry::source where it is needed. `is_simplified`: the caller's options dropped points, which no scale
// brings back.
void keep_source(HullGeometry& hull, const Cloud& cloud, const Extent& extent, const Skin& exact, const Skin& skin,
                 const Loops& faces, bool is_simplified);

// Fills HullSource::sides.
void measure_sides(HullSource& source);

// True if instances of this scale must be cooked again.
bool shows_more(const HullGeometry& hull, Vec3 scale);

}  // namespace abut::cooking
