// run_chunk of this instruction set, and the families of kinds: one object file each, so that a build uses all cores.
#pragma once

#include "convex/contract/chunk.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The wide function that baseline code calls for pairs.
void run_chunk(const Chunk& chunk, ChunkCounters& counters);

struct Run;
void run_round(Run& run);      // spheres and capsules with each other, a sphere and a box
void run_box(Run& run);        // two boxes, a capsule and a box
void run_polytope(Run& run);   // a hull and a sphere, capsule, box or hull
void run_curved(Run& run);     // a cylinder, cone or ellipsoid, with each other or with any shape above
void run_halfspace(Run& run);  // a half-space and anything

}  // namespace abut::ABUT_ISA_NAMESPACE

// A custom shape and any of these. Compiled for one instruction set only: its support function is the caller's and not
// wide, and this family takes longest to compile.
namespace abut::ABUT_NARROWEST_NAMESPACE {

void run_custom(const Chunk& chunk, ChunkCounters& counters);

}  // namespace abut::ABUT_NARROWEST_NAMESPACE
