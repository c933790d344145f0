// The chunks of a frame, each on its own, by the kernels of one instruction set.
#pragma once

#include <abut/executor.hpp>
#include <abut/frame.hpp>
#include <abut/narrow_phase.hpp>

#include "cooking/triangle_hull.hpp"
#include "isa/kernels.hpp"
#include "pairs/sort.hpp"
#include "pipeline/call_times.hpp"

namespace abut {

struct ChunkRunner {
    const Kernels* kernels;
    Executor executor;
    Counters* counters;          // gets what the chunks add
    CallTimes* times = nullptr;  // likewise, where anybody asks

    // `triangles`: what the hulls are that come with a convex shape each, of two hulls the second one. Null where all shapes are the store's.
    void run(const Frame& frame, const SortedPairs& pairs, const QueryParameters& parameters, const OutputView& out,
             const TriangleHulls* triangles = nullptr) const;
};

}  // namespace abut
