// Pairs of triangles, as lanes measure them.
#pragma once

#include <cstdint>

namespace abut {

// A corner, and the edges from there to the two others. The fourth number of each is not read.
struct PlacedTriangle {
    double corner[4], edge[2][4];
};

// Pairs of triangles in one frame. The answer is the signed distance of each pair, or, of one that is farther apart than the limit, some bound above that.
// That of overlapping triangles is minus the least translation that parts them; triangles in one plane have none that is negative.
struct TrianglePairs {
    static constexpr std::uint32_t kMost = 16;

    const PlacedTriangle *a[kMost], *b[kMost];
    std::uint32_t count;
};

}  // namespace abut
