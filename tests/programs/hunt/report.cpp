// Tables, see report.hpp.
#include "programs/hunt/report.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace abut::hunt {
namespace {

double share(std::size_t part, std::size_t whole) { return whole == 0 ? 0 : double(part) / double(whole); }

Tally sum(std::span<const Tally> tallies) {
    Tally all;
    for (const Tally& tally : tallies) all.add(tally, 1);
    return all;
}

std::string row(const std::string& name, const Tally& t) {
    const Quality& q = t.quality;
    return fmt::format(
        "{:<20} {:>10} {:>8.0f} {:>7.2f}% {:>9.3g} {:>9.3g} {:>9.3g} {:>6.2f} {:>7} {:>6} {:>9} {:>10.3f}\n", name,
        t.pairs, t.seconds > 0 ? double(t.pairs) / t.seconds : 0, 100 * share(t.exact_path, t.pairs), q.distance,
        q.normal, q.contacts, q.patch, t.wrong, t.shorts, q.undecided, 1e3 * t.slowest);
}

nlohmann::json number(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr); }

nlohmann::json to_object(const Finding& f) {
    return {{"what", f.what},       {"bounds", number(f.bounds)},
            {"details", f.details}, {"margin", f.margin},
            {"family", f.family},   {"batch_seed", f.batch_seed},
            {"pair", f.pair},       {"question", nlohmann::json::parse(f.line, nullptr, false)}};
}

nlohmann::json to_object(const Tally& t) {
    nlohmann::json classes = nlohmann::json::array();
    for (const auto& [what, c] : t.classes) {
        nlohmann::json worst = nlohmann::json::array();
        for (const Finding& finding : c.worst) worst.push_back(to_object(finding));
        classes.push_back({{"what", what}, {"count", c.count}, {"worst", worst}});
    }
    const Quality& q = t.quality;
    return {{"pairs", t.pairs},
            {"pairs_per_core_second", t.seconds > 0 ? double(t.pairs) / t.seconds : 0},
            {"exact_path", t.exact_path},
            {"worst_bounds",
             {{"distance", number(q.distance)}, {"normal", number(q.normal)}, {"contacts", number(q.contacts)}}},
            {"least_patch", q.patch},
            {"proven", q.proven},
            {"solved", q.solved},
            {"cross_checked", q.cross_checked},
            {"undecided", q.undecided},
            {"wrong", t.wrong},
            {"short", t.shorts},
            {"slowest_ms", 1e3 * t.slowest},
            {"slowest", nlohmann::json::parse(t.slowest_line, nullptr, false)},
            {"broken", classes}};
}

}  // namespace

std::string to_text(const Finding& f) {
    // The line has its margin, for found.jsonl; `abut query` takes it as an option.
    return fmt::format(
        "{}: {}, {:.4g} bounds\n  {}\n  batch seed {}, pair {}; abut query{} --margin {:.9g}\n{{\"margin\":{:.9g},{}\n",
        f.family, f.what, f.bounds, f.details, f.batch_seed, f.pair, f.options, double(f.margin), double(f.margin),
        std::string_view(f.line).substr(f.line.empty() ? 0 : 1));
}

std::string to_text(std::span<const Game> games, std::span<const Tally> tallies, double seconds, bool with_short) {
    std::string text = fmt::format("{:<20} {:>10} {:>8} {:>8} {:>9} {:>9} {:>9} {:>6} {:>7} {:>6} {:>9} {:>10}\n",
                                   "family", "pairs", "pairs/s", "exact", "distance", "normal", "contacts", "patch",
                                   "wrong", "short", "undecided", "slowest ms");
    for (std::size_t i = 0; i < tallies.size(); ++i)
        if (tallies[i].pairs > 0) text += row(games[i].name, tallies[i]);
    const Tally all = sum(tallies);
    text += row("all", all);
    text += fmt::format(
        "pairs/s: of one core, with making and judging them. exact: pairs that took the exact path. distance, normal, "
        "contacts: "
        "the worst error in "
        "bounds.\npatch: least share of a contact patch. short: patches of discs below 90%. undecided: the oracle "
        "cannot tell.\n"
        "{} answers proved themselves, the oracle was asked {} times, {} depths were found by two algorithms. {:.1f} "
        "s, {:.0f} "
        "pairs/s.\n",
        all.quality.proven, all.quality.solved, all.quality.cross_checked, seconds,
        seconds > 0 ? double(all.pairs) / seconds : 0);
    if (all.slowest > 0) text += fmt::format("slowest pair, {:.3f} ms:\n{}\n", 1e3 * all.slowest, all.slowest_line);
    for (std::size_t i = 0; i < tallies.size(); ++i)
        for (const auto& [what, c] : tallies[i].classes)
            for (const Finding& finding : c.worst)
                if (with_short || !finding.is_short) text += fmt::format("{:>8} x {}", c.count, to_text(finding));
    return text;
}

std::string to_json(std::span<const Game> games, std::span<const Tally> tallies, double seconds,
                    const std::string& command) {
    nlohmann::json out = {{"command", command}, {"seconds", seconds}, {"all", to_object(sum(tallies))}};
    for (std::size_t i = 0; i < tallies.size(); ++i)
        if (tallies[i].pairs > 0) out["families"][games[i].name] = to_object(tallies[i]);
    return out.dump(1) + "\n";
}

}  // namespace abut::hunt
