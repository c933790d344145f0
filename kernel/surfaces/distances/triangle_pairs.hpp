// Signed distances of pairs of triangles, one pair per lane.
#pragma once

#include <cstdint>

namespace abut {

// A corner, and the edges from there to the two others. The fourth number of each is not read.
struct PlacedTriangle {
    double corner[4], edge[2][4];
};

// Pairs of triangles in one frame. The result is the signed distance of each pair, or some bound above the limit for
// pairs that are farther apart. For overlapping triangles it is minus the least translation that separates them, which
// is 0 for coplanar ones.
struct TrianglePairs {
    static constexpr std::uint32_t kMost = 64;

    const PlacedTriangle *a[kMost], *b[kMost];
    std::uint32_t count;
    double limit, rounding;  // a pair farther apart than the nearest by more than `rounding` is beyond the limit, too
};

}  // namespace abut
