#include "subcommands.hpp"

#include <cstdio>
#include <sstream>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "files.hpp"
#include "nearest_name.hpp"
#include "printable.hpp"
#include "program.hpp"

namespace abut::tools {
namespace {

// Line by line, because the line ends are CLI11's own.
void print_error(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) std::fputs((printable(line) + "\n").c_str(), stderr);
}

// "; did you mean NAME?", or nothing.
std::string meant(const std::string& word, const std::vector<std::string>& names) {
    const std::string nearest = nearest_name(word, names);
    return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

void print_unknown_subcommand(const CLI::App& app, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    print_error("There is no subcommand \"" + word + "\"" + meant(word, names));
}

// Of each option that is none of the subcommand's.
void print_unknown_options(const CLI::App& app) {
    for (const CLI::App* command : app.get_subcommands()) {
        std::vector<std::string> names = {"--help"};
        for (const CLI::Option* option : command->get_options())
            for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        for (const std::string& word : command->remaining()) {
            const std::string option = word.substr(0, word.find('='));
            if (option.rfind("--", 0) == 0) print_error("There is no option " + option + meant(option, names));
        }
    }
}

}  // namespace

int run_subcommand(const ProgramText& text, std::span<const AddCommand> commands, int argc, char** argv) {
    CLI::App app(text.about, text.name);
    app.set_version_flag("--version", text.version);
    app.require_subcommand(1);
    app.footer(text.footer);

    Arguments program(app);
    std::vector<std::pair<CLI::App*, Command>> added;
    for (const AddCommand add : commands) {
        Command command = add(program);
        added.emplace_back(app.get_subcommands({}).back(), std::move(command));
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return end_of_parse(app, error);
    }
    for (const auto& [subcommand, command] : added) {
        if (subcommand->parsed()) return command();
    }
    return kUnusable;
}

int end_of_parse(const CLI::App& app, const CLI::ParseError& error) {
    std::ostringstream out, why;
    const int code = app.exit(error, out, why);
    const std::vector<std::string> unknown = app.remaining();
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && !unknown.empty())
        print_unknown_subcommand(app, unknown.front());
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) print_unknown_options(app);
    print_error(why.str());
    TextWriter writer("-");
    writer.buffer() = out.str();
    writer.finish();
    return code == 0 ? 0 : kUnusable;
}

}  // namespace abut::tools
