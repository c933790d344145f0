// Contacts of a convex core on a chain: each segment is a face that the core lies on, and a joint that stands out is a
// corner. No contact has a normal that the chain does not show there, so that nothing catches at joints.
//
// At a joint that stands out the chain shows the normals from that of one segment to that of the other. The one in which
// the core is farthest from the joint decides: a segment's own means its face, one in between the corner. Both segments
// compute the same one, so that a core over a ridge has a contact.
#pragma once

#include "d2/convex/plane_core.hpp"
#include "d2/parts/part_walk.hpp"

namespace abut::d2 {

// The segment that follows at an end. An open end stands out and shows all normals from the front's to the back's.
struct Neighbour {
    Vec2D normal, far;        // its front normal and other end, if it exists
    bool exists, stands_out;  // stands out: the joint is convex, seen from the front
};

// A segment in world axes, with its front normal.
struct SegmentD {
    Vec2D from, to, normal;
    Neighbour neighbours[2];  // before, after

    const Neighbour& neighbour(bool at_end) const { return neighbours[at_end]; }
    Vec2D joint(bool at_end) const { return at_end ? to : from; }
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
};

// Those of a segment's face, or of the corners at its ends.
struct SegmentContacts {
    std::uint32_t count = 0;
    ChainContacts of[2];
};

// All in one frame. `centre`: of the bounds of the body that the core is a part of, which decides what takes part.
// `radius`: of the chain. None (count 0) if the segment shows the core nothing here.
SegmentContacts contacts_on_segment(const CoreD& core, double radius, const SegmentD& segment, Vec2D centre,
                                    double reach, double tolerance);

// The last resort for a core that overlaps the segment while no segment of the chain shows it a contact: its lowest point
// over the segment, along the front normal. None if they do not overlap, or if the centre is behind the chain: beyond a
// hollow joint, behind the neighbour.
ChainContacts lowest_on_segment(const CoreD& core, double radius, const SegmentD& segment, Vec2D centre,
                                double tolerance);

}  // namespace abut::d2
