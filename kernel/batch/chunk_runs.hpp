// Runs the chunks of a frame, independently of each other, by the kernels of one instruction set.
#pragma once

#include <abut/frame.hpp>
#include <abut/host.hpp>
#include <abut/narrow_phase.hpp>

#include "batch/call_times.hpp"
#include "batch/pair_batch.hpp"
#include "batch/sort.hpp"
#include "batch/triangle_pool.hpp"
#include "convex/contract/chunk_kernels.hpp"
#include "convex/contract/pair_records.hpp"
#include "shapes/tables.hpp"

namespace abut {

struct ChunkRunner {
    const Kernels *kernels, *few_kernels;  // few_kernels: for chunks that leave half of the lanes idle
    Executor executor;
    Counters* counters;            // totals to which the chunks add
    CallTimes* times = nullptr;    // times to which the chunks add; null if times are not asked for
    TrianglePool* pool = nullptr;  // for batches with made shapes

    // `placed`: the frame's bodies, if they are placed shapes.
    void run(const Frame& frame, const SortedPairs& pairs, const QueryParameters& parameters, const OutputView& out,
             const PlacedShape* placed = nullptr) const;
    // Sorts a batch and computes the columns of `wanted`. `parameters` and `wanted` are those of the caller's frame.
    OutputView run(const ShapeTables& tables, PairBatch& batch, QueryParameters parameters,
                   const OutputView& wanted) const;
};

// The arguments of a query on pairs of a frame, for all functions that list child pairs or combine their answers.
struct PairCall {
    const Frame& frame;
    const QueryParameters& parameters;
    std::uint32_t max_child_pairs;
    const ChunkRunner& runner;
    const OutputView& out;

    const ShapeTables& tables() const { return tables_of(*frame.shapes); }
    PosedPair bodies_of(const Entry& entry) const { return PairRecordBuilder(frame)(entry); }
    bool has_reaches() const { return !parameters.margins.empty(); }  // the query has a reach for each pair
    // Answers a batch that the query makes from its pairs.
    OutputView run(PairBatch& batch, const OutputView& wanted) const {
        return runner.run(tables(), batch, parameters, wanted);
    }
};

}  // namespace abut
