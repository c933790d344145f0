// Limits the number of corners of a hull.
#pragma once

#include <cstdint>

#include "cooking/cooking_types.hpp"
#include "cooking/hull/hull_cloud.hpp"

namespace abut::cooking {

// At most `most` of the corners of `skin`, which has more; `most` is above the extent's dimension. They are chosen so
// that the farthest of the other corners is near; hull_deviation.hpp measures how near.
Skin limit_corners(const Cloud& cloud, const Extent& extent, const Skin& skin, std::uint32_t most);

}  // namespace abut::cooking
