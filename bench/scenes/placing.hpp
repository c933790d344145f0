// Putting B at a wanted signed distance from A, and work on all cores.
#pragma once

#include <cstddef>
#include <functional>

#include "support/oracle/oracle.hpp"

namespace abut::scenes {

// How far along `direction` B's position has to lie from A's for their signed distance to be `wanted`; negative where
// no place along it gives that (deeper than they can be).
double place(const oracle::Solid& a, const Quat& orientation_a, const oracle::Solid& b, const Quat& orientation_b,
             const oracle::Vec3d& direction, double wanted);

// body(first, last) on ranges of [0, count), all cores.
void on_all_cores(std::size_t count, const std::function<void(std::size_t first, std::size_t last)>& body);

}  // namespace abut::scenes
