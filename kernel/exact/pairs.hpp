// The exact path as a chunk sees it.
#pragma once

#include "frame/chunk.hpp"

namespace abut {

// The exact path's answer for a pair.
struct ExactAnswer {
    Status status;
    bool overlaps;  // where the sign alone is asked, which leaves the rest unset
    float signed_distance;
    Vec3 normal;            // world axes, from A to B in canonical order
    Vec3 point_a, point_b;  // world axes, metres, of the caller's A and B from the position of the caller's A
    Vec3 midpoint;          // of both, in canonical order, from A's position
    Vec3 from_centre;       // the same from A's core centre, which may be far from there
};

// Answers the chunk's pairs list[0 .. count).
void solve_exactly(const Chunk& chunk, const std::uint16_t* list, std::uint32_t count, bool sign_alone, ExactAnswer* answers);

}  // namespace abut
