// A scene under one narrow phase: how still it comes to rest, how long its contacts last, and what the narrow phase
// costs.
#pragma once

#include <cstddef>
#include <memory>

#include <abut/narrow_phase.hpp>

#include "scenes.hpp"

namespace abut::tools {

enum class NarrowPhaseKind { bullet, abut_cold, abut_warm };  // cold: without caches from step to step

const char* to_string(NarrowPhaseKind kind);

struct Measured {
    std::size_t bodies = 0, as_expected = 0;  // that move; whose end is the scene's outcome
    double mass = 0;                          // kilograms, of all bodies that move
    // From when the scene should be at rest to the end, of what has not left it; 0 where it never rests. Sleep, rise
    // and lean: of all the time.
    double drift = 0;             // metres: how far any body gets
    double mean_energy = 0;       // joules: of all bodies together, kinetic
    double highest_energy = 0;    // of any frame
    double deepest = 0;           // metres of overlap
    double contacts_kept = 1;     // share of the contacts that were there a frame ago, by feature id
    std::size_t alternating = 0;  // manifolds at rest whose normal went from one to another and back
    std::size_t awake = 0;        // bodies that have not been slow for the last half second
    double all_asleep =
        0;  // seconds until each body had once been slow for half a second; infinite where one never was
    double last_energy = 0;   // joules: of all bodies together, kinetic, mean of the last second
    double fastest_rise = 0;  // m/s: of any body off a ground that is a plane, from a quarter of a second on
    double lean = 0;          // metres: how far the top of any stack is aside from its lowest body, more than at first
    // Over the whole time.
    double pairs = 0, contacts = 0;  // mean a step
    double share = 0;                // of the step's time that is narrow phase
    double step_ms = 0;              // mean
    double ns_a_pair = 0;            // narrow phase, median of the steps: all that replaces Bullet's
    // Of it what the adapter gathers, abut's call, and what the adapter writes.
    double collect_ns_a_pair = 0, call_ns_a_pair = 0, write_ns_a_pair = 0;
};

// One scene under one narrow phase, 60 steps a second.
class Run {
public:
    Run(const NamedScene& named, const Scene& scene, NarrowPhaseKind kind, const Settings& settings, double seconds);
    ~Run();
    Run(Run&&) noexcept;

    std::size_t steps() const;  // in all
    void step();
    Measured finish() const;  // after all of them

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace abut::tools
