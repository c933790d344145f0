// What a program asks of its command line. CLI11 stays behind it, in arguments.cpp: its header and the templates of
// each added option cost seconds in every file that sees them.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace abut::tools {

// One option or positional argument. Its functions return it again.
class Argument {
public:
    explicit Argument(CLI::Option* option) : option_(option) {}

    Argument& required();
    Argument& type_name(const char* name);
    // Commas part the values of a list.
    Argument& comma_separated();
    // The help shows the value that it has now.
    Argument& show_default();
    // `check` returns what is wrong with the text, or nothing.
    Argument& check(const std::function<std::string(const std::string& text)>& check);
    Argument& one_of(const std::vector<std::string>& names);
    Argument& one_of(std::initializer_list<double> numbers);
    // Without a list of the names in the help.
    Argument& one_of_described(const std::vector<std::string>& names);
    // int, long long, unsigned or double.
    template <class Number>
    Argument& in_range(Number least, Number most);
    Argument& excludes(const Argument& other);
    Argument& needs(const Argument& other);

private:
    CLI::Option* option_;
};

class Arguments {
public:
    explicit Arguments(CLI::App& app) : app_(&app) {}

    Arguments subcommand(const char* name, const char* help);
    // `value` holds the default and outlives the parse: a string, a number, a list or a std::optional of them, as far as
    // arguments.cpp names its type.
    template <class Value>
    Argument add(const char* name, Value& value, const char* help);
    Argument add_flag(const char* name, bool& value, const char* help);
    void footer(const std::string& text);

protected:
    CLI::App* app_;
};

// Of a program without subcommands.
class CommandLine : public Arguments {
public:
    explicit CommandLine(const char* about, const char* program = "");
    ~CommandLine();

    // The exit code, where the program ends: 0 after a help text, 2 after wrong arguments.
    std::optional<int> parse(int argc, char** argv);

private:
    explicit CommandLine(std::unique_ptr<CLI::App> app);

    std::unique_ptr<CLI::App> owned_;
};

}  // namespace abut::tools
