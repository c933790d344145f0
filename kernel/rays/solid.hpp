// The inside of a closed mesh.
#pragma once

#include "geometry/surface.hpp"

namespace abut {

// Whether the surface has one: a mesh that cooking found closed, its fronts outside.
inline bool is_closed(const Surface& surface) { return surface.mesh != nullptr && surface.mesh->is_closed; }

// Whether a point is inside the closed surface, without its rounding: its winding number is positive. In the surface's frame.
bool is_inside(const Surface& closed, const exact::Vec3d& point);

}  // namespace abut
