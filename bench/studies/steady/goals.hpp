// What resting contacts have to keep, and who falls short.
#pragma once

#include <string>
#include <vector>

#include "studies/steady/measure.hpp"

namespace abut::steady {

// By level of noise: at least so large a share of ids kept, mean over frames, in every configuration, cold and warm.
inline constexpr double kGoals[kNoiseCount] = {0.99, 0.99, 0.99, 0.97, 0.90};

// A configuration that keeps less at some level of noise.
struct Shortfall {
    const RowOutcome* row = nullptr;
    std::size_t configuration = 0;
    std::size_t level = 0;
    Start start = kCold;
    double kept = 0;
};
// The farthest below its goal first.
std::vector<Shortfall> shortfalls(const std::vector<RowOutcome>& rows);

// Of sorted shortfalls the first of each configuration; where there are several rows, of each row.
std::vector<Shortfall> worst_of(const std::vector<Shortfall>& shortfalls, bool one_per_row);

// How many configurations fall short at each level, and the worst `most` of them, one for each row.
std::string to_text(const std::vector<Shortfall>& shortfalls, const std::vector<RowOutcome>& rows, std::size_t most);

// In percent, never rounded up to a goal that was missed.
std::string percent(double share);

}  // namespace abut::steady
