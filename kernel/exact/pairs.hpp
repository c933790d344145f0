// The exact path as a chunk sees it.
#pragma once

#include "frame/chunk.hpp"

namespace abut {

// What the exact path says of a contact; its manifold is the wide kernels' as any other's.
struct ExactContact {
    bool within;     // the margin; else nothing below counts
    Vec3 normal;     // world axes, from A to B in canonical order
    Vec3 midpoint;   // world axes, metres, from A's position
    Vec3 from_centre;  // the same from A's core centre, which may be far from there
    float separation;
};

// Answers chunk.entries[list[0 .. count)] by the exact path; contacts are left in contacts[0 .. count).
void run_exact_pairs(const Chunk& chunk, const std::uint16_t* list, std::uint32_t count, ExactContact* contacts, ChunkCounters& counters);

}  // namespace abut
