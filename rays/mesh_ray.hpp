// Rays and meshes: what the lanes (walk_meshes.hpp) leave to the baseline.
#pragma once

#include "rays/body_ray.hpp"
#include "rays/mesh_walk.hpp"

namespace abut {

void describe_mesh(const ShapeTables& tables, ShapeId mesh, bool solid_meshes, MeshFrame& frame);
bool starts_inside(const MeshFrame& frame, const double* origin);
std::uint32_t corner_of(const MeshGeometry& mesh, std::uint32_t triangle, std::uint32_t k);
MeshCrossing cross_triangle(const MeshWalk& walk, std::uint32_t triangle);

}  // namespace abut
