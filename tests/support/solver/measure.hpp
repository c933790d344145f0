// A stack over some seconds: does it stand, is it at rest, and do its contacts keep their ids?
#pragma once

#include <cstddef>

#include "stacks.hpp"

namespace abut::solver {

struct Measured {
    std::size_t bodies = 0;  // that move
    bool stands =
        false;  // no body sank or drifted by more than a quarter of the scene's size; where bodies fall: none fell off the ground
    double height_loss = 0;  // metres: of the body that was the highest
    double drift =
        0;  // metres: the farthest that any body went horizontally; where bodies fall at first: in the second half of the time
    double mean_energy = 0;    // joules: kinetic, of all bodies, mean over the last second
    double last_energy = 0;    // after the last step
    double ids_kept = 0;       // mean over the last second: share of a step's contacts whose id the step before had
    std::size_t contacts = 0;  // after the last step
    double ms_per_step = 0;    // all of the step, mean
    std::size_t awake = 0;     // bodies that have not been slow for the last half second
    double all_asleep =
        0;  // seconds until each body had once been slow for half a second; infinite where one never was
    double fastest_rise = 0;  // m/s: of any body off a ground that is a plane, from a quarter of a second on
    std::size_t lost_load =
        0;  // contacts that bore an impulse in the last second, and none of the next step's is within 5% of the scene's size
    double lean = 0;  // metres: how far the top of any stack is aside from its lowest body, more than at first
};

Measured measure(const Stack& stack, const WorldSettings& wanted, double seconds);

}  // namespace abut::solver
