// The queries on pairs of a frame. Each answer() fills columns whose sizes have been checked.
#pragma once

#include <span>

#include "batch/body_records.hpp"
#include "batch/child_runs.hpp"
#include "batch/query_context.hpp"
#include "batch/sort.hpp"
#include "batch/surface_runs.hpp"

namespace abut {

struct PairQueries {
    QueryContext& context;
    BodyRecords bodies;
    SortedPairs sorted;
    ChildRuns compounds{Made::none}, surfaces{Made::triangles};
    SurfaceRuns surface_pairs;
    ManifoldNeeds needs;  // of the previous collide

    explicit PairQueries(QueryContext& shared);

    void reserve(std::size_t pairs, std::size_t child_pairs);
    std::size_t bytes() const;

    void answer(OverlapColumns& out, const Frame& frame);
    void answer(DistanceColumns& out, const Frame& frame, const DistanceOptions& options);
    // Leaves contact counts and manifolds in the scratch; returns their total sizes.
    ManifoldNeeds collide(const Frame& frame);
    void pack(const Frame& frame, ManifoldColumns& out);

    QueryParameters parameters(Query query, float reach) const;
    QueryParameters distance_parameters(const DistanceOptions& options) const;
    // All stages except packing. `out`: the columns that the chunks write.
    void run_frame(const Frame& wanted, const QueryParameters& asked, OutputView& out);
    // Runs the chunks of sorted pairs, then pairs with compounds and surfaces.
    void run_sorted(const Frame& frame, const SortedPairs& some, const QueryParameters& asked, const OutputView& out);
    // If shapes have poses, makes points relative to the bodies' positions.
    void move_points(std::size_t pairs, const QueryParameters& asked, const OutputView& out) const;
    void move_contacts_to_bodies(const ManifoldColumns& out) const;
    void begin_traces(std::span<PairTrace> traces) const;
    ManifoldSources manifold_sources(const Frame& frame) const;
};

// A view without columns.
OutputView no_columns();

// Sets pairs without an answer to zeros, whatever the caller's memory held.
void clear_unanswered(std::span<const Status> status, const OutputView& view);

}  // namespace abut
