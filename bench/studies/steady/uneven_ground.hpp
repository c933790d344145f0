// Bodies at rest on uneven ground under a solver's noise: do their contacts keep ids and points?
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "studies/steady/measure.hpp"

namespace abut::steady {

inline constexpr double kUnevenNoises[] = {0, 1e-6, 1e-5, 1e-4};  // radians, and as much of the size
inline constexpr double kUnevenGoals[] = {1, 0.99, 0.97, 0.95};   // of contacts that keep id and point
inline constexpr std::size_t kUnevenNoiseCount = std::size(kUnevenNoises);
inline constexpr double kSamePoint = 0.05;  // of the size: farther away it is another point
inline constexpr double kUnevenMargins[] = {0.005, 0.0075, 0.01, 0.02, 0.04};  // metres

struct UnevenPlan {
    std::size_t frames = 40;
    int rows = 10;  // so many squared bodies on each ground
    double settle_seconds = 4;
    float margin = 0.02f;
    std::uint64_t seed = 1;
    Isa isa = Isa::best;
};

// Of all bodies of a ground, over all frames but the first. A size is half a body's longest extent. A contact has one
// before in a manifold of the same pair whose normal is within ten degrees.
struct UnevenFigures {
    std::size_t contacts = 0;      // of each two frames in turn those of the one that has more
    std::size_t id_and_point = 0;  // that have one before with the same id within kSamePoint
    std::size_t points = 0;        // that have one before within kSamePoint, whatever its id
    std::size_t ids = 0;           // that have one before with the same id, the first of them
    std::size_t other_points = 0;  // of these: it was farther away than kSamePoint
    std::size_t lost_load =
        0;  // of the frame before: they overlapped, and no contact of the pair is within kSamePoint of them
    std::size_t table_kept = 0;   // that WarmTable matched
    std::size_t table_ids = 0;    // that it matched by id
    std::size_t table_jumps = 0;  // of these: from farther away than kSamePoint
    double table_farthest = 0;    // of these: of the size
    double share(std::size_t count) const { return contacts > 0 ? double(count) / double(contacts) : 1.0; }
};

struct UnevenOutcome {
    std::string ground;
    std::size_t bodies = 0;  // at rest
    std::array<std::array<UnevenFigures, kUnevenNoiseCount>, kStarts> figures;
    // By margin: the bodies that have no contact near one that another margin gives them no higher than half a
    // millimetre. Without noise.
    std::array<std::size_t, std::size(kUnevenMargins)> lose_load{};
    std::string trouble;  // why abut refused a call; empty where it did not
};

// On a mesh of waves, a height field with a relief of 5 cm and ridges of 5 cm. The poses are those to which bodies come
// in the tests' solver; empty where this was built without the tests.
std::vector<UnevenOutcome> measure_uneven(const UnevenPlan& plan);
std::string to_text(const std::vector<UnevenOutcome>& outcomes, const UnevenPlan& plan);
std::string to_json(const std::vector<UnevenOutcome>& outcomes, const UnevenPlan& plan, const std::string& command);
// Whether all goals are met.
bool meets_goals(const std::vector<UnevenOutcome>& outcomes);

}  // namespace abut::steady
