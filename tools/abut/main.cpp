// The command line `abut`. Exit codes: 0 done; 1 the results differ between repetitions, or the output could not be written;
// 2 the arguments or the input cannot be used.
#include <csignal>
#include <utility>
#include <vector>

#include <abut/version.hpp>

#include "commands.hpp"
#include "program.hpp"

namespace {

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
        return end_of_parse(app, error);
    }
    for (const auto& [subcommand, command] : commands) {
        if (subcommand->parsed()) return command();
    }
    return kUnusable;
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN);  // a file past the user's limit is then an error that can be told
    return abut::tools::run_program("abut", [&] { return run(argc, argv); });
}
