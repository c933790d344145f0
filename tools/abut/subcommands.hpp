// The subcommands of a program.
#pragma once

#include <functional>
#include <span>

#include "arguments.hpp"

namespace CLI {
class ParseError;
}  // namespace CLI

namespace abut::tools {

// A subcommand as it runs; returns the exit code, or throws InputError (2) or OutputError (1).
using Command = std::function<int()>;
// Adds itself to the program, and returns what to run when it is chosen.
using AddCommand = Command (*)(Arguments& program);

struct ProgramText {
    const char *name, *about, *version, *footer;
};

// Parses the command line and runs the subcommand that it names. Returns the exit code.
int run_subcommand(const ProgramText& text, std::span<const AddCommand> commands, int argc, char** argv);

// Prints the help or the version that was asked for, or what is wrong with the arguments. Returns the exit code.
int end_of_parse(const CLI::App& app, const CLI::ParseError& error);

}  // namespace abut::tools
