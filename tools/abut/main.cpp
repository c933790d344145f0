// The command line `abut`. Exit codes: 0 done; 1 the results differ between repetitions, or the output could not be written;
// 2 the arguments or the input cannot be used.
#include <cstdio>
#include <exception>
#include <new>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <abut/version.hpp>

#include "commands.hpp"
#include "files.hpp"

namespace {

constexpr int kFailed = 1, kUnusable = 2;

int run(int argc, char** argv) {
    using namespace abut::tools;
    CLI::App app("abut " ABUT_VERSION ": every contact of a frame of bodies and candidate pairs, in one call.", "abut");
    app.set_version_flag("--version", ABUT_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Examples:\n"
        "  abut replay                      # time the capture that comes with the program\n"
        "  abut query questions.jsonl       # a question a line, an answer a line\n"
        "  abut query --help               # options and examples of one subcommand");

    std::vector<std::pair<CLI::App*, Command>> commands;
    for (Command (*add)(CLI::App&) : {add_query, add_replay, add_pack, add_dump, add_cook, add_info}) {
        Command command = add(app);
        commands.emplace_back(app.get_subcommands({}).back(), std::move(command));
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : kUnusable;
    }
    for (const auto& [subcommand, command] : commands) {
        if (subcommand->parsed()) return command();
    }
    return kUnusable;
}

int report(const char* what, int code) {
    std::fflush(stdout);
    fmt::print(stderr, "abut: {}\n", what);
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const abut::tools::InputError& error) {
        return report(error.what(), kUnusable);
    } catch (const std::bad_alloc&) {
        return report("out of memory", kUnusable);
    } catch (const std::exception& error) {
        return report(error.what(), kFailed);
    }
}
