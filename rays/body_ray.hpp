// A ray and a body's shape of any kind. Compounds and surfaces are searched by their trees.
#pragma once

#include "rays/kernels.hpp"
#include "rays/local_ray.hpp"
#include "shapes/tables.hpp"

namespace abut {

struct MeetOptions {
    const RayKernels* kernels;  // of the instruction set
    bool any = false;           // any hit, not necessarily the first
    bool solid_meshes = false;  // closed meshes have an inside
};

// The first hit, in the shape's own frame. LocalHit::child: the child of a compound, or the triangle of a surface by the caller's index.
LocalHit meet_shape(const ShapeTables& tables, ShapeId shape, const LocalRay& ray, const MeetOptions& options);

}  // namespace abut
