// Removes corners that the hull does not need.
#pragma once

#include "cooking/cooking_types.hpp"
#include "cooking/hull/hull_cloud.hpp"

namespace abut::cooking {

// Removes corners so that every point of the cloud is within cloud.tolerance of the remaining corners' hull, which lies
// inside the exact one. This also removes duplicates, collinear points on an edge and coplanar points in a face.
Skin simplify(const Cloud& cloud, const Extent& extent, Skin exact);

}  // namespace abut::cooking
