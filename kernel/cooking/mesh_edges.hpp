// Which triangles of a mesh continue each other across their edges, and how they meet there.
#pragma once

#include <span>

#include "cooking/mesh_weld.hpp"
#include "geometry/mesh_geometry.hpp"

namespace abut::cooking {

// Fills neighbours and bends, and the report's counts of edges and T-junctions. The vertices and bounds are there.
void join_edges(std::span<const KeptTriangle> triangles, double weld_tolerance, MeshGeometry& mesh);

}  // namespace abut::cooking
