// Contacts of a convex core on a chain: each segment is a face that the core lies on, and a joint that stands out is a
// corner. No contact has a normal that the chain does not show there, so that nothing catches at joints.
#pragma once

#include "d2/convex/plane_core.hpp"
#include "d2/parts/part_walk.hpp"

namespace abut::d2 {

// A segment in world axes, with its front normal and the joints at its ends.
struct SegmentD {
    Vec2D from, to, normal;
    // Of the segments before and after, where they exist; the normals of an open end are along the segment.
    Vec2D normal_before, normal_after;
    bool stands_out_at_from, stands_out_at_to;  // convex, seen from the front
    bool has_before, has_after;

    EdgeD edge() const { return {from, to, normal, 0, 1}; }
    bool faces(Vec2D point) const { return dot(normal, point - from) >= 0; }
};
SegmentD segment_at(const ShapeTables& tables, const PlacedD& chain, std::uint32_t i);

struct ChainContacts {
    Vec2D normal = {0, 0};  // from the core to the chain
    std::uint32_t count = 0;
    Vec2D position[2] = {{0, 0}, {0, 0}};
    double separation[2] = {};
    // The core's corner in the high half; the segment's end in the low half (0: from, 1: to), 0xffff along it.
    std::uint32_t feature[2] = {};
    bool is_face = false;
};

// All in one frame. `centre`: of the bounds of the body that the core is a part of, which decides what takes part. None
// (count 0) if the segment shows the core nothing here.
ChainContacts contacts_on_segment(const CoreD& core, const CoreD& segment_core, const SegmentD& segment, Vec2D centre,
                                  double reach, double tolerance);

}  // namespace abut::d2
