// Converts the triangles of leaves to A's frame, and lists the pairs of two leaves' triangles that are close.
#pragma once

#include <cstdint>

#include "surfaces/distances/box_bounds.hpp"
#include "surfaces/distances/triangle_pairs.hpp"

namespace abut {

// In A's frame. Columns beyond `count`, up to a multiple of any number of lanes, repeat the last triangle.
struct LeafTriangles {
    static constexpr std::uint32_t kMost = 32;  // sixteen triangles, or sixteen cells of up to two
    static constexpr int kAxes = 4;             // the axes of A's frame, and one more axis

    PlacedTriangle at[kMost];
    // The interval of each triangle along each axis, and the interval of all triangles.
    double low[kAxes][kMost], high[kAxes][kMost], all_low[kAxes], all_high[kAxes];
    std::uint32_t number[kMost];
    std::uint32_t count;
};

// Input: corners in a surface's own frame, and the change from that frame to A's (null if they are the same). Output:
// the triangles and their intervals along the first three axes, but neither their indices nor their number.
struct LeafTask {
    float corners[3][3][LeafTriangles::kMost];  // by corner, coordinate and triangle
    const FrameChange* to_a;
};

// A pair of the leaves' triangles, and a lower bound on their distance.
struct LeafPair {
    double bound;
    std::uint8_t a, b;
};

// Lists the pairs of two leaves' triangles that no axis separates by more than the limit. The fourth axis is `axis`,
// unit.
struct LeafPairsTask {
    LeafTriangles *a, *b;
    double axis[3], limit;
    LeafPair* out;  // with room for all pairs
};

}  // namespace abut
