// T-junctions: vertices on an open border that lie within another open edge, which ends elsewhere.
#pragma once

#include <cstdint>
#include <span>

#include "shapes/mesh_geometry.hpp"

namespace abut::cooking {

struct OpenEdge {
    std::uint32_t from, to;  // vertices
};

// The number of vertices of open edges that lie within another open edge, up to `tolerance` (metres), and are none of
// its ends.
std::uint32_t count_t_junctions(const MeshGeometry& mesh, std::span<const OpenEdge> edges, double tolerance);

}  // namespace abut::cooking
