// Moving bodies as rays with half extents, which are tighter than one box about the whole motion (swept_bounds).
#pragma once

#include <span>

#include <abut/broad_phase.hpp>

#include "queries/boxes/box_tree.hpp"

namespace abut {

// Writes a line per body, relative to `origin`, and whether the body has a bad pose at one end. A box grows by the part
// `growth` of its longest edge (growth_of) and by `room`, metres.
CallResult swept_lines(const ShapeStore& shapes, const Bodies& start, const Bodies& end, const DVec3& origin,
                       const Strided<Vec3>& centers, double growth, double room, std::span<RayLine> lines,
                       std::span<std::uint8_t> bad);

}  // namespace abut
