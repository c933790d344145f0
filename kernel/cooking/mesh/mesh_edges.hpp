// Finds the neighbours of triangles across their edges, and the convexity of the edges.
#pragma once

#include <cstdint>
#include <span>

#include "base/message.hpp"
#include "cooking/mesh/mesh_weld.hpp"
#include "shapes/mesh_geometry.hpp"

namespace abut::cooking {

// Fills neighbours and bends, and the report's counts of edges and T-junctions. Precondition: vertices and bounds are
// set.
void join_edges(std::span<const KeptTriangle> triangles, double weld_tolerance, MeshGeometry& mesh);

// As join_edges with known neighbours, three per triangle, but without the counts of T-junctions and of edges that do
// not join two triangles. Returns what is wrong with them, or an empty message: each neighbour must have the same edge
// in the opposite direction, and name the triangle there.
Message join_known(std::span<const KeptTriangle> triangles, Vector<std::uint32_t> neighbours, MeshGeometry& mesh);

}  // namespace abut::cooking
