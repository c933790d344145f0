// What abut_steady prints.
#pragma once

#include <string>
#include <vector>

#include "studies/steady/goals.hpp"

namespace abut::steady {

// For each row, or each configuration: cold, warm, matched by distance, Bullet.
std::string to_text(const std::vector<RowOutcome>& rows, const Plan& plan, bool all);
std::string to_json(const std::vector<RowOutcome>& rows, const Plan& plan, const std::string& command);
// The step in which it kept least: the pair's two frames as a command with lines of `abut query`.
std::string replay(const RowOutcome& row, std::size_t configuration, std::size_t level, Start start, const Plan& plan);

}  // namespace abut::steady
