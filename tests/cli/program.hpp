// Runs the program `abut` as a shell would, in a scratch directory of its own.
#pragma once

#include <string>
#include <vector>

namespace abut::tests {

struct Outcome {
    int code = -1;  // 128 + signal where one ended it
    std::string out, error;
};

// `arguments` as typed into a shell; `{}` in them is the scratch directory. `before` precedes the program: variables, a pipe.
Outcome run_abut(const std::string& arguments, const std::string& before = "");

// Writes `content` to `name` in the scratch directory and returns the path.
std::string write_scratch(const std::string& name, const std::string& content);
std::string scratch(const std::string& name);
std::string read_file(const std::string& path);

std::vector<std::string> lines_of(const std::string& text);

}  // namespace abut::tests
