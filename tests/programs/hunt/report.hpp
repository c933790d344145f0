// What a hunt came to, for people and for programs.
#pragma once

#include <span>
#include <string>

#include "programs/hunt/batch.hpp"

namespace abut::hunt {

// One tally per game; those without pairs are left out. `with_short`: list short patches, too.
std::string to_text(std::span<const Game> games, std::span<const Tally> tallies, double seconds, bool with_short);
std::string to_json(std::span<const Game> games, std::span<const Tally> tallies, double seconds,
                    const std::string& command);
// One broken promise: what it is, what was expected, and the question to ask again.
std::string to_text(const Finding& finding);

}  // namespace abut::hunt
