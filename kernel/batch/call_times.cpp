// See call_times.hpp.
#include "batch/call_times.hpp"

namespace abut {

#if defined(ABUT_STAGE_TIMES)

void CallTimes::clear() {
    for (std::size_t stage = 0; stage < count; ++stage) visits_[stage] = nanoseconds_[stage] = 0;
}

void CallTimes::add(std::size_t stage, std::size_t visits, std::uint64_t nanoseconds) {
    visits_[stage].fetch_add(visits, std::memory_order_relaxed);
    nanoseconds_[stage].fetch_add(nanoseconds, std::memory_order_relaxed);
}

void CallTimes::add_chunk(const StateSums& states, std::size_t pairs, std::uint64_t nanoseconds) {
    for (std::size_t state = 0; state < pack - first_state; ++state) {
        const StageSum& sum = states.of[state];
        if (sum.visits == 0) continue;
        add(first_state + state, sum.visits, sum.nanoseconds);
        nanoseconds -= sum.nanoseconds < nanoseconds ? sum.nanoseconds : nanoseconds;
    }
    add(begin, pairs, nanoseconds);
}

std::span<const StageTime> CallTimes::list() {
    std::size_t listed = 0;
    for (std::size_t stage = 0; stage < count; ++stage) {
        if (visits_[stage] == 0) continue;
        const char* const name = stage == sort    ? "sort"
                                 : stage == begin ? "begin"
                                 : stage == pack  ? "pack"
                                                  : to_string(PairState(stage - first_state));
        listed_[listed++] = {name, visits_[stage], nanoseconds_[stage]};
    }
    return {listed_, listed};
}

#else

void CallTimes::clear() {}
void CallTimes::add(std::size_t, std::size_t, std::uint64_t) {}
void CallTimes::add_chunk(const StateSums&, std::size_t, std::uint64_t) {}
std::span<const StageTime> CallTimes::list() { return {}; }

#endif

}  // namespace abut
