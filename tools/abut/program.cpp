#include "program.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <sstream>

#include <fmt/format.h>

#include "files.hpp"
#include "numbers.hpp"
#include "printable.hpp"

namespace abut::tools {
namespace {

int report(const char* name, const char* what, int code) {
    std::fflush(stdout);
    std::fputs(fmt::format("{}: {}\n", name, printable(what)).c_str(), stderr);
    return code;
}

// Line by line, because the line ends are CLI11's own.
void print_error(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) std::fputs((printable(line) + "\n").c_str(), stderr);
}

bool read_number(const std::string& text, float& number) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    number = to_float(value);
    return !text.empty() && end == text.c_str() + text.size();
}

}  // namespace

int run_program(const char* name, const std::function<int()>& body) {
    try {
        const int code = body();
        if (std::fflush(stdout) != 0) throw OutputError("standard output: cannot be written");
        return code;
    } catch (const InputError& error) {
        return report(name, error.what(), kUnusable);
    } catch (const std::bad_alloc&) {
        return report(name, "out of memory", kUnusable);
    } catch (const std::exception& error) {
        return report(name, error.what(), kFailed);
    }
}

int end_of_parse(const CLI::App& app, const CLI::ParseError& error) {
    std::ostringstream out, why;
    const int code = app.exit(error, out, why);
    const std::vector<std::string> unknown = app.remaining();
    if (dynamic_cast<const CLI::RequiredError*>(&error) && !unknown.empty()) {
        fmt::print(stderr, "There is no subcommand \"{}\"\n", printable(unknown.front()));
    }
    print_error(why.str());
    TextWriter writer("-");
    writer.buffer() = out.str();
    writer.finish();
    return code == 0 ? 0 : kUnusable;
}

std::string check_not_negative(const std::string& text) {
    float number = 0;
    if (!read_number(text, number)) return fmt::format("Value {} is not a number", text);
    return number >= 0.0f && std::isfinite(number) ? "" : fmt::format("Value {} is not 0 or more and within float32's range", text);
}

std::string check_positive(const std::string& text) {
    float number = 0;
    if (!read_number(text, number)) return fmt::format("Value {} is not a number", text);
    return number > 0.0f && std::isfinite(number) ? "" : fmt::format("Value {} is not above 0 and within float32's range", text);
}

}  // namespace abut::tools
