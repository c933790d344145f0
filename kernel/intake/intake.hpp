// The wide symbols that baseline code calls before chunks run.
#pragma once

#include "frame/intake.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Writes the number of each pair's two kinds. If kinds were not looked up, stops at the first group of lanes with several kinds: the rest is cheaper
// one by one.
PairKindsFound find_pair_kinds(const PairKindsTask& task);
// Writes a chunk's pairs in canonical order.
void place_chunk_pairs(const ChunkPairsTask& task, ChunkPairs& out);

}  // namespace abut::ABUT_ISA_NAMESPACE
