// Runs the chunks of a frame, independently of each other, by the kernels of one instruction set.
#pragma once

#include <abut/frame.hpp>
#include <abut/host.hpp>
#include <abut/narrow_phase.hpp>

#include "batch/call_times.hpp"
#include "batch/sort.hpp"
#include "batch/triangle_pool.hpp"
#include "convex/contract/chunk_kernels.hpp"

namespace abut {

// Instances that are not in the store: one body of each pair has one of these, B if both bodies are of this kind.
struct OtherShapes {
    ShapeKind kind;
    const InstanceRecord* records;
    // Instead of `records`: one triangle per pair. Each chunk makes hulls of its triangles and writes their ids to
    // `bodies`, two bodies per pair.
    const CentredTriangle* triangles = nullptr;
    Body* bodies = nullptr;
    TrianglePool* pool = nullptr;
    const CentredTriangle* first_triangles = nullptr;  // if A is a triangle, too
};

struct ChunkRunner {
    const Kernels *kernels, *few_kernels;  // the latter for chunks that leave half of the lanes idle
    Executor executor;
    Counters* counters;          // the chunks add to it
    CallTimes* times = nullptr;  // likewise; null if times are not asked for

    // `others`: null if all shapes are the store's. `placed`: the frame's bodies, if they are placed shapes.
    void run(const Frame& frame, const SortedPairs& pairs, const QueryParameters& parameters, const OutputView& out,
             const OtherShapes* others = nullptr, const PlacedShape* placed = nullptr) const;
};

}  // namespace abut
