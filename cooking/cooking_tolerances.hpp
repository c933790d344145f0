// Every tolerance of cooking, with its reason. Promise 1's bound and what kernels and cooking share are in kernel/tolerances.hpp.
#pragma once

namespace abut {

// Relative to the longest side of the bounds. Rounding points to float32 moves them by up to 2^-24 of their coordinates, so that what was coplanar or
// collinear is spread over twice the sum of three such steps at worst. The upper end is a tenth of the error that an answer may have; clouds that are
// farther from their origin than four times their size keep part of that noise as shape.
inline constexpr double kLeastResolution = 0x1p-22, kMostResolution = 0x1p-20;
// A hull is taken for a box where its vertices are this near to the box's corners, of the box's shortest side: as near as rounding leaves them, and
// a tenth of what promise 1 allows.
inline constexpr double kBoxSlack = 0x1p-20;
// Of the resolution: corners closer to the hull of the rest go even where they were put back, so that no face is too thin for its normal to be
// computed in double.
inline constexpr double kLeastHeight = 0x1p-8;
// Of the longest scaled side: what is within it need not be cooked again for. A tenth of promise 1's bound.
inline constexpr double kShown = 0x1p-21;
// Of the hull's half extent: less than half of promise 1's bound between shapes of equal size, and above what cooking leaves between float32 points
// that were meant to be in one plane.
inline constexpr double kMergedThickness = 5e-6;
// A face joins a group whose plane it is within 26 degrees of: what is steeper is a sliver between two sides.
inline constexpr double kLeastCosine = 0.9;
// Of quadrilaterals that are equal to within this the first one stands for a face.
inline constexpr double kSameQuad = 1.01;
// A normal's components err by half an ulp of 1; what faces were merged from lies within cooking's resolution. Vertices that come in without need
// cost a dot each.
inline constexpr double kOctantSlack = 1e-5;
// What cooked bytes are held to, of half the longest side: the largest resolution is 1.9e-6, and normals and vertices are rounded to float.
inline constexpr double kCookedFlat = 4e-6, kCookedConvex = 1e-6, kCookedCentre = 1e-6, kCookedUnit = 4e-7;

// Meshes. A triangle lower than the first part of its longest edge is dropped: its normal would be rounding. Lower than the second, it is a needle.
inline constexpr double kDegenerateHeight = 1e-6, kNeedleHeight = 1e-3;
// A vertex lies within an open edge to this part of the largest coordinate, or to the weld tolerance: some roundings of floats.
inline constexpr double kJunctionRounding = 1e-6;

}  // namespace abut
