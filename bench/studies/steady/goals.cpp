// See goals.hpp.
#include "studies/steady/goals.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace abut::steady {

std::string percent(double share) { return fmt::format("{:.1f}", std::floor(share * 1000 + 1e-6) / 10); }

std::vector<Shortfall> shortfalls(const std::vector<RowOutcome>& rows) {
    std::vector<Shortfall> out;
    for (const RowOutcome& row : rows)
        for (std::size_t i = 0; i < row.outcomes.size(); ++i)
            for (const Start start : {kCold, kWarm})
                for (std::size_t level = 0; level < kNoiseCount; ++level) {
                    const double kept = row.outcomes[i].abut[start][level].kept;
                    if (kept < kGoals[level]) out.push_back({&row, i, level, start, kept});
                }
    std::ranges::stable_sort(out, [](const Shortfall& x, const Shortfall& y) {
        return kGoals[x.level] - x.kept > kGoals[y.level] - y.kept;
    });
    return out;
}

std::vector<Shortfall> worst_of(const std::vector<Shortfall>& shortfalls, bool one_per_row) {
    std::vector<Shortfall> out;
    for (const Shortfall& s : shortfalls) {
        const bool known = std::ranges::any_of(out, [&](const Shortfall& other) {
            return other.row == s.row && (one_per_row || other.configuration == s.configuration);
        });
        if (!known) out.push_back(s);
    }
    return out;
}

std::string to_text(const std::vector<Shortfall>& short_of, const std::vector<RowOutcome>& rows, std::size_t most) {
    std::size_t all = 0, counts[kStarts][kNoiseCount] = {};
    for (const RowOutcome& row : rows) all += row.outcomes.size();
    for (const Shortfall& s : short_of) ++counts[s.start][s.level];
    std::string out = fmt::format("\nConfigurations short of the goal, of {}:\n{:<9}", all, "");
    for (std::size_t level = 0; level < kNoiseCount; ++level)
        out += fmt::format("  {:>7g} {:>3g}%", kNoises[level], kGoals[level] * 100);
    for (const Start start : {kCold, kWarm}) {
        out += fmt::format("\n  {:<7}", kStartNames[start]);
        for (const std::size_t count : counts[start]) out += fmt::format("  {:>12}", count);
    }
    out += short_of.empty()  ? "\nAll goals are met.\n"
           : rows.size() > 1 ? "\nFarthest below, one of each row:\n"
                             : "\nFarthest below:\n";
    const std::vector<Shortfall> worst = worst_of(short_of, rows.size() > 1);
    for (std::size_t i = 0; i < std::min(most, worst.size()); ++i) {
        const Shortfall& s = worst[i];
        out += fmt::format("  {:>5}%  {}, noise {:g}: {}\n", percent(s.kept), kStartNames[s.start], kNoises[s.level],
                           s.row->row.configurations[s.configuration].name);
    }
    return out;
}

}  // namespace abut::steady
