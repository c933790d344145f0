// Shared by cooking and reading of meshes: limits, and the tables that follow from the triangles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <abut/status.hpp>

#include "cooking/mesh/mesh_weld.hpp"
#include "shapes/mesh_geometry.hpp"

namespace abut::cooking {

inline constexpr std::uint32_t kMostTriangles = 1u << 28, kMostVertices = 1u << 30;

// An error that names the vertex if a coordinate is not finite or out of range.
std::optional<Error> check_vertex(std::size_t i, Vec3 v);

// Fills the tree, the corners and the caller's indices. Precondition: vertices and sides are set, and the triangles are
// in the order of the leaves.
void lay_out(std::span<const KeptTriangle> triangles, MeshGeometry& mesh);
// Fills the hash and the sizes in the report. Precondition: all tables are filled.
void finish(std::span<const KeptTriangle> triangles, MeshGeometry& mesh);
// An error if the finished mesh is to be solid, but is not closed.
std::optional<Error> check_solid(const MeshGeometry& mesh);

}  // namespace abut::cooking
