// A replay's figures for people and for programs.
#pragma once

#include <string>

#include "replay_run.hpp"

namespace abut::tools {

struct ReportHead {
    std::string file;
    unsigned threads = 1;
};

std::string report_table(const Replay& replay, const ReplaySettings& settings, const ReportHead& head);
// One JSON object on one line.
std::string report_json(const Replay& replay, const ReplaySettings& settings, const ReportHead& head);
// That of all frames, on one line.
std::string report_checksum(const Replay& replay);

}  // namespace abut::tools
