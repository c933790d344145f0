// Cooked meshes as bytes, and back.
#pragma once

#include <cstddef>
#include <span>

#include <abut/status.hpp>

#include "geometry/mesh_geometry.hpp"

namespace abut {

std::size_t mesh_byte_count(const MeshGeometry& mesh);
// `out` has exactly that many.
void write_mesh(const MeshGeometry& mesh, std::span<std::byte> out);
// Trusts nothing. What it gives is what write_mesh was given, bit for bit in all tables.
Expected<MeshGeometry> read_mesh(std::span<const std::byte> bytes);

}  // namespace abut
