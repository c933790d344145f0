/// @file
/// Where the time of a call went, stage by stage. Measured only by a library that was built with -D
/// ABUT_STAGE_TIMES=ON.
#pragma once

#include <cstdint>

namespace abut {

/// The time of a stage in one call. Stages are in the order in which a call runs them; those of a chunk have the names
/// of PairState (trace.hpp).
struct StageTime {
    const char* name = "";          ///< of the stage; the text is constant
    std::uint64_t visits = 0;       ///< by pairs: a pair that returns to the stage counts again
    std::uint64_t nanoseconds = 0;  ///< of all threads together
};

}  // namespace abut
