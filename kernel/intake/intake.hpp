// The wide symbols that baseline code calls before chunks run.
#pragma once

#include "frame/intake.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Computes each pair's number of its two kinds, up to the first group of lanes with several kinds: those are cheaper one by one.
PairKindsFound find_pair_kinds(const PairKindsTask& task);
// A chunk's pairs in canonical order.
void place_chunk_pairs(const ChunkPairsTask& task, ChunkPairs& out);

}  // namespace abut::ABUT_ISA_NAMESPACE
