// Cooked hulls as bytes, and back.
#pragma once

#include <cstddef>
#include <span>

#include <abut/status.hpp>

#include "geometry/hull_geometry.hpp"

namespace abut {

std::size_t hull_byte_count(const HullGeometry& hull);
// `out` has exactly that many.
void write_hull(const HullGeometry& hull, std::span<std::byte> out);
// Trusts nothing. What it gives is what write_hull was given, bit for bit in all tables.
Expected<HullGeometry> read_hull(std::span<const std::byte> bytes);

}  // namespace abut
