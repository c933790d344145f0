// What abut_steady prints.
#pragma once

#include <string>
#include <vector>

#include "steady/measure.hpp"

namespace abut::steady {

// A configuration that keeps less than the goal at some level of noise.
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

// For each row, or each configuration: cold, warm, matched by distance, Bullet.
std::string to_text(const std::vector<RowOutcome>& rows, const Plan& plan, bool all);
std::string to_json(const std::vector<RowOutcome>& rows, const Plan& plan, const std::string& command);
// How many configurations fall short at each level, and the worst `most` of them, one for each row.
std::string to_text(const std::vector<Shortfall>& shortfalls, const std::vector<RowOutcome>& rows, std::size_t most);
// The step in which it kept least: the pair's two frames as a command with lines of `abut query`.
std::string replay(const RowOutcome& row, std::size_t configuration, std::size_t level, Start start, const Plan& plan);

}  // namespace abut::steady
