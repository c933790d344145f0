// Cooked hulls as bytes, and back.
#pragma once

#include <cstddef>
#include <span>

#include <abut/status.hpp>

#include "shapes/hull_geometry.hpp"

namespace abut {

std::size_t hull_byte_count(const HullGeometry& hull);
// `out` has exactly hull_byte_count() bytes.
void write_hull(const HullGeometry& hull, std::span<std::byte> out);
// Checks all bytes. The result equals the hull that was written, bit for bit in all tables.
Expected<HullGeometry> read_hull(std::span<const std::byte> bytes);

}  // namespace abut
