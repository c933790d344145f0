// For each octant of directions, the vertices of a large hull that can be support points.
#pragma once

#include "shapes/hull_geometry.hpp"

namespace abut {

// With no more vertices than this, lists save less than looking them up costs (docs/decisions.md).
inline constexpr std::uint32_t kMostWholeVertices = 96;

// Fills the lists of a solid with more than kMostWholeVertices vertices, from its edges and planes; other hulls get
// none.
void lay_out_octants(HullGeometry& hull);

}  // namespace abut
