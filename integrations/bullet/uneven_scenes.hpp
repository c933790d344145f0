// Scenes on ground that is not flat, or flat only nearly; and stacks of prisms, whose contacts must be symmetric.
#pragma once

#include <cstdint>

#include "scene.hpp"

namespace abut::tools {

// Planks of 1 x 0.1 x 0.2 m that fall onto a mesh of waves; `rows` times `rows` of them.
Scene planks_on_waves(std::uint32_t rows);
// Boxes, cylinders and prisms that fall onto a height field whose heights are random within 5 cm.
Scene bodies_on_field(std::uint32_t rows);
// The same, each of them onto the edge of a pebble of some centimetres, which is a hull on a half-space.
Scene bodies_on_pebbles(std::uint32_t rows);
// A ramp of 12 degrees whose vertices are saved with four decimals. One half of the bodies start at rest, the others
// slide down at 3 m/s.
Scene ramp_of_decimals(std::uint32_t rows);
// Eight stacks of ten prisms, of 5 to 12 lateral faces.
Scene prisms_of_all_sides();

}  // namespace abut::tools
