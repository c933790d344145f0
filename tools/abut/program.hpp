// What the programs have in common at their ends: how they say why they stop, and options whose numbers are lengths.
#pragma once

#include <functional>
#include <string>

namespace abut::tools {

inline constexpr int kFailed = 1, kUnusable = 2;  // exit codes, see main.cpp

// Runs `body`, which returns the exit code. What it throws is printed to standard error after the program's name.
int run_program(const char* name, const std::function<int()>& body);

// Checks for Argument::check: as the library itself checks such a number, in float32. They return what is wrong, or
// nothing.
std::string check_not_negative(const std::string& text);
std::string check_positive(const std::string& text);

}  // namespace abut::tools
