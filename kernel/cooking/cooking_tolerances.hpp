// Every tolerance of cooking, with its reason. Promise 1's bound and what kernels and cooking share are in
// kernel/base/tolerances.hpp.
#pragma once

namespace abut {

// Limits of the resolution, relative to the longest side of the bounds. Rounding points to float32 moves them by up to
// 2^-24 of their coordinates, which spreads coplanar or collinear points over at most twice the sum of three such
// steps. The upper limit is a tenth of the error that an answer may have; clouds that are farther from their origin
// than four times their size keep part of that noise as shape.
inline constexpr double kLeastResolution = 0x1p-22, kMostResolution = 0x1p-20;
// A hull counts as a box if its vertices are within this part of the box's shortest side of the box's corners. Rounding
// moves vertices by as much, and the limit is a tenth of the error that promise 1 allows.
inline constexpr double kBoxSlack = 0x1p-20;
// A part of the resolution. A corner closer than this to the hull of the others is removed, even if simplification had
// restored it, so that no face is too thin for its normal to be computed in double.
inline constexpr double kLeastHeight = 0x1p-8;
// A part of the longest scaled side, a tenth of promise 1's bound: a hull is not cooked again for deviations up to
// this.
inline constexpr double kShown = 0x1p-21;
// The largest thickness of merged faces, as a part of the hull's half extent: less than half of promise 1's bound
// between shapes of equal size, and more than the distances that cooking leaves between float32 points that were meant
// to be in one plane.
inline constexpr double kMergedThickness = 5e-6;
// A face joins a group if its normal is within 26 degrees of the group's. A steeper face is a sliver between two faces.
inline constexpr double kLeastCosine = 0.9;
// Quadrilaterals are equal if their areas differ by less than this factor. The first of equal ones represents a face.
inline constexpr double kSameQuad = 1.01;
// Octant lists: normals err by half an ulp of 1, and triangles of merged faces lie within cooking's resolution. A
// needless vertex costs one dot product.
inline constexpr double kOctantSlack = 1e-5;
// Limits for cooked bytes, relative to half the longest side: the largest resolution is 1.9e-6, and normals and
// vertices are rounded to float.
inline constexpr double kCookedFlat = 4e-6, kCookedConvex = 1e-6, kCookedCentre = 1e-6, kCookedUnit = 4e-7;

// Meshes. A triangle whose height is less than kDegenerateHeight of its longest edge is dropped: its normal would be
// rounding. If the height is less than kNeedleHeight of that edge, the triangle is a needle.
inline constexpr double kDegenerateHeight = 1e-6, kNeedleHeight = 1e-3;
// A vertex is on an open edge if it is closer to it than this part of the largest coordinate (some roundings of
// floats), or than the weld tolerance.
inline constexpr double kJunctionRounding = 1e-6;

}  // namespace abut
