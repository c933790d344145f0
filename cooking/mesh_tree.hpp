// A mesh's tree of bounds: the order of its triangles, and the nodes over them.
#pragma once

#include <span>

#include "cooking/mesh_weld.hpp"
#include "geometry/mesh_geometry.hpp"

namespace abut::cooking {

// Sixteen triangles that follow each other are near each other, and so are sixteen times sixteen. Every node but a level's last is full.
void sort_into_leaves(std::span<const Vec3> vertices, Vector<KeptTriangle>& triangles);

// Fills nodes and levels; the triangles are there, and so are their corners, but for the anchors.
void build_nodes(std::span<const KeptTriangle> triangles, MeshGeometry& mesh);

}  // namespace abut::cooking
