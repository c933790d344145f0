// The interface of the exact path for chunks.
#pragma once

#include "convex/contract/chunk.hpp"

namespace abut {

// The exact path's answer for a pair.
struct ExactAnswer {
    Status status;
    bool overlaps;  // set alone if only the sign is requested
    float signed_distance;
    Vec3 normal;            // world axes, from A to B in canonical order
    Vec3 point_a, point_b;  // of the caller's A and B, relative to the position of the caller's A; world axes, metres
    Vec3 midpoint;          // halfway between the points, relative to A's position in canonical order
    Vec3 from_centre;       // the midpoint relative to A's core centre, which may be far away
};

// Answers the chunk's pairs list[0 .. count).
void solve_exactly(const Chunk& chunk, const std::uint16_t* list, std::uint32_t count, bool sign_alone,
                   ExactAnswer* answers);

}  // namespace abut
