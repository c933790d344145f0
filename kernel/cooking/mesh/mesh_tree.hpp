// A mesh's tree of bounds: the order of its triangles, and the nodes over them.
#pragma once

#include <span>

#include "cooking/mesh/mesh_weld.hpp"
#include "shapes/mesh_geometry.hpp"

namespace abut::cooking {

// Orders triangles by tree_order.hpp.
void sort_triangles(std::span<const Vec3> vertices, Vector<KeptTriangle>& triangles);

// Fills nodes and levels. Precondition: triangles and their corners are set, except the anchors.
void build_nodes(std::span<const KeptTriangle> triangles, MeshGeometry& mesh);

}  // namespace abut::cooking
