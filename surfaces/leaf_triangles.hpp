// The triangles of two leaves, as lanes place and compare them.
#pragma once

#include <cstdint>

#include "surfaces/box_bounds.hpp"
#include "surfaces/triangle_pairs.hpp"

namespace abut {

// In A's frame. Columns beyond `count`, up to a multiple of any number of lanes, repeat the last triangle.
struct LeafTriangles {
    static constexpr std::uint32_t kMost = 32;  // sixteen triangles, or sixteen cells of up to two
    static constexpr int kAxes = 4;             // those of A's frame, and one more

    PlacedTriangle at[kMost];
    // What the triangles are between along each axis, and all of them together.
    double low[kAxes][kMost], high[kAxes][kMost], all_low[kAxes], all_high[kAxes];
    std::uint32_t number[kMost];
    std::uint32_t count;
};

// Corners in a surface's own frame, and the change from there to A's frame, or null. The result is the triangles, their numbers and count apart, and
// their extents along the first three axes.
struct LeafTask {
    float corners[3][3][LeafTriangles::kMost];  // of each of three corners x, y, z
    const FrameChange* to_a;
};

// A pair of the leaves' triangles, and a lower bound on their distance.
struct LeafPair {
    double bound;
    std::uint8_t a, b;
};

// The pairs of two leaves' triangles that no axis parts by more than the limit. The fourth is `axis`, of length 1.
struct LeafPairsTask {
    LeafTriangles *a, *b;
    double axis[3], limit;
    LeafPair* out;  // with room for all pairs
};

}  // namespace abut
