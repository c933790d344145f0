// The corners that stand out most.
#pragma once

#include <cstdint>

#include "cooking/cooking_types.hpp"
#include "cooking/hull/hull_cloud.hpp"

namespace abut::cooking {

inline constexpr std::uint32_t kAnyNumber = 0xffffffffu;

// The hull of the corners of `skin` (a solid or polygon) that stand out most: corners are added farthest first, until
// the rest are at most `step` above its planes (chords). With `most`, a number above the extent's dimension, it has at
// most that many corners, and a solid ignores `step`.
Skin coarse_skin(const Cloud& cloud, const Extent& extent, const Skin& skin, double step,
                 std::uint32_t most = kAnyNumber);

}  // namespace abut::cooking
