// The side of a two-sided surface that a shape is on. A plank on a crest has its centre above the crest, and behind the planes of triangles on the far
// slope: the plane of one triangle does not tell.
#pragma once

#include <cstdint>

#include "geometry/double_math.hpp"
#include "geometry/surface.hpp"

namespace abut {

// True if a triangle's plane separates it from `centre`, seen from the side of the surface that the centre is on. That side is the one of the
// triangle that steps to neighbours lead to, each step to the neighbour that is nearest to the centre, and nearer than the one before.
bool is_turned_away(const Surface& surface, std::uint32_t triangle, const SurfaceCorners& corners, const exact::Vec3d& centre);

}  // namespace abut
