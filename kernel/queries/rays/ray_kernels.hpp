// The wide functions of each instruction set.
#pragma once

#include "simd/kernel_table.hpp"

#include "queries/rays/ray_chunk.hpp"

namespace abut {

struct RayKernels {
    void (*meet_bodies)(const RayChunk& chunk);
    PlanesSpan (*meet_planes)(const HullGeometry& hull, const double* origin, const double* direction);
    // Goes to the next leaf with triangles that may be within the limit, lists these in `walk` and returns their
    // number, 0 at the end.
    std::uint32_t (*find_near_triangles)(PointWalk& walk);
};
ABUT_KERNEL_TABLE(RayKernels)

}  // namespace abut
