// The table for a glance; the JSON for scripts, its member names fixed by docs/formats.md.
#include "replay_report.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "printable.hpp"

namespace abut::tools {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMaxLabel = 24;
constexpr std::size_t kKindColumns = 8;  // side by side

std::string hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

std::string kinds_name(const std::pair<ShapeKind, ShapeKind>& kinds) {
    return fmt::format("{}-{}", to_string(kinds.first), to_string(kinds.second));
}

// 1234567 -> "1,234,567"
std::string grouped(std::size_t value) {
    std::string digits = fmt::format("{}", value);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
    return digits;
}

// Labels come from files: control characters would reach the terminal.
std::string short_label(const std::string& label) {
    std::string text = label.size() > kMaxLabel ? label.substr(0, kMaxLabel - 2) + ".." : label;
    for (char& c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte >= 0x7f) c = '?';
    }
    return text;
}

void append_frame(std::string& out, const std::string& index, const Figures& f) {
    fmt::format_to(std::back_inserter(out), "{:>5}  {:<24} {:>9} {:>9} {:>9} {:>6} {:>10.1f} {:>8.1f} {:>9.1f}  {}\n",
                   index, short_label(f.label), grouped(f.pairs), grouped(f.hits), grouped(f.contacts),
                   grouped(f.bad()), f.ns_per_pair_min(), f.ns_per_pair_median(), f.pairs_per_second() * 1e-6,
                   hex(f.checksum));
}

void append_statuses(std::string& out, const Replay& replay) {
    for (std::size_t i = 0; i <= replay.frames.size(); ++i) {
        const Figures& f = i < replay.frames.size() ? replay.frames[i] : replay.all;
        if (f.bad() == 0) continue;
        fmt::format_to(std::back_inserter(out), "{}statuses, {}:", i == 0 ? "\n" : "", short_label(f.label));
        for (std::size_t s = 1; s < kStatusCount; ++s) {
            if (f.statuses[s] > 0)
                fmt::format_to(std::back_inserter(out), " {} {}", to_string(Status(s)), grouped(f.statuses[s]));
        }
        out.push_back('\n');
    }
}

// One row per pair of kinds, one column per frame, some frames at a time; the sum over all frames comes last.
void append_kinds(std::string& out, const Replay& replay, std::size_t first_index) {
    for (std::size_t first = 0; first <= replay.frames.size(); first += kKindColumns) {
        const std::size_t last = std::min(first + kKindColumns, replay.frames.size() + 1);
        fmt::format_to(std::back_inserter(out), "\n{:<22}", "pairs by kind");
        for (std::size_t i = first; i < last; ++i) {
            fmt::format_to(std::back_inserter(out), " {:>10}",
                           i < replay.frames.size() ? fmt::format("frame {}", i + first_index) : "all");
        }
        out.push_back('\n');
        for (const auto& [kinds, total] : replay.all.kinds) {
            fmt::format_to(std::back_inserter(out), "{:<22}", kinds_name(kinds));
            for (std::size_t i = first; i < last; ++i) {
                const auto& counts = i < replay.frames.size() ? replay.frames[i].kinds : replay.all.kinds;
                const auto found = counts.find(kinds);
                fmt::format_to(std::back_inserter(out), " {:>10}", grouped(found == counts.end() ? 0 : found->second));
            }
            out.push_back('\n');
        }
    }
}

// Times are of all threads together.
void append_stages(std::string& out, const Replay& replay, const ReplaySettings& settings) {
    if (replay.stages.empty()) return;
    std::uint64_t all = 0;
    for (const StageTime& stage : replay.stages) all += stage.nanoseconds;
    const double pairs = double(replay.all.pairs) * settings.repeat;
    fmt::format_to(std::back_inserter(out), "\n{:<14} {:>13} {:>9} {:>7}\n", "stage", "visits/pair", "ns/pair",
                   "share");
    for (const StageTime& stage : replay.stages)
        fmt::format_to(std::back_inserter(out), "{:<14} {:>13.3f} {:>9.1f} {:>6.1f}%\n", stage.name,
                       double(stage.visits) / pairs, double(stage.nanoseconds) / pairs,
                       100.0 * double(stage.nanoseconds) / double(all));
}

