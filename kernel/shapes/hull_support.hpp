// The vertex of a cooked hull farthest along a direction: floats find the few candidates, mostly one, and doubles
// choose among them.
#pragma once

#include <cstdint>

#include "base/double_math.hpp"
#include "shapes/hull_geometry.hpp"

namespace abut {

// `d`: in the hull's axes, unscaled, of any length. The lowest index wins ties.
std::uint32_t farthest_vertex(const HullGeometry& hull, const maths::Vec3d& d);
inline maths::Vec3d vertex_at(const HullGeometry& hull, std::uint32_t i) {
    return {hull.column_x()[i], hull.column_y()[i], hull.column_z()[i]};
}

}  // namespace abut
