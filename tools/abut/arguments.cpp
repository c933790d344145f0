#include "arguments.hpp"

#include <cstdio>
#include <sstream>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "files.hpp"
#include "printable.hpp"
#include "program.hpp"

namespace abut::tools {
namespace {

// Line by line, because the line ends are CLI11's own.
void print_error(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) std::fputs((printable(line) + "\n").c_str(), stderr);
}

}  // namespace

Argument& Argument::required() {
    option_->required();
    return *this;
}

Argument& Argument::type_name(const char* name) {
    option_->type_name(name);
    return *this;
}

Argument& Argument::check(std::string (*checked)(const std::string& text)) {
    option_->check(checked, "");
    return *this;
}

Argument& Argument::one_of(std::initializer_list<const char*> names) {
    option_->check(CLI::IsMember(names), "");
    return *this;
}

Argument& Argument::in_range(unsigned least, unsigned most) {
    option_->check(CLI::Range(least, most));
    return *this;
}

Arguments Arguments::subcommand(const char* name, const char* help) { return Arguments(*app_->add_subcommand(name, help)); }

Argument Arguments::add(const char* name, std::string& value, const char* help) { return Argument(app_->add_option(name, value, help)); }
Argument Arguments::add(const char* name, unsigned& value, const char* help) { return Argument(app_->add_option(name, value, help)); }
Argument Arguments::add(const char* name, double& value, const char* help) { return Argument(app_->add_option(name, value, help)); }
Argument Arguments::add(const char* name, std::optional<double>& value, const char* help) { return Argument(app_->add_option(name, value, help)); }
void Arguments::add_flag(const char* name, bool& value, const char* help) { app_->add_flag(name, value, help); }
void Arguments::footer(const char* text) { app_->footer(text); }

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
    if (dynamic_cast<const CLI::RequiredError*>(&error) && !unknown.empty()) {
        std::fputs(("There is no subcommand \"" + printable(unknown.front()) + "\"\n").c_str(), stderr);
    }
    print_error(why.str());
    TextWriter writer("-");
    writer.buffer() = out.str();
    writer.finish();
    return code == 0 ? 0 : kUnusable;
}

}  // namespace abut::tools
