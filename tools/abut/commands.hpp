// The subcommands: each adds itself to the program and returns what to run when it is chosen. Running returns the exit code, or
// throws InputError (2) or OutputError (1).
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace abut::tools {

using Command = std::function<int()>;

Command add_query(CLI::App& app);
Command add_replay(CLI::App& app);
Command add_pack(CLI::App& app);
Command add_dump(CLI::App& app);
Command add_cook(CLI::App& app);
Command add_info(CLI::App& app);

}  // namespace abut::tools
