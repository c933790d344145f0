// Lower bounds on the distances of sixteen boxes of one surface's tree from a box of another's, one box per lane.
#pragma once

#include <cstdint>

#include "shapes/mesh_geometry.hpp"

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

// Sixteen boxes, and one other box along the axes of another frame. The result, for each of the sixteen, is a lower
// bound on the signed distance between its contents and those of the other box: the distance along the axes of both
// frames and of the known slabs. If the boxes overlap along all axes, it is minus the least overlap, because no two
// convex shapes in them overlap more deeply.
struct BoxTask {
    const float *low[3], *high[3];
    std::uint32_t count;      // the number of boxes that need bounds
    FrameChange to_other;     // from the frame of the sixteen to the frame of the other box
    CentredBox other;         // the other box in its own frame
    CentredBox other_seen;    // the box around the other box along the axes of the sixteen
    const ChildSlabs* slabs;  // of the sixteen; null if no slabs are used
    Slab other_slab;          // of the other box, in the frame of the sixteen
    double limit;             // bounds above it need no improvement
};

}  // namespace abut
