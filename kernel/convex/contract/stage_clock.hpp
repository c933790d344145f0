// Times of the stages. Compiles to nothing without the CMake option ABUT_STAGE_TIMES.
#pragma once

#include <cstdint>

#include <abut/frame.hpp>

namespace abut {

struct StageSum {
    std::uint64_t visits = 0, nanoseconds = 0;
};

#if defined(ABUT_STAGE_TIMES)

inline constexpr bool kTimesStages = true;
std::uint64_t nanoseconds_now();

// Times of a chunk's states.
struct StateSums {
    StageSum of[static_cast<int>(PairState::done)];

    StageSum& operator[](PairState state) { return of[static_cast<int>(state)]; }
};

#else

inline constexpr bool kTimesStages = false;
constexpr std::uint64_t nanoseconds_now() { return 0; }

struct StateSums {};

#endif

}  // namespace abut
