// A scene under MuJoCo with its own collision functions and with abut's.
#pragma once

#include <array>
#include <cstddef>

#include "plugin.hpp"
#include "scenes.hpp"

namespace abut::tools {

enum class Functions { mujoco, multiccd, abut, none };  // none: no pair has a contact, which leaves the broad phase
inline constexpr std::array kCompared = {Functions::mujoco, Functions::multiccd, Functions::abut};

struct CompareOptions {
    double seconds = 5, margin = 0.01;
    std::size_t judged_steps = 20;
    mujoco::Options plugin;
};

// On the poses of MuJoCo's own run: the least `dist` of each pair's contacts against the oracle.
struct Judged {
    std::size_t near = 0;  // pairs within the margin
    std::size_t wrong =
        0;  // of these, off by more than the library's bound: 1e-5 of the smaller size plus 1e-6 of the larger one
    std::size_t coarse = 0;    // of these, off by more than abut's contact slack, 0.4% of the smaller size
    std::size_t missed = 0;    // pairs within the margin without a contact
    std::size_t invented = 0;  // pairs beyond the margin with one
    double worst = 0;          // the largest error, as a share of the smaller size
    std::size_t contacts = 0;
};

struct Measured {
    Judged judged;
    double contacts = 0;  // per step
    double kept =
        0;  // share of contacts that had one of their pair within 5% of the size in the step before, last half of the run
    double energy = 0;             // kinetic, joules, mean of the last half second
    double step_microseconds = 0;  // mj_step, each in its own run
    double pair_nanoseconds = 0;   // on the poses of MuJoCo's own run, the broad phase subtracted
    double pairs = 0;              // per step of MuJoCo's own run
    mujoco::Work work;             // abut's, in its own run
};

std::array<Measured, kCompared.size()> compare(const MujocoScene& scene, const CompareOptions& options);

}  // namespace abut::tools
