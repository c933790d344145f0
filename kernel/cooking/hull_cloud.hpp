// The first steps of cooking: points to a canonical cloud, and how many dimensions it fills.
#pragma once

#include <span>

#include "cooking/cooking_types.hpp"

namespace abut::cooking {

// Relative to the longest side of the bounds. Rounding points to float32 moves them by up to 2^-24 of their coordinates, so that what
// was coplanar or collinear is spread over twice the sum of three such steps at worst. The upper end is a tenth of the error that an
// answer may have; clouds that are farther from their origin than four times their size keep part of that noise as shape.
inline constexpr double kLeastResolution = 0x1p-22, kMostResolution = 0x1p-20;

// `points` are finite and not empty; `tolerance` is in metres. The grid, and all that is measured on it, is of the points times `scale`.
Cloud make_cloud(std::span<const Vec3> points, double tolerance, Vec3 scale);

struct Extent {
    int dimension = 0;           // 0 point, 1 segment, 2 polygon, 3 solid, to within the cloud's resolution
    std::uint32_t ends[2] = {};  // of a segment
    Vec3d along{}, across{};     // of a polygon: orthonormal axes of its plane
};

Extent measure_extent(const Cloud& cloud);

// The corners of the outline that a subset has in the plane of two orthonormal axes, counter-clockwise about along x across.
Indices project_outline(const Cloud& cloud, const Indices& subset, Vec3d along, Vec3d across);

Indices all_of(const Cloud& cloud);

}  // namespace abut::cooking
