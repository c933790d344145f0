// The options' domains, checked before any work is done.
#include "run_options.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "files.hpp"
#include "program.hpp"

namespace abut::tools {
namespace {

constexpr unsigned kMaxThreads = 1024;

std::string check_isa(const std::string& name) {
    const Expected<Isa> isa = parse_isa(name);
    return isa ? std::string() : std::string(isa.error().message);
}

}  // namespace

void add_run_options(Arguments& command, RunOptions& options, const char* margin_help) {
    command.add("--isa", options.isa, "Instruction set: auto, sse2, avx2, avx512 (all give the same bits)")
        .check(check_isa)
        .type_name("NAME");
    command.add("--threads", options.threads, "Threads; 0, the default, is all the machine has")
        .in_range(0u, kMaxThreads)
        .type_name("N");
    command.add("--margin", options.margin, margin_help).check(check_not_negative).type_name("METRES");
}

Settings make_settings(const RunOptions& options) {
    Settings settings;
    settings.isa = *parse_isa(options.isa);
    if (options.margin) settings.speculative_margin = float(*options.margin);
    if (options.threads == 1) settings.executor = serial_executor();
    settings.threads = options.threads;

    NarrowPhase narrow(settings);
    Overlaps nothing;
    const CallResult possible = narrow.overlap(Frame{}, nothing);
    if (!possible) throw InputError(possible.error().message);
    return settings;
}

unsigned thread_count([[maybe_unused]] const RunOptions& options) {
#ifdef ABUT_TOOLS_TBB
    return options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
#else
    return 1;
#endif
}

}  // namespace abut::tools
