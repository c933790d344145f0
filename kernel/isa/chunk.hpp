// run_chunk of this ISA; the only wide symbol that baseline code calls.
#pragma once

#include "isa/kernels.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr float kInfinity = __builtin_huge_valf();

void run_chunk(const Chunk& chunk, ChunkCounters& counters);

}  // namespace abut::ABUT_ISA_NAMESPACE
