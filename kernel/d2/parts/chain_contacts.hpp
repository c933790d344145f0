// Contacts of a convex core on a chain. Each segment is a face, and a convex joint is a corner. No contact has a normal
// that the chain lacks at the point, so that nothing catches at joints.
//
// At a convex joint the chain has the normals from one segment's to the other's. The normal along which the core is
// farthest from the joint decides: a segment's own normal means its face, one in between means the corner. Both
// segments compute the same normal, so that a core over a ridge has a contact.
#pragma once

#include "d2/convex/plane_core.hpp"
#include "d2/parts/part_walk.hpp"

namespace abut::d2 {

// The next segment at an end. An open end is convex and has all normals from the front's to the back's.
struct Neighbour {
    Vec2D normal, far;        // the neighbour's front normal and other end, if it exists
    bool exists, stands_out;  // stands_out: the joint is convex, seen from the front
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
    // High half: the core's corner. Low half: the segment's end (0: from, 1: to), 0xffff between the ends.
    std::uint32_t feature[2] = {};
};

// The contacts of a segment's face, or of the corners at its ends.
struct SegmentContacts {
    std::uint32_t count = 0;
    ChainContacts of[2];
};

// All arguments are in one frame. `centre`: that of the bounds of the core's body, which decides which front takes
// part. `radius`: the chain's. No contacts (count 0) if the segment has no normal for the core.
SegmentContacts contacts_on_segment(const CoreD& core, double radius, const SegmentD& segment, Vec2D centre,
                                    double reach, double tolerance);

// The last resort for a core that overlaps the segment, if no segment of the chain gives it a contact: the core's
// lowest point over the segment, along the front normal. No contact if the two do not overlap, or if the centre is
// behind the chain (beyond a hollow joint: behind the neighbour).
ChainContacts lowest_on_segment(const CoreD& core, double radius, const SegmentD& segment, Vec2D centre,
                                double tolerance);

}  // namespace abut::d2
