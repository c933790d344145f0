// The embedded capture of a real engine's pile as rows: through the command line's own reader, with the oracle's exact
// answers.
#pragma once

#include <vector>

#include "harness/row.hpp"

namespace abut::bench {

// One row per frame, named by the frame's label. Empty where this build has no capture, or its file is missing.
std::vector<Row> pile_frames();
// All frames as one row named "pile".
Row whole_pile();
bool has_pile();

}  // namespace abut::bench
