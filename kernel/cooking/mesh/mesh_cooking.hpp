// Cooks a triangle mesh: checks and welds it, orders its triangles as leaves of a tree, and joins its edges.
#pragma once

#include <span>

#include <abut/cooking.hpp>
#include <abut/status.hpp>

#include "shapes/mesh_geometry.hpp"

namespace abut {

Expected<MeshGeometry> cook_mesh_geometry(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles,
                                          const MeshOptions& options);

}  // namespace abut
