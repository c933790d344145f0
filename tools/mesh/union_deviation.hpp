// How far a mesh and a union of hulls are from each other, by the library's own point queries.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <abut/math.hpp>

#include "mesh.hpp"

namespace abut::tools {

// Metres: the greatest at the sample points, which are nowhere farther apart than `spacing`. Between them it is greater
// by at most the spacing.
struct UnionDeviation {
    double mesh_outside = 0.0;   // of the mesh's surface, outside the union
    double hulls_outside = 0.0;  // of the union's surface, outside the mesh; if it is not solid, from its surface
    bool is_solid = false;       // the mesh is closed, so that it has an inside
    double mesh_spacing = 0.0, hulls_spacing = 0.0;
    std::size_t mesh_points = 0, hulls_points = 0;
};

// `hulls` are the vertices of each.
UnionDeviation measure_union(const Mesh& mesh, std::span<const std::vector<Vec3>> hulls);

}  // namespace abut::tools
