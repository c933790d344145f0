// Drops corners that the hull does not need.
#pragma once

#include "cooking/cooking_types.hpp"
#include "cooking/hull_cloud.hpp"

namespace abut::cooking {

// Fewer corners, such that every point of the cloud is within cloud.tolerance of their hull (which lies inside the exact one).
// Duplicates, points collinear on an edge and coplanar in a face go this way too.
Skin simplify(const Cloud& cloud, const Extent& extent, Skin exact);

}  // namespace abut::cooking
