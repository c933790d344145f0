// Cooked meshes as bytes, and back.
#pragma once

#include <cstddef>
#include <span>

#include <abut/status.hpp>

#include "shapes/mesh_geometry.hpp"

namespace abut {

std::size_t mesh_byte_count(const MeshGeometry& mesh);
// `out` has exactly mesh_byte_count() bytes.
void write_mesh(const MeshGeometry& mesh, std::span<std::byte> out);
// Checks all bytes. The result equals the mesh that was written, bit for bit in all tables.
Expected<MeshGeometry> read_mesh(std::span<const std::byte> bytes);

}  // namespace abut
