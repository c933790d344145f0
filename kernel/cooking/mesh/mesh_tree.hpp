// A mesh's tree of bounds: the order of its triangles, and the nodes over them.
#pragma once

#include <span>

#include "cooking/mesh/mesh_weld.hpp"
#include "shapes/mesh_geometry.hpp"

namespace abut::cooking {

// Orders triangles so that each sixteen in sequence are near each other, and so are each sixteen of these groups. All
// nodes except a level's last are full.
void sort_into_leaves(std::span<const Vec3> vertices, Vector<KeptTriangle>& triangles);

// Fills nodes and levels. Precondition: triangles and their corners are set, except the anchors.
void build_nodes(std::span<const KeptTriangle> triangles, MeshGeometry& mesh);

}  // namespace abut::cooking
