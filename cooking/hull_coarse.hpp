// The corners that stand out most.
#pragma once

#include <cstdint>

#include "cooking/cooking_types.hpp"
#include "cooking/hull_cloud.hpp"

namespace abut::cooking {

inline constexpr std::uint32_t kAnyNumber = 0xffffffffu;

// The hull of those corners of `skin`, a solid or a polygon, that are farther than `step` above the planes (chords) of the hull of the
// ones farther out; with `most`, which is above the extent's dimension, of no more than that, the farthest first.
Skin coarse_skin(const Cloud& cloud, const Extent& extent, const Skin& skin, double step, std::uint32_t most = kAnyNumber);

}  // namespace abut::cooking
