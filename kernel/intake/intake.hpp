// The wide symbols that baseline code calls before chunks run.
#pragma once

#include "frame/intake.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Writes the number of each pair's kinds. If kinds were not looked up, stops at the first group of lanes with several kinds: for the rest it is
// cheaper that the caller processes pair by pair.
PairKindsFound find_pair_kinds(const PairKindsTask& task);
// Writes a chunk's pairs in canonical order.
void place_chunk_pairs(const ChunkPairsTask& task, ChunkPairs& out);

}  // namespace abut::ABUT_ISA_NAMESPACE
