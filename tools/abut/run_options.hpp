// What query and replay have in common: --isa, --threads and --margin, and the Settings they make.
#pragma once

#include <optional>
#include <string>

#include <abut/narrow_phase.hpp>

#include "arguments.hpp"

namespace abut::tools {

struct RunOptions {
    std::string isa = "auto";
    unsigned threads = 0;  // 0: all the machine has
    std::optional<double> margin;
};

void add_run_options(Arguments& command, RunOptions& options, const char* margin_help);

// Throws InputError where this machine or this build cannot do it.
Settings make_settings(const RunOptions& options);

// How many threads `options` come to.
unsigned thread_count(const RunOptions& options);

}  // namespace abut::tools
