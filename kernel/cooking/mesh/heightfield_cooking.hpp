// Height fields: samples checked, and the tree of their ranges.
#pragma once

#include <span>

#include <abut/cooking.hpp>
#include <abut/status.hpp>

#include "shapes/heightfield_geometry.hpp"

namespace abut {

Expected<HeightfieldGeometry> cook_field(std::span<const float> heights, std::uint32_t rows, std::uint32_t columns,
                                         const HeightfieldOptions& options);

}  // namespace abut
