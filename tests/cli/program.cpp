// The scratch directory goes when the tests end.
#include "program.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <sys/wait.h>

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

Outcome run_abut(const std::string& arguments, const std::string& before) {
    const std::string command = with_directory(before + " '" ABUT_PROGRAM "' " + arguments + " > {}/stdout 2> {}/stderr");
    const int status = std::system(command.c_str());
    Outcome outcome;
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    outcome.out = read_file(scratch("stdout"));
    outcome.error = read_file(scratch("stderr"));
    return outcome;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

}  // namespace abut::tests
