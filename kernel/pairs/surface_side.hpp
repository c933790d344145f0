// The side of a two-sided surface that a shape is on. A plank on a crest has its centre above the crest, and behind the planes of triangles on the far
// slope: the plane of one triangle does not tell.
#pragma once

#include <cstdint>

#include "geometry/double_math.hpp"
#include "geometry/surface.hpp"

namespace abut {

// Whether a triangle's plane parts it from `centre`, seen from the side of the surface that the centre is on: that of the triangle to which the way from
// this one leads, each next one the neighbour that is the nearest to the centre, and nearer than the one before.
bool is_turned_away(const Surface& surface, std::uint32_t triangle, const SurfaceCorners& corners, const exact::Vec3d& centre);

}  // namespace abut
