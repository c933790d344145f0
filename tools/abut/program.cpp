#include "program.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include <fmt/format.h>

#include <abut/host.hpp>

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

bool read_number(const std::string& text, float& number) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    number = to_float(value);
    return !text.empty() && end == text.c_str() + text.size();
}

}  // namespace

int run_program(const char* name, const std::function<int()>& body) {
    try {
        if (const CallResult asked = read_environment(); !asked) throw InputError(asked.error().message);
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

std::string check_not_negative(const std::string& text) {
    float number = 0;
    if (!read_number(text, number)) return fmt::format("Value {} is not a number", text);
    return number >= 0.0f && std::isfinite(number)
               ? ""
               : fmt::format("Value {} is not 0 or more and within float32's range", text);
}

std::string check_positive(const std::string& text) {
    float number = 0;
    if (!read_number(text, number)) return fmt::format("Value {} is not a number", text);
    return number > 0.0f && std::isfinite(number)
               ? ""
               : fmt::format("Value {} is not above 0 and within float32's range", text);
}

}  // namespace abut::tools
