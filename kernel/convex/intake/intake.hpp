// The wide symbols that baseline code calls before chunks run.
#pragma once

#include "convex/contract/intake_tasks.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Writes, for each pair, the number of the kinds of its two bodies (PairKindsTask::numbers).
PairKindsFound find_pair_kinds(const PairKindsTask& task);
// Writes a chunk's pairs in canonical order.
void place_chunk_pairs(const ChunkPairsTask& task, ChunkPairs& out);

}  // namespace abut::ABUT_ISA_NAMESPACE
