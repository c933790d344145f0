// Functions of queries with one answer per configuration, in 3D and in the plane.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <abut/configurations.hpp>

namespace abut {

inline bool is_answered(Status status) { return status == Status::ok || status == Status::not_converged; }

// Sets all columns to the values for configurations without an answer.
template <class Out>
void clear_answers(const Out& out, std::size_t count) {
    const auto clear = [&](auto column, auto value) {
        if (!column.empty()) std::fill_n(column.data(), count, value);
    };
    clear(out.pair, kNoPair), clear(out.unanswered, 0u);
    if constexpr (requires { out.configuration; }) clear(out.configuration, kNoPair);
    if constexpr (requires { out.signed_distance; }) {
        clear(out.signed_distance, std::numeric_limits<float>::infinity());
        const typename decltype(out.normal)::value_type none = {};
        clear(out.normal, none), clear(out.point_a, none), clear(out.point_b, none);
    }
}

// The reach at which pairs at the least distance so far are answered in spite of rounding.
inline float reach_for(float least) {
    constexpr float kReachRoom = 1e-3f;
    return std::max(least, 0.0f) * (1.0f + kReachRoom) + std::fabs(least) * kReachRoom;
}

}  // namespace abut
