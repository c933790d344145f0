// Shared by the queries of a NarrowPhase (api/narrow_phase.cpp): settings, scratch, and the frame of a call. Each query
// has an answer(), which fills columns that have been checked.
#pragma once

#include <atomic>
#include <cassert>
#include <optional>
#include <span>

#include <abut/narrow_phase.hpp>

#include "base/parallel/tbb_pool.hpp"
#include "batch/body_records.hpp"
#include "batch/child_runs.hpp"
#include "batch/pack_columns.hpp"
#include "batch/sort.hpp"
#include "batch/surface_runs.hpp"
#include "convex/contract/chunk_kernels.hpp"

namespace abut {

template <class T>
T* data_or_null(std::span<T> span) {
    return span.empty() ? nullptr : span.data();
}

// Admits one call at a time. Relaxed, because it orders nothing: an exchange would cost a small call 20 cycles.
class Busy {
public:
    explicit Busy(std::atomic<bool>& busy) : busy_(busy) {
        assert(!busy_.load(std::memory_order_relaxed) && "one NarrowPhase, two calls at once");
        busy_.store(true, std::memory_order_relaxed);
    }
    ~Busy() { busy_.store(false, std::memory_order_relaxed); }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

private:
    std::atomic<bool>& busy_;
};

struct QueryRunner {
    Settings settings;
    CallResult settings_result;  // an error if the settings cannot be met
    // As in ChunkRunner.
    const Kernels *kernels = nullptr, *few_kernels = nullptr;
    Isa isa = Isa::best;
    std::optional<TbbPool> pool;
    Executor executor;
    BodyRecords bodies;
    SortedPairs sorted;
    PairScratch scratch;
    ChildRuns compounds{ChildRuns::Of::compounds}, surfaces{ChildRuns::Of::surfaces};
    SurfaceRuns surface_pairs;
    Counters counters;
    CallTimes times;
    ManifoldNeeds needs;  // of the previous collide
    std::atomic<bool> busy = false;

    explicit QueryRunner(const Settings& wanted);

    // The largest number of chunks that run concurrently. The caller's executor does not tell that, so one per
    // processor is assumed.
    std::size_t tasks() const;
    void reserve(std::size_t pairs, std::size_t child_pairs);
    std::size_t bytes() const;

    // --- The frame of a call ---

    void begin() {
        counters = {};
        times.clear();
    }
    // Returns the caller's column, or the scratch if there is none.
    Status* begin_statuses(std::size_t pairs, std::span<Status> wanted = {}) {
        if (!wanted.empty()) return wanted.data();
        if (scratch.status.size() < pairs) scratch.status.resize(pairs);
        return scratch.status.data();
    }
    std::span<Status> statuses(std::size_t pairs) { return {scratch.status.data(), pairs}; }

    // Packs scratch.flag into bits and hits.
    template <class Out>
    void give_hits(std::size_t pairs, Out& out) {
        const TimedStage timed(times, CallTimes::pack, pairs);
        out.hit_count = pack_bits({scratch.flag.data(), pairs}, executor, out.bits);
        if (!out.hits.empty()) list_hits(out.bits.first((pairs + 31) / 32), out.hits);
    }

    // --- Pairs of a frame: pair_queries.cpp ---

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
    // If shapes have poses: points become relative to the bodies' positions.
    void move_points(std::size_t pairs, const QueryParameters& asked, const OutputView& out) const;
    void move_contacts(const ManifoldColumns& out) const;
    void begin_traces(std::span<PairTrace> traces) const;
    ManifoldSources manifold_sources(const Frame& frame) const;
};

// A view without columns.
OutputView no_columns();

// Sets pairs without an answer to zeros, whatever the caller's memory held.
void clear_unanswered(std::span<const Status> status, const OutputView& view);

}  // namespace abut
