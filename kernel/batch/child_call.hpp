// Shared by the files of ChildRuns: the arguments of a call, and limits.
#pragma once

#include "batch/child_runs.hpp"

namespace abut {

struct ChildRuns::Call {
    const Frame& frame;
    const QueryParameters& parameters;
    std::uint32_t max_child_pairs;
    const ChunkRunner& runner;
    const OutputView& out;
};

// The most child pairs that are counted or listed, which takes about a second. The rest is ignored.
inline constexpr std::uint32_t kMostWalked = 1u << 26;
inline constexpr std::size_t kBlockCompoundPairs = 32;

}  // namespace abut
