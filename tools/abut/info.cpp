// `abut info`: what this program is and what it would use here.
#include <cstdlib>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include <abut/abut.hpp>

#include "capture.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "json_string.hpp"

namespace abut::tools {
namespace {

#ifdef ABUT_TOOLS_TBB
constexpr const char* kExecutor = "oneTBB";
#else
constexpr const char* kExecutor = "serial";
#endif

// Why the best ISA is the one it is; throws InputError where there is none.
std::string reason() {
    const char* forced = std::getenv("ABUT_ISA");  // run_program has made the library obey it
    NarrowPhase narrow;
    Overlaps nothing;
    const CallResult possible = narrow.overlap(Frame{}, nothing);
    if (!possible) throw InputError(possible.error().message);
    if (forced == nullptr || *forced == '\0') return "the widest that this machine supports";
    return fmt::format("ABUT_ISA={}", forced);
}

struct Limit {
    const char* name;
    std::uint64_t value;
};
constexpr Limit kLimits[] = {{"instances_per_kind", ShapeId::kMaxSlots},
                             {"hull_vertices", ShapeStore::kMaxHullVertices},
                             {"pairs_per_frame", 0x7fffffff},
                             {"capture_bytes", kCaptureLimit - 1},
                             {"compound_depth", kMaxCompoundDepth}};

std::string as_json() {
    std::string out = fmt::format(R"({{"version":"{}","isa":"{}","reason":{},"lanes":{},"isas":[)", ABUT_VERSION,
                                  to_string(best_isa()), json_string(reason()), lanes(best_isa()));
    const char* separator = "";
    for (const Isa isa : kAllIsas) {
        fmt::format_to(std::back_inserter(out), R"({}{{"name":"{}","compiled":{},"supported":{},"lanes":{}}})",
                       separator, to_string(isa), lanes(isa) > 0, is_supported(isa), lanes(isa));
        separator = ",";
    }
    fmt::format_to(std::back_inserter(out), R"(],"threads":{{"hardware":{},"executor":"{}"}},"limits":{{)",
                   std::thread::hardware_concurrency(), kExecutor);
    separator = "";
    for (const Limit& limit : kLimits) {
        fmt::format_to(std::back_inserter(out), R"({}"{}":{})", separator, limit.name, limit.value);
        separator = ",";
    }
    fmt::format_to(std::back_inserter(out), R"(}},"capture_version":{},"compiler":{},"build":{}}})", kCaptureVersion,
                   json_string(ABUT_TOOLS_COMPILER), json_string(ABUT_TOOLS_BUILD));
    return out + "\n";
}

std::string as_table() {
    std::string out = fmt::format("abut {}\n\ninstruction sets\n", ABUT_VERSION);
    const std::string why = reason();
    for (const Isa isa : kAllIsas) {
        if (lanes(isa) == 0) continue;
        const bool in_use = isa == best_isa();
        const char* note = !is_supported(isa) ? "not supported by this machine" : in_use ? "in use: " : "";
        fmt::format_to(std::back_inserter(out), "  {:<8} {:>2} lanes  {}{}\n", to_string(isa), lanes(isa), note,
                       in_use ? why : "");
    }
    fmt::format_to(std::back_inserter(out), "\nthreads    {}, by {}\n\nlimits\n", std::thread::hardware_concurrency(),
                   kExecutor);
    for (const Limit& limit : kLimits) {
        std::string words = limit.name;
        for (char& c : words) c = c == '_' ? ' ' : c;
        fmt::format_to(std::back_inserter(out), "  {:<20} {:>12}\n", words, limit.value);
    }
    fmt::format_to(std::back_inserter(out), "\ncaptures   version {}\ncompiler   {}, {}\n", kCaptureVersion,
                   ABUT_TOOLS_COMPILER, ABUT_TOOLS_BUILD);
    return out;
}

int run_info(bool json) {
    TextWriter out("-");
    out.buffer() = json ? as_json() : as_table();
    out.finish();
    return 0;
}

}  // namespace

Command add_info(Arguments& program) {
    auto json = std::make_shared<bool>(false);
    Arguments command = program.subcommand("info", "Version, instruction sets, threads and limits");
    command.add_flag("--json", *json, "One JSON object");
    command.footer("Examples:\n  abut info\n  ABUT_ISA=sse2 abut info --json");
    return [json] { return run_info(*json); };
}

}  // namespace abut::tools
