// What a subcommand asks of its command line. CLI11 stays behind it, in arguments.cpp: its header and the templates of
// each added option cost seconds in every file that sees them.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

namespace CLI {
class App;
class Option;
class ParseError;
}  // namespace CLI

namespace abut::tools {

// One option or positional argument. Its functions return it again.
class Argument {
public:
    explicit Argument(CLI::Option* option) : option_(option) {}

    Argument& required();
    Argument& type_name(const char* name);
    // `check` returns what is wrong with the text, or nothing.
    Argument& check(std::string (*check)(const std::string& text));
    Argument& one_of(std::initializer_list<const char*> names);
    Argument& in_range(unsigned least, unsigned most);

private:
    CLI::Option* option_;
};

class Arguments {
public:
    explicit Arguments(CLI::App& app) : app_(&app) {}

    Arguments subcommand(const char* name, const char* help);
    // `value` holds the default and outlives the parse.
    Argument add(const char* name, std::string& value, const char* help);
    Argument add(const char* name, unsigned& value, const char* help);
    Argument add(const char* name, double& value, const char* help);
    Argument add(const char* name, std::optional<double>& value, const char* help);
    void add_flag(const char* name, bool& value, const char* help);
    void footer(const char* text);

private:
    CLI::App* app_;
};

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
