// See stage_clock.hpp.
#include "convex/contract/stage_clock.hpp"

#include <chrono>

namespace abut {

#if defined(ABUT_STAGE_TIMES)

std::uint64_t nanoseconds_now() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

#endif

}  // namespace abut
