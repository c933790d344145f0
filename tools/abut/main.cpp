// The command line `abut`. Exit codes: 0 done; 1 the results differ between repetitions, or the output could not be
// written; 2 the arguments or the input cannot be used.
#include <csignal>

#include <abut/host.hpp>

#include "commands.hpp"
#include "program.hpp"
#include "subcommands.hpp"

namespace {

using namespace abut::tools;

constexpr ProgramText kText{
    "abut", "abut " ABUT_VERSION ": every contact of a frame of bodies and candidate pairs, in one call.", ABUT_VERSION,
    "Examples:\n"
    "  abut replay                      # time the capture that comes with the program\n"
    "  abut query questions.jsonl       # one question per line, one answer per line\n"
    "  abut view frames.abut            # a page that shows bodies, contacts and distances in a browser\n"
    "  abut query --help               # options and examples of one subcommand"};
constexpr AddCommand kCommands[] = {add_query, add_replay, add_pack, add_dump, add_cook, add_view, add_info};

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN);  // a file past the user's limit is then an error that can be told
    return run_program("abut", [&] { return run_subcommand(kText, kCommands, argc, argv); });
}
