// The scratch directory goes when the tests end.
#include "program.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace abut::tests {
namespace {

struct ScratchDirectory {
    std::string path;

    ScratchDirectory() {
        std::string pattern = (std::filesystem::temp_directory_path() / "abut-cli-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch directory");
        path = pattern;
    }
    ~ScratchDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
};

const std::string& directory() {
    static const ScratchDirectory scratch_directory;
    return scratch_directory.path;
}

std::string with_directory(std::string text) {
    for (std::size_t at = 0; (at = text.find("{}", at)) != std::string::npos;) text.replace(at, 2, directory());
    return text;
}

int exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

std::string scratch(const std::string& name) { return directory() + "/" + name; }

std::string write_scratch(const std::string& name, const std::string& content) {
    std::ofstream(scratch(name), std::ios::binary) << content;
    return scratch(name);
}

std::string read_file(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

namespace {

Outcome run_redirected(const std::string& command) {
    const int status = std::system(with_directory(command + " > {}/stdout 2> {}/stderr").c_str());
    return {exit_code(status), read_file(scratch("stdout")), read_file(scratch("stderr"))};
}

}  // namespace

Outcome run_abut(const std::string& arguments, const std::string& before) {
    return run_redirected(before + " '" ABUT_PROGRAM "' " + arguments);
}

Outcome run_shell(const std::string& command) {
    return run_redirected("abut() { '" ABUT_PROGRAM "' \"$@\"; }; ( " + command + " )");
}

CoProcess::CoProcess(const std::vector<std::string>& arguments) {
    int input[2], output[2];
    if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) throw std::runtime_error("no pipes");
    std::vector<char*> argv = {const_cast<char*>(ABUT_PROGRAM)};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    process_ = fork();
    if (process_ == 0) {
        dup2(input[0], STDIN_FILENO);
        dup2(output[1], STDOUT_FILENO);
        execv(ABUT_PROGRAM, argv.data());
        _exit(127);
    }
    close(input[0]);
    close(output[1]);
    to_ = input[1];
    from_ = output[0];
}

CoProcess::~CoProcess() {
    if (process_ > 0) {
        kill(process_, SIGKILL);
        finish();
    }
    close(from_);
}

void CoProcess::write(const std::string& text) {
    if (::write(to_, text.data(), text.size()) != ssize_t(text.size()))
        throw std::runtime_error("the program does not read");
}

std::optional<std::string> CoProcess::read_line(double seconds) {
    for (;;) {
        if (const std::size_t end = read_.find('\n'); end != std::string::npos) {
            std::string line = read_.substr(0, end);
            read_.erase(0, end + 1);
            return line;
        }
        pollfd wait = {from_, POLLIN, 0};
        char block[4096];
        if (poll(&wait, 1, int(1000 * seconds)) <= 0) return {};
        const ssize_t got = read(from_, block, sizeof block);
        if (got <= 0) return {};
        read_.append(block, std::size_t(got));
    }
}

int CoProcess::finish() {
    int status = 0;
    close(to_);
    waitpid(std::exchange(process_, -1), &status, 0);
    return exit_code(status);
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

}  // namespace abut::tests
