// Boxes of one surface's tree and a box of another's, as lanes compare them.
#pragma once

#include <cstdint>

#include "geometry/mesh_geometry.hpp"

namespace abut {

// A box along the axes of some frame.
struct CentredBox {
    double centre[3], half[3];
};

// |axis . x - middle| <= half, with an axis of length 1.
struct Slab {
    double axis[3], middle, half;
};

// From one frame to another: x becomes axes x + offset.
struct FrameChange {
    double axes[3][3], offset[3];
};

// Sixteen boxes, and one box along the axes of another frame. The result is a lower bound on the signed distance between the contents of each of the
// sixteen and of the one: their distance along the axes of both frames or, if they overlap along all axes, minus the least overlap, because no two
// convex shapes in them overlap more deeply. Known slabs are further axes.
struct BoxTask {
    const float *low[3], *high[3];
    std::uint32_t count;      // how many of the sixteen need bounds
    FrameChange to_other;     // from the frame of the sixteen to that of the one
    CentredBox other;         // the one in its own frame
    CentredBox other_seen;    // the box around it along the axes of the sixteen
    const ChildSlabs* slabs;  // of the sixteen; null: no slabs are used
    Slab other_slab;          // of the one, in the frame of the sixteen
    double limit;             // bounds above it need not be improved further
};

}  // namespace abut
