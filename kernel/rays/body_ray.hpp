// A ray and a body's shape of any kind: compounds and surfaces by their trees.
#pragma once

#include "geometry/node_ray.hpp"
#include "rays/local_ray.hpp"
#include "shapes/tables.hpp"

namespace abut {

struct MeetOptions {
    FindEntries find_entries;   // of the instruction set
    bool any = false;           // one hit, not always the first
    bool solid_meshes = false;  // closed meshes have an inside
};

// The first hit, in the shape's own frame. LocalHit::child: of a compound the child, of a surface the triangle by the caller's index.
LocalHit meet_shape(const ShapeTables& tables, ShapeId shape, const LocalRay& ray, const MeetOptions& options);

}  // namespace abut
