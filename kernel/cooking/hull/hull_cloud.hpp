// The first steps of cooking: makes a canonical cloud from points, and finds its dimension.
#pragma once

#include <span>

#include "cooking/cooking_types.hpp"

namespace abut::cooking {

// `points` are finite and not empty; `tolerance` is in metres. The grid, and all that is measured on it, is of the
// points times `scale`.
Cloud make_cloud(std::span<const Vec3> points, double tolerance, Vec3 scale);

struct Extent {
    int dimension = 0;           // 0 point, 1 segment, 2 polygon, 3 solid, to within the cloud's resolution
    std::uint32_t ends[2] = {};  // of a segment
    Vec3d along{}, across{};     // of a polygon: orthonormal axes of its plane
};

Extent measure_extent(const Cloud& cloud);

// The corners of the outline that a subset has in the plane of two orthonormal axes, counter-clockwise about along x
// across.
Indices project_outline(const Cloud& cloud, const Indices& subset, Vec3d along, Vec3d across);

Indices all_of(const Cloud& cloud);

}  // namespace abut::cooking
