// What a scale can show. Cooking drops what is within its resolution of the hull, a part of the longest side, and takes faces for flat that are so
// to within that. A scale that is far larger along a short side than along the others magnifies it: then the hull is cooked again, as scaled,
// from the points that were kept for it.
#pragma once

#include "cooking/cooking_types.hpp"
#include "cooking/hull_cloud.hpp"
#include "geometry/hull_geometry.hpp"

namespace abut::cooking {

// Fills HullGeometry::source where it is needed. `is_simplified`: the caller's options dropped points, which no scale brings back.
void keep_source(HullGeometry& hull, const Cloud& cloud, const Extent& extent, const Skin& exact, const Skin& skin, const Loops& faces,
                 bool is_simplified);

// Fills HullSource::sides.
void measure_sides(HullSource& source);

// Whether instances of this scale are to be cooked again.
bool shows_more(const HullGeometry& hull, Vec3 scale);

}  // namespace abut::cooking
