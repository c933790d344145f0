// abut as a contestant: one query on one frame, with everything allocated beforehand.
#pragma once

#include <vector>

#include <abut/frame.hpp>
#include <abut/narrow_phase.hpp>
#include <abut/results.hpp>

#include "query.hpp"

namespace abut::bench {

// How far bodies move from one warm frame to the next, in parts of their size and in radians: a sixtieth of a second at
// some 6 cm a second and 6 degrees a second, for shapes of a metre; and what a solver makes of bodies at rest.
inline constexpr float kWarmStep = 1e-3f, kRestingStep = 1e-5f;

// The bodies of a frame after one such step; ground stays.
std::vector<Body> moved_bodies(const Frame& frame, float step);

class AbutRunner {
public:
    // The frame's memory must outlive the runner.
    AbutRunner(const Frame& frame, Query query, const Settings& settings, float warm_step = kWarmStep);

    // The whole API call: checking, sorting, computing, writing. False where the call was refused.
    bool run();
    // The last run's answers as the checks read them; a pair whose status is not ok has no answer.
    Answers answers() const;
    // Why the last run was refused; empty where it was not.
    const std::string& refusal() const { return refusal_; }
    const Counters& counters() const { return narrow_.counters(); }
    Isa isa() const { return narrow_.isa(); }
    float margin() const { return margin_; }

private:
    Frame frame_;
    Query query_;
    std::vector<Body> moved_;  // warm: the bodies a frame later; calls take turns, the first has the frame's own
    std::vector<WarmCache> caches_;
    bool moves_ = false;
    NarrowPhase narrow_;
    float margin_;
    std::string refusal_;
    Overlaps overlaps_;
    Distances distances_;
    Manifolds manifolds_;
};

// Every instruction set usable here, widest first.
std::vector<Isa> usable_isas();

// One core, so that a figure is the kernel's.
Settings on_one_core(Isa isa);

}  // namespace abut::bench
