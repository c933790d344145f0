// For each octant of directions, the vertices of a large hull that a support can be.
#pragma once

#include "geometry/hull_geometry.hpp"

namespace abut {

// With no more vertices than this, lists save less than looking them up costs (docs/decisions.md).
inline constexpr std::uint32_t kMostWholeVertices = 96;

// Of a solid with more than kMostWholeVertices, from its edges and planes; of anything else nothing.
void lay_out_octants(HullGeometry& hull);

}  // namespace abut
