// See report.hpp.
#include "studies/steady/report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "studies/steady/bullet.hpp"

namespace abut::steady {
namespace {

// Over some configurations, at one level.
struct Summary {
    std::size_t configurations = 0, without = 0;  // those that count, those that Bullet found apart
    double kept = 0, worst_kept = 1;              // sum over configurations; of the one that keeps least
    double motion = 0, patch = 1;                 // largest, least
    unsigned counts = 0;                          // most

    void add(double share) {
        ++configurations;
        kept += share;
        worst_kept = std::min(worst_kept, share);
    }
    double mean() const { return kept / double(std::max<std::size_t>(configurations, 1)); }
};

using Summaries = std::array<Summary, kNoiseCount>;
using Range = std::pair<std::size_t, std::size_t>;  // of configurations

// add(summary, outcome, level) for each configuration and level.
template <class Add>
Summaries summarise(const RowOutcome& row, Range range, Add add) {
    Summaries out;
    for (std::size_t i = range.first; i < range.second; ++i)
        for (std::size_t level = 0; level < kNoiseCount; ++level) add(out[level], row.outcomes[i], level);
    return out;
}

Summaries summarise(const RowOutcome& row, Start start, Range range) {
    return summarise(row, range, [&](Summary& s, const Outcome& outcome, std::size_t level) {
        const Figures& f = outcome.abut[start][level];
        s.add(f.kept);
        s.motion = std::max(s.motion, f.worst_motion);
        s.patch = std::min(s.patch, f.patch);
        s.counts = std::max(s.counts, f.counts);
    });
}

Summaries summarise_by_distance(const RowOutcome& row, Range range) {
    return summarise(row, range, [](Summary& s, const Outcome& outcome, std::size_t level) {
        s.add(outcome.abut[kCold][level].by_distance);
    });
}

Summaries summarise_bullet(const RowOutcome& row, Range range) {
    return summarise(row, range, [](Summary& s, const Outcome& outcome, std::size_t level) {
        if (outcome.bullet[level] < 0)
            ++s.without;
        else
            s.add(outcome.bullet[level]);
    });
}

std::string kept_columns(const Summaries& summaries, bool judged) {
    std::string line;
    for (std::size_t level = 0; level < kNoiseCount; ++level) {
        const Summary& s = summaries[level];
        if (s.configurations == 0) {
            line += fmt::format(" {:>6} {:>5} ", "-", "-");
            continue;
        }
        line += fmt::format(" {:>6} {:>5}{}", percent(s.mean()), percent(s.worst_kept),
                            judged && s.worst_kept < kGoals[level] ? '*' : ' ');
    }
    return line;
}

std::string patch_columns(const Summaries& summaries) {
    const Summary &at_1e5 = summaries[2], &at_1e3 = summaries[4];
    return fmt::format("  {:>7.1e} {:>7.1e}  {:>4.2f} {:>4.2f}  {:>4} {:>4}", at_1e5.motion, at_1e3.motion,
                       at_1e5.patch, at_1e3.patch, at_1e5.counts, at_1e3.counts);
}

// Without the blanks at its end.
std::string line_of(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
}

std::string bullet_line(const RowOutcome& row, Range range) {
    const Summaries summaries = summarise_bullet(row, range);
    std::size_t most = 0;
    for (const Summary& s : summaries) most = std::max(most, s.without);
    return line_of(fmt::format("  {:<8}{}{}", "bullet", kept_columns(summaries, false),
                               most > 0 ? fmt::format("  {} left out: no contact", most) : ""));
}

void put_lines(std::string& out, const std::string& name, const RowOutcome& row, Range range, bool bullet) {
    out += name + "\n";
    for (const Start start : {kCold, kWarm}) {
        const Summaries summaries = summarise(row, start, range);
        out += line_of(
            fmt::format("  {:<8}{}{}", kStartNames[start], kept_columns(summaries, true), patch_columns(summaries)));
    }
    out += line_of(fmt::format("  {:<8}{}", "nearest", kept_columns(summarise_by_distance(row, range), false)));
    if (bullet) out += bullet_line(row, range);
}

std::string heading() {
    std::string first = fmt::format("{:<10}", ""), second = fmt::format("{:<10}", "% kept");
    for (const double noise : kNoises) {
        first += fmt::format(" {:^13}", noise == 0 ? std::string("no noise") : fmt::format("noise {:.0e}", noise));
        second += "   mean worst ";
    }
    first += fmt::format("  {:^15}  {:^9}  {:^9}", "motion", "patch", "counts");
    return line_of(std::move(first)) + line_of(second + "    1e-05   1e-03  1e-5 1e-3  1e-5 1e-3");
}

nlohmann::json to_json(const Figures& f) {
    return {{"kept", f.kept},     {"worst_kept", f.worst_kept},      {"by_distance", f.by_distance},
            {"motion", f.motion}, {"worst_motion", f.worst_motion},  {"patch", f.patch},
            {"counts", f.counts}, {"most_contacts", f.most_contacts}};
}

}  // namespace

std::string to_text(const std::vector<RowOutcome>& rows, const Plan& plan, bool all) {
    std::string out = heading();
    const bool bullet = plan.bullet && has_bullet();
    for (const RowOutcome& row : rows) {
        if (!all) {
            put_lines(out, fmt::format("{} ({} configurations)", row.row.name, row.outcomes.size()), row,
                      {0, row.outcomes.size()}, bullet);
            continue;
        }
        for (std::size_t i = 0; i < row.outcomes.size(); ++i)
            put_lines(out, row.row.configurations[i].name, row, {i, i + 1}, bullet);
    }
    return out;
}

std::string to_json(const std::vector<RowOutcome>& rows, const Plan& plan, const std::string& command) {
    nlohmann::json list = nlohmann::json::array();
    for (const RowOutcome& row : rows) {
        nlohmann::json configurations = nlohmann::json::array();
        for (std::size_t i = 0; i < row.outcomes.size(); ++i) {
            nlohmann::json levels = nlohmann::json::array();
            for (std::size_t level = 0; level < kNoiseCount; ++level) {
                nlohmann::json one = {{"noise", kNoises[level]}, {"goal", kGoals[level]}};
                for (const Start start : {kCold, kWarm})
                    one[kStartNames[start]] = to_json(row.outcomes[i].abut[start][level]);
                if (row.outcomes[i].bullet[level] >= 0 && plan.bullet && has_bullet())
                    one["bullet"] = row.outcomes[i].bullet[level];
                levels.push_back(std::move(one));
            }
            configurations.push_back({{"name", row.row.configurations[i].name}, {"levels", std::move(levels)}});
        }
        list.push_back({{"name", row.row.name}, {"configurations", std::move(configurations)}});
    }
    return nlohmann::json{{"command", command}, {"frames", plan.frames}, {"seed", plan.seed}, {"rows", std::move(list)}}
               .dump(1) +
           "\n";
}

}  // namespace abut::steady
