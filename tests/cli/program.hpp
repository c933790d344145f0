// Runs the program `abut` as a shell would, in a scratch directory of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace abut::tests {

struct Outcome {
    int code = -1;  // 128 + signal where one ended it
    std::string out, error;
};

// `arguments` as typed into a shell; `{}` in them is the scratch directory. `before` precedes the program: variables, a
// pipe.
Outcome run_abut(const std::string& arguments, const std::string& before = "");

// A whole shell command, in which `abut` is the program.
Outcome run_shell(const std::string& command);

// The program with a pipe at each end, as another program runs it.
class CoProcess {
public:
    explicit CoProcess(const std::vector<std::string>& arguments);
    ~CoProcess();
    CoProcess(const CoProcess&) = delete;
    CoProcess& operator=(const CoProcess&) = delete;

    void write(const std::string& text);
    // The next line that the program prints; nothing where it prints none within `seconds`.
    std::optional<std::string> read_line(double seconds);
    // Closes the program's standard input and waits for its end.
    int finish();

private:
    int to_ = -1, from_ = -1, process_ = -1;
    std::string read_;
};

// Writes `content` to `name` in the scratch directory and returns the path.
std::string write_scratch(const std::string& name, const std::string& content);
std::string scratch(const std::string& name);
std::string read_file(const std::string& path);

std::vector<std::string> lines_of(const std::string& text);

}  // namespace abut::tests
