// Scenes on ground of triangles.
#pragma once

#include "scene.hpp"

namespace abut::tools {

// A box, a cylinder and a capsule that slide over a flat mesh of 0.1 m triangles, and a ball that rolls, until friction
// has stopped them.
Scene sliding_bodies();
// The same over bumps of 2 cm.
Scene bumpy_ground();
// Ten boxes and ten cylinders, one on another, on a flat mesh.
Scene stacks_on_mesh();
// Boxes, capsules and hulls that fall into a valley of a bumpy mesh.
Scene terrain_pile();
// A compound of a box and four balls that slides across the waves of a mesh, and comes to rest in one.
Scene car();

}  // namespace abut::tools
