// Drops corners that the hull does not need.
#pragma once

#include "shapes/cooking_types.hpp"
#include "shapes/hull_cloud.hpp"

namespace abut::cooking {

// The exact hull of the whole cloud, as a solid or as a polygon in the plane of `extent`.
Skin make_skin(const Cloud& cloud, const Extent& extent);

// Fewer corners, such that every point of the cloud is within cloud.tolerance of their hull (which lies inside the exact one).
// Duplicates, points collinear on an edge and coplanar in a face go this way too.
Skin simplify(const Cloud& cloud, const Extent& extent, Skin exact);

}  // namespace abut::cooking
