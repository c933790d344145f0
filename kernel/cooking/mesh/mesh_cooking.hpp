// Cooks a triangle mesh: checked, welded, put into the order of a tree, its edges joined.
#pragma once

#include <span>

#include <abut/cooking.hpp>
#include <abut/status.hpp>

#include "shapes/mesh_geometry.hpp"

namespace abut {

Expected<MeshGeometry> cook_mesh_geometry(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles,
                                          const MeshOptions& options);

}  // namespace abut
