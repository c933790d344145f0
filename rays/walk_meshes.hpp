// Rays down the trees of meshes, one node of each ray in turn: while memory brings the nodes of one ray, others go on. Triangles whose boxes are met wait
// in a list, whose lanes belong to any rays.
#pragma once

#include "rays/mesh_walk.hpp"
#include "wide/simd.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The first hit of each ray, or with `any` some hit: nearest boxes first.
void walk_meshes(MeshWalk* const* walks, std::uint32_t count, bool any, const MeshWalkCalls& calls);

}  // namespace abut::ABUT_ISA_NAMESPACE
