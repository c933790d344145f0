// Runs configurations under noise and gathers what their contacts do.
#pragma once

#include <array>
#include <vector>

#include <abut/host.hpp>

#include "studies/steady/configuration.hpp"
#include "studies/steady/tracker.hpp"

namespace abut::steady {

struct Plan {
    std::size_t frames = 100;
    std::uint64_t seed = 1;
    NoiseMode mode = NoiseMode::independent;
    Isa isa = Isa::best;
    bool bullet = true;
};

enum Start : std::size_t { kCold, kWarm };  // no caches, or those of the frame before
inline constexpr std::size_t kStarts = 2;
inline constexpr const char* kStartNames[] = {"cold", "warm"};

// Of one configuration, by level of noise.
struct Outcome {
    std::array<std::array<Figures, kNoiseCount>, kStarts> abut;
    std::array<double, kNoiseCount>
        bullet{};  // share kept, mean over steps; negative where it had a frame without contacts
};

struct RowOutcome {
    Row row;
    std::vector<Outcome> outcomes;  // by configuration
    std::string trouble;            // why abut refused a call; empty where it did not
};

RowOutcome measure(const Row& row, const Plan& plan);
// All rows, on so many threads (0: all cores).
std::vector<RowOutcome> measure(const std::vector<Row>& rows, const Plan& plan, unsigned threads = 0);

}  // namespace abut::steady
