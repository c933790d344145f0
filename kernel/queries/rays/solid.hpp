// The inside of a closed mesh.
#pragma once

#include "shapes/surface.hpp"

namespace abut {

// True for a mesh that cooking found to be closed, with the fronts of its triangles outside.
inline bool is_closed(const Surface& surface) { return surface.mesh != nullptr && surface.mesh->is_closed; }

// True if the winding number of a point (in the surface's frame) is positive. The surface's rounding does not count.
bool is_inside(const Surface& closed, const maths::Vec3d& point);

}  // namespace abut
