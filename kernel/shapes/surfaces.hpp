// Instances of meshes and height fields, as a query reads them.
#pragma once

#include "shapes/surface.hpp"
#include "shapes/tables.hpp"

namespace abut {

// The surface of a living mesh or height field.
Surface surface_of(const ShapeTables& tables, ShapeId id);

// Local bounds, the scale included, the rounding not. Rounded outwards.
maths::BoxD bounds_of(const Surface& surface);
// The same with the solid below a height field (HeightfieldOptions::thickness); kMostMetres of an infinite one.
maths::BoxD solid_bounds_of(const Surface& surface);

}  // namespace abut
