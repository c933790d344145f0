// The state that the queries of a NarrowPhase share: settings; threads and kernels; statuses and flags of pairs;
// counters and times.
#pragma once

#include <atomic>
#include <cassert>
#include <optional>
#include <span>

#include <abut/narrow_phase.hpp>

#include "base/parallel/tbb_pool.hpp"
#include "batch/chunk_runs.hpp"
#include "batch/pack_columns.hpp"
#include "convex/contract/chunk_kernels.hpp"

namespace abut {

template <class T>
T* data_or_null(std::span<T> span) {
    return span.empty() ? nullptr : span.data();
}

// Admits one call at a time. Relaxed atomics suffice, because nothing is ordered by them: an exchange would cost a
// small call 20 cycles.
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

struct QueryContext {
    Settings settings;
    CallResult settings_result;  // an error if the settings cannot be met
    // As in ChunkRunner.
    const Kernels *kernels = nullptr, *few_kernels = nullptr;
    Isa isa = Isa::best;
    std::optional<TbbPool> pool;
    Executor executor;
    PairScratch scratch;
    TrianglePool triangles;
    Counters counters;
    CallTimes times;
    std::atomic<bool> busy = false;

    explicit QueryContext(const Settings& wanted);

    // The largest number of chunks that run concurrently. A caller's executor does not report its threads, so one per
    // processor is assumed.
    std::size_t tasks() const;
    ChunkRunner chunk_runner() { return {kernels, few_kernels, executor, &counters, &times, &triangles}; }

    void begin() {
        counters = {};
        times.clear();
    }
    // Returns the caller's column or, if there is none, the scratch.
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
};

}  // namespace abut
