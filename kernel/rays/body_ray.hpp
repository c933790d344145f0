// A ray and a body's shape of any kind: compounds and surfaces by their trees.
#pragma once

#include "rays/local_ray.hpp"
#include "shapes/tables.hpp"

namespace abut {

// The first hit, in the shape's own frame. `child`: of a compound the child, of a surface the triangle by the caller's index. `any`: one hit, not always
// the first.
LocalHit meet_shape(const ShapeTables& tables, ShapeId shape, const LocalRay& ray, bool any);

}  // namespace abut
