// The queries on pairs of a frame in the plane: sort, run the chunks and the pairs of parts, pack.
#pragma once

#include <span>

#include <abut/d2/results_2d.hpp>

#include "batch/query_context.hpp"
#include "batch/sort.hpp"
#include "d2/convex/plane_chunk.hpp"
#include "d2/parts/plane_parts.hpp"
#include "d2/shapes/tables_2d.hpp"

namespace abut::d2 {

struct PlaneQueries {
    QueryContext& context;
    const PlaneKernels* kernels;
    SortedPairs sorted;
    Vector<ManifoldRecord> records;  // by pair
    // If the frame's pairs are all of one kind of lanes: the manifolds of each chunk, one after another.
    Vector<Manifold> packed;
    bool is_packed = false;
    // The manifolds of pairs with parts, by block of such pairs; the range of each pair in its block.
    Vector<Vector<PartManifold>> part_blocks;
    struct PartRange {
        std::uint32_t block, first, count;
    };
    Vector<PartRange> part_ranges;     // by position in sorted.compounds
    Vector<std::uint32_t> part_of;     // by pair: its position in sorted.compounds, plus 1
    Vector<std::size_t> block_starts;  // collide: the first manifold of each block of pairs

    explicit PlaneQueries(QueryContext& shared);

    void answer(OverlapColumns& out, const Frame& frame);
    void answer(DistanceColumns& out, const Frame& frame, const DistanceOptions& options);
    // Leaves manifolds in the scratch; returns their number.
    std::size_t collide(const Frame& frame);
    void pack(const Frame& frame, ManifoldColumns& out);

private:
    void run(const Frame& frame, QueryParameters asked, const OutputView& out);
    void run_range(const Frame& frame, const KindRange& range, const QueryParameters& asked, const OutputView& out);
    void run_parts(const Frame& frame, const QueryParameters& asked, const OutputView& out);
    std::size_t manifolds_of(std::size_t pair) const;
};

}  // namespace abut::d2
