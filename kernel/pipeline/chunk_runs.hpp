// The chunks of a frame, each on its own, by the kernels of one instruction set.
#pragma once

#include <abut/executor.hpp>
#include <abut/frame.hpp>
#include <abut/narrow_phase.hpp>

#include "isa/kernels.hpp"
#include "pairs/sort.hpp"
#include "pipeline/call_times.hpp"
#include "pipeline/triangle_pool.hpp"

namespace abut {

// Instances that are not the store's: of each pair one body has one of these, the other one of the store's. Of two of this kind it is B.
struct OtherShapes {
    ShapeKind kind;
    const InstanceRecord* records;
    // Or triangles, one for each pair: each chunk makes hulls of its own, and names them in its bodies, two for each pair.
    const CentredTriangle* triangles = nullptr;
    Body* bodies = nullptr;
    TrianglePool* pool = nullptr;
    const CentredTriangle* first_triangles = nullptr;  // where A is a triangle, too
};

struct ChunkRunner {
    const Kernels *kernels, *few_kernels;  // those of chunks that leave half the lanes idle
    Executor executor;
    Counters* counters;          // gets what the chunks add
    CallTimes* times = nullptr;  // likewise, where anybody asks

    // `others`: null where all shapes are the store's.
    void run(const Frame& frame, const SortedPairs& pairs, const QueryParameters& parameters, const OutputView& out,
             const OtherShapes* others = nullptr) const;
};

}  // namespace abut
