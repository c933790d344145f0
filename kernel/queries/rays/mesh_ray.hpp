// The functions behind MeshWalkCalls (mesh_walk.hpp), in baseline code.
#pragma once

#include "queries/rays/body_ray.hpp"
#include "queries/rays/mesh_walk.hpp"

namespace abut {

void describe_mesh(const ShapeTables& tables, ShapeId mesh, bool solid_meshes, MeshFrame& frame);
bool starts_inside(const MeshFrame& frame, const double* origin);
MeshCrossing cross_triangle(const MeshWalk& walk, std::uint32_t triangle);

}  // namespace abut
