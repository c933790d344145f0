#include "arguments.hpp"

#include <utility>

#include <CLI/CLI.hpp>

namespace abut::tools {

Argument& Argument::required() {
    option_->required();
    return *this;
}

Argument& Argument::type_name(const char* name) {
    option_->type_name(name);
    return *this;
}

Argument& Argument::comma_separated() {
    option_->delimiter(',');
    return *this;
}

Argument& Argument::show_default() {
    option_->capture_default_str();
    return *this;
}

Argument& Argument::check(const std::function<std::string(const std::string& text)>& checked) {
    option_->check(checked, "");
    return *this;
}

Argument& Argument::one_of(const std::vector<std::string>& names) {
    option_->check(CLI::IsMember(names));
    return *this;
}

Argument& Argument::one_of(std::initializer_list<double> numbers) {
    option_->check(CLI::IsMember(numbers));
    return *this;
}

Argument& Argument::one_of_described(const std::vector<std::string>& names) {
    option_->check(CLI::IsMember(names), "");
    return *this;
}

template <class Number>
Argument& Argument::in_range(Number least, Number most) {
    option_->check(CLI::Range(least, most));
    return *this;
}
template Argument& Argument::in_range(int, int);
template Argument& Argument::in_range(long long, long long);
template Argument& Argument::in_range(unsigned, unsigned);
template Argument& Argument::in_range(double, double);

Argument& Argument::excludes(const Argument& other) {
    option_->excludes(other.option_);
    return *this;
}

Argument& Argument::needs(const Argument& other) {
    option_->needs(other.option_);
    return *this;
}

Arguments Arguments::subcommand(const char* name, const char* help) {
    return Arguments(*app_->add_subcommand(name, help));
}

template <class Value>
Argument Arguments::add(const char* name, Value& value, const char* help) {
    return Argument(app_->add_option(name, value, help));
}
template Argument Arguments::add(const char*, int&, const char*);
template Argument Arguments::add(const char*, long long&, const char*);
template Argument Arguments::add(const char*, unsigned&, const char*);
template Argument Arguments::add(const char*, unsigned long&, const char*);
template Argument Arguments::add(const char*, unsigned long long&, const char*);
template Argument Arguments::add(const char*, float&, const char*);
template Argument Arguments::add(const char*, double&, const char*);
template Argument Arguments::add(const char*, std::optional<double>&, const char*);
template Argument Arguments::add(const char*, std::string&, const char*);
template Argument Arguments::add(const char*, std::vector<unsigned>&, const char*);
template Argument Arguments::add(const char*, std::vector<unsigned long>&, const char*);
template Argument Arguments::add(const char*, std::vector<double>&, const char*);
template Argument Arguments::add(const char*, std::vector<std::string>&, const char*);

Argument Arguments::add_flag(const char* name, bool& value, const char* help) {
    return Argument(app_->add_flag(name, value, help));
}

void Arguments::footer(const std::string& text) { app_->footer(text); }

CommandLine::CommandLine(const char* about, const char* program)
    : CommandLine(std::make_unique<CLI::App>(about, program)) {}

CommandLine::CommandLine(std::unique_ptr<CLI::App> app) : Arguments(*app), owned_(std::move(app)) {}

CommandLine::~CommandLine() = default;

std::optional<int> CommandLine::parse(int argc, char** argv) {
    try {
        app_->parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app_->exit(error) == 0 ? 0 : 2;
    }
    return std::nullopt;
}

}  // namespace abut::tools
