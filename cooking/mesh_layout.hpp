// What cooking and reading of meshes have in common: their limits, and the tables that follow from the triangles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <abut/status.hpp>

#include "cooking/mesh_weld.hpp"
#include "geometry/mesh_geometry.hpp"

namespace abut::cooking {

inline constexpr std::uint32_t kMostTriangles = 1u << 28, kMostVertices = 1u << 30;

// An error where a coordinate is not finite or out of range; it names the vertex.
std::optional<Error> check_vertex(std::size_t i, Vec3 v);

// The tree, the corners and the caller's indices. The vertices and sides are there, and the triangles are in the order of the leaves.
void lay_out(std::span<const KeptTriangle> triangles, MeshGeometry& mesh);
// Once all tables are there: the hash, and what the report says of sizes.
void finish(std::span<const KeptTriangle> triangles, MeshGeometry& mesh);

}  // namespace abut::cooking
