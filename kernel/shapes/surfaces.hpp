// Instances of meshes and height fields, as a query reads them.
#pragma once

#include "shapes/surface.hpp"
#include "shapes/tables.hpp"

namespace abut {

// The surface of a living mesh or height field.
Surface surface_of(const ShapeTables& tables, ShapeId id);

// The bounds of the triangles in the body's frame, scaled, without the rounding. As floats, rounded outwards.
maths::BoxD bounds_of(const Surface& surface);
// The bounds of the triangles and of what is solid below a height field; an infinite thickness counts as kMostMetres.
maths::BoxD solid_bounds_of(const Surface& surface);

}  // namespace abut
