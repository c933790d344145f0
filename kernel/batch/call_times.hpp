// The times of a call's stages, summed over its chunks and threads. Empty without ABUT_STAGE_TIMES.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>

#include <abut/host.hpp>

#include "convex/contract/stage_clock.hpp"

namespace abut {

class CallTimes {
public:
    enum Stage : std::size_t {
        sort,   // check the pairs, sort them
        begin,  // the time of chunks outside any state: loading pairs, caches of far pairs
        first_state,
        pack = first_state + static_cast<std::size_t>(PairState::done),
        count,
    };

    void clear();
    void add(std::size_t stage, std::size_t visits, std::uint64_t nanoseconds);
    // Adds a chunk of `pairs` that took `nanoseconds` in total.
    void add_chunk(const StateSums& states, std::size_t pairs, std::uint64_t nanoseconds);
    // The states that pairs visited; empty if nothing is measured.
    std::span<const StageTime> list();

private:
#if defined(ABUT_STAGE_TIMES)
    std::atomic<std::uint64_t> visits_[count] = {}, nanoseconds_[count] = {};
    StageTime listed_[count];
#endif
};

// Adds the time until the end of its scope.
class TimedStage {
public:
    TimedStage(CallTimes& times, std::size_t stage, std::size_t visits)
        : times_(times), stage_(stage), visits_(visits), start_(nanoseconds_now()) {}
    ~TimedStage() {
        if constexpr (kTimesStages) times_.add(stage_, visits_, nanoseconds_now() - start_);
    }
    TimedStage(const TimedStage&) = delete;
    TimedStage& operator=(const TimedStage&) = delete;

private:
    CallTimes& times_;
    std::size_t stage_, visits_;
    std::uint64_t start_;
};

}  // namespace abut
