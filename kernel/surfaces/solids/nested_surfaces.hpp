// A surface inside the solid of another one. The triangles of the two do not touch.
#pragma once

#include <abut/frame.hpp>

#include "base/double_math.hpp"
#include "shapes/tables.hpp"

namespace abut {

// True if a part of a surface is in the solid that another surface bounds. Precondition: their triangles do not touch,
// so one vertex of a connected part decides. All triangles of a height field count as connected.
bool is_nested(const ShapeTables& tables, const Body& inner, const Body& solid);

// The corner of a surface that is farthest along a direction (world axes), from its body's position.
maths::Vec3d farthest_corner(const ShapeTables& tables, const Body& body, const maths::Vec3d& direction);

}  // namespace abut
