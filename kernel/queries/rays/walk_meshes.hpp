// Finds the hits of rays in the trees of meshes. Each step visits one node of every ray, so that the memory latency of
// one ray overlaps with the work for the others. Triangles whose boxes are met go to one list, from which each lane
// intersects one triangle with its ray.
#pragma once

#include "queries/rays/mesh_walk.hpp"
#include "simd/simd.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Finds the first hit of each walk, or with `any` some hit. A ray visits its nearest boxes first.
void walk_meshes(MeshWalk* const* walks, std::uint32_t count, bool any, const MeshWalkCalls& calls);

}  // namespace abut::ABUT_ISA_NAMESPACE
