// `abut info`: what this program is and what it would use here.
#include <cstdlib>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <abut/abut.hpp>

#include "capture.hpp"
#include "commands.hpp"
#include "files.hpp"

namespace abut::tools {
namespace {

using nlohmann::ordered_json;

#ifdef ABUT_TOOLS_TBB
constexpr bool kHasTbb = true;
#else
constexpr bool kHasTbb = false;
#endif

// Why the best ISA is the one it is; throws InputError where ABUT_ISA asks for what is not there.
std::string reason() {
    const char* forced = std::getenv("ABUT_ISA");
    NarrowPhase narrow;
    Overlaps nothing;
    const CallResult possible = narrow.overlap(Frame{}, nothing);
    if (!possible) throw InputError(possible.error().message);
    if (forced == nullptr || *forced == '\0') return "the widest that this machine supports";
    return fmt::format("ABUT_ISA={}", forced);
}

ordered_json gather() {
    ordered_json info;
    info["version"] = ABUT_VERSION;
    info["isa"] = to_string(best_isa());
    info["reason"] = reason();
    info["lanes"] = lanes(best_isa());
    info["isas"] = ordered_json::array();
    for (const Isa isa : kAllIsas) {
        const unsigned width = lanes(isa);
        info["isas"].push_back({{"name", to_string(isa)}, {"compiled", width > 0}, {"supported", is_supported(isa)}, {"lanes", width}});
    }
    info["threads"] = {{"hardware", std::thread::hardware_concurrency()}, {"executor", kHasTbb ? "oneTBB" : "serial"}};
    info["limits"] = {{"instances_per_kind", ShapeId::kMaxSlots},
                      {"hull_vertices", ShapeStore::kMaxHullVertices},
                      {"pairs_per_frame", 0x7fffffff},
                      {"capture_bytes", kCaptureLimit - 1},
                      {"compound_depth", kMaxCompoundDepth}};
    info["capture_version"] = kCaptureVersion;
    info["compiler"] = ABUT_TOOLS_COMPILER;
    info["build"] = ABUT_TOOLS_BUILD;
    return info;
}

std::string table(const ordered_json& info) {
    std::string out = fmt::format("abut {}\n\ninstruction sets\n", info["version"].get<std::string>());
    for (const ordered_json& isa : info["isas"]) {
        if (!isa["compiled"].get<bool>()) continue;
        const std::string name = isa["name"];
        const char* note = !isa["supported"].get<bool>() ? "not supported by this machine" : name == info["isa"] ? "in use: " : "";
        fmt::format_to(std::back_inserter(out), "  {:<8} {:>2} lanes  {}{}\n", name, isa["lanes"].get<unsigned>(), note,
                       name == info["isa"] ? info["reason"].get<std::string>() : "");
    }
    fmt::format_to(std::back_inserter(out), "\nthreads    {}, by {}\n", info["threads"]["hardware"].get<unsigned>(),
                   info["threads"]["executor"].get<std::string>());
    out += "\nlimits\n";
    for (const auto& [name, value] : info["limits"].items()) {
        std::string words = name;
        for (char& c : words) c = c == '_' ? ' ' : c;
        fmt::format_to(std::back_inserter(out), "  {:<20} {:>12}\n", words, value.get<std::uint64_t>());
    }
    fmt::format_to(std::back_inserter(out), "\ncaptures   version {}\ncompiler   {}, {}\n", info["capture_version"].get<unsigned>(),
                   info["compiler"].get<std::string>(), info["build"].get<std::string>());
    return out;
}

int run(bool json) {
    const ordered_json info = gather();
    TextWriter out("-");
    out.buffer() = json ? info.dump() + "\n" : table(info);
    out.finish();
    return 0;
}

}  // namespace

Command add_info(CLI::App& app) {
    auto json = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("info", "Version, instruction sets, threads and limits");
    command->add_flag("--json", *json, "One JSON object");
    command->footer("Examples:\n  abut info\n  ABUT_ISA=sse2 abut info --json");
    return [json] { return run(*json); };
}

}  // namespace abut::tools
