// The wide functions of each instruction set.
#pragma once

#include <abut/isa.hpp>

#include "rays/ray_chunk.hpp"

namespace abut {

struct RayKernels {
    void (*meet_bodies)(const RayChunk& chunk);
    PlanesSpan (*meet_planes)(const HullGeometry& hull, const double* origin, const double* direction);
    // Lists the triangles of the next leaf that has some within the limit; returns their number, 0 at the end.
    std::uint32_t (*find_near_triangles)(PointWalk& walk);
};

// Null where they were not compiled in.
const RayKernels* ray_kernels_for(Isa isa);

}  // namespace abut
