// The inside of a closed mesh.
#pragma once

#include "geometry/surface.hpp"

namespace abut {

// True for a mesh that cooking found closed, with fronts outside.
inline bool is_closed(const Surface& surface) { return surface.mesh != nullptr && surface.mesh->is_closed; }

// True if a point (in the surface's frame) is inside the closed surface, without its rounding: its winding number is positive.
bool is_inside(const Surface& closed, const exact::Vec3d& point);

}  // namespace abut
