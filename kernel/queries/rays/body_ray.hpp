// Where a ray meets a body's shape of any kind. Compounds and surfaces are searched by their trees.
#pragma once

#include "queries/rays/local_ray.hpp"
#include "queries/rays/ray_kernels.hpp"
#include "shapes/tables.hpp"

namespace abut {

struct MeetOptions {
    const RayKernels* kernels;  // of the instruction set
    bool any = false;           // stop at any hit, not always the first
    bool solid_meshes = false;  // closed meshes are solids
    QuerySides sides = QuerySides::as_cooked;
};

// The first hit, or with `any` some hit, in the shape's own frame. The child is a compound's child, or a surface's
// triangle by the caller's index.
LocalHit meet_shape(const ShapeTables& tables, ShapeId shape, const LocalRay& ray, const MeetOptions& options);

}  // namespace abut
