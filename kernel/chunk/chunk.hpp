// run_chunk of this ISA: the only wide symbol that baseline code calls.
#pragma once

#include "frame/chunk.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr float kInfinity = __builtin_huge_valf();

void run_chunk(const Chunk& chunk, ChunkCounters& counters);

struct Run;
// Pairs with a curved shape (curved_chunk.cpp), and those with a half-space (halfspace_chunk.cpp): objects of their own, so that a build uses
// all cores.
void run_curved_kind(Run& run, ChunkCounters& counters);
void run_halfspace_kind(Run& run, ChunkCounters& counters);

}  // namespace abut::ABUT_ISA_NAMESPACE