std::string describe(const Replay& replay, const ReplaySettings& settings, const ReportHead& head) {
    std::string text = fmt::format("{}: {}", printable(head.file), to_string(settings.query));
    if (settings.query == Query::collide) text += fmt::format(", margin {} m", settings.library.speculative_margin);
    text += fmt::format(", {} ({} lanes), {} thread{}, {} repetition{}", to_string(replay.isa), lanes(replay.isa),
                        head.threads, head.threads == 1 ? "" : "s", settings.repeat, settings.repeat == 1 ? "" : "s");
    if (settings.warm) text += ", warm (the first frame left out)";
    return text;
}

ordered_json figures_json(const Figures& f, std::size_t frames, const Replay& replay, const ReportHead& head) {
    ordered_json json;
    json["pairs"] = f.pairs;
    json["hits"] = f.hits;
    json["contacts"] = f.contacts;
    json["bad"] = f.bad();
    json["ns_per_pair_min"] = f.ns_per_pair_min();
    json["ns_per_pair_median"] = f.ns_per_pair_median();
    json["pairs_per_second"] = f.pairs_per_second();
    json["checksum"] = hex(f.checksum);
    json["isa"] = to_string(replay.isa);
    json["threads"] = head.threads;
    json["frames"] = frames;
    json["exact"] = f.exact;
    ordered_json kinds = ordered_json::object(), statuses = ordered_json::object();
    for (const auto& [pair, count] : f.kinds) kinds[kinds_name(pair)] = count;
    for (std::size_t s = 1; s < kStatusCount; ++s) {
        if (f.statuses[s] > 0) statuses[to_string(Status(s))] = f.statuses[s];
    }
    json["kinds"] = std::move(kinds);
    json["statuses"] = std::move(statuses);
    return json;
}

}  // namespace

std::string report_table(const Replay& replay, const ReplaySettings& settings, const ReportHead& head) {
    std::string out = describe(replay, settings, head);
    fmt::format_to(std::back_inserter(out), "\n\n{:>5}  {:<24} {:>9} {:>9} {:>9} {:>6} {:>10} {:>8} {:>9}  {}\n",
                   "frame", "label", "pairs", "hits", "contacts", "bad", "ns/pair", "median", "Mpairs/s", "checksum");
    const std::size_t first_index = settings.warm ? 1 : 0;
    for (std::size_t i = 0; i < replay.frames.size(); ++i)
        append_frame(out, fmt::format("{}", i + first_index), replay.frames[i]);
    append_frame(out, "", replay.all);
    append_stages(out, replay, settings);
    append_statuses(out, replay);
    append_kinds(out, replay, first_index);
    return out;
}

std::string report_json(const Replay& replay, const ReplaySettings& settings, const ReportHead& head) {
    ordered_json json = figures_json(replay.all, replay.frames.size(), replay, head);
    json["file"] = head.file;
    json["query"] = to_string(settings.query);
    json["repeat"] = settings.repeat;
    json["warm"] = settings.warm;
    for (const StageTime& stage : replay.stages)
        json["stages"].push_back({{"name", stage.name}, {"visits", stage.visits}, {"nanoseconds", stage.nanoseconds}});
    json["per_frame"] = ordered_json::array();
    for (const Figures& frame : replay.frames) {
        ordered_json item = figures_json(frame, 1, replay, head);
        item["label"] = frame.label;
        json["per_frame"].push_back(std::move(item));
    }
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string report_checksum(const Replay& replay) { return hex(replay.all.checksum) + "\n"; }

}  // namespace abut::tools
