// The wide symbols that baseline code calls before chunks run.
#pragma once

#include "frame/intake.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Each body's kind.
void find_body_kinds(const BodyKindsTask& task);
// Each pair's number of its two kinds. Returns the bits in which these numbers differ.
std::uint32_t find_pair_kinds(const PairKindsTask& task);
// A chunk's pairs in canonical order.
void place_chunk_pairs(const ChunkPairsTask& task, ChunkPairs& out);

}  // namespace abut::ABUT_ISA_NAMESPACE
