// See report.hpp.
#include "steady/report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "steady/bullet.hpp"

namespace abut::steady {
namespace {

// Over some configurations, at one level.
struct Summary {
    double kept = 0, worst_kept = 1;  // mean over configurations; the configuration that keeps least
    double by_distance = 0;
    double motion = 0, patch = 1;  // largest, least
    unsigned counts = 0;           // most

    void add(const Figures& f, double weight) {
        kept += weight * f.kept;
        worst_kept = std::min(worst_kept, f.kept);
        by_distance += weight * f.by_distance;
        motion = std::max(motion, f.worst_motion);
        patch = std::min(patch, f.patch);
        counts = std::max(counts, f.counts);
    }
};

using Summaries = std::array<Summary, kNoiseCount>;
using Range = std::pair<std::size_t, std::size_t>;  // of configurations

Summaries summarise(const RowOutcome& row, Start start, Range range) {
    Summaries out;
    for (std::size_t i = range.first; i < range.second; ++i)
        for (std::size_t level = 0; level < kNoiseCount; ++level)
            out[level].add(row.outcomes[i].abut[start][level], 1.0 / double(range.second - range.first));
    return out;
}

Summaries summarise_bullet(const RowOutcome& row, Range range) {
    Summaries out;
    for (std::size_t i = range.first; i < range.second; ++i)
        for (std::size_t level = 0; level < kNoiseCount; ++level) {
            Figures f;
            f.kept = row.outcomes[i].bullet[level];
            out[level].add(f, 1.0 / double(range.second - range.first));
        }
    return out;
}

// Never rounded up to a goal that was missed.
std::string percent(double share) { return fmt::format("{:.1f}", std::floor(share * 1000 + 1e-6) / 10); }

std::string kept_columns(const Summaries& summaries, bool judged) {
    std::string line;
    for (std::size_t level = 0; level < kNoiseCount; ++level) {
        const Summary& s = summaries[level];
        line += fmt::format(" {:>6} {:>5}{}", percent(s.kept), percent(s.worst_kept),
                            judged && s.worst_kept < kGoals[level] ? '*' : ' ');
    }
    return line;
}

std::string patch_columns(const Summaries& summaries) {
    const Summary &at_1e5 = summaries[2], &at_1e3 = summaries[4];
    return fmt::format("  {:>7.1e} {:>7.1e}  {:>4.2f} {:>4.2f}  {:>2} {:>2}", at_1e5.motion, at_1e3.motion, at_1e5.patch,
                       at_1e3.patch, at_1e5.counts, at_1e3.counts);
}

void put_lines(std::string& out, const std::string& name, const RowOutcome& row, Range range, bool bullet) {
    out += name + "\n";
    for (const Start start : {kCold, kWarm}) {
        const Summaries summaries = summarise(row, start, range);
        out += fmt::format("  {:<7}{}{}\n", kStartNames[start], kept_columns(summaries, true), patch_columns(summaries));
    }
    if (bullet) out += fmt::format("  {:<7}{}\n", "bullet", kept_columns(summarise_bullet(row, range), false));
}

std::string heading() {
    std::string out = fmt::format("{:<9}", "");
    for (const double noise : kNoises)
        out += fmt::format(" {:>12} ", noise == 0 ? std::string("no noise") : fmt::format("noise {:g}", noise));
    return out + fmt::format("  {:^15}  {:^9}  {:^5}\n{:<9}", "motion", "patch", "counts", "% kept") +
           fmt::format("{0}{0}{0}{0}{0}", "   mean worst ") + "    1e-05   1e-03  1e-5 1e-3  at both\n";
}

// A number that JSON has, in the shortest form that reads back the same.
void put(std::string& out, const Vec3& v) { out += fmt::format("[{},{},{}]", v.x, v.y, v.z); }
void put(std::string& out, const Quat& q) { out += fmt::format("[{},{},{},{}]", q.x, q.y, q.z, q.w); }

void put(std::string& out, const oracle::Shape& shape) {
    out += fmt::format("{{\"shape\":\"{}\"", to_string(shape.kind));
    if (shape.kind == ShapeKind::box) {
        out += ",\"half_extents\":";
        put(out, shape.half_extents);
    } else if (shape.kind == ShapeKind::halfspace) {
        out += fmt::format(",\"offset\":{},\"normal\":", shape.offset);
        put(out, shape.normal);
    } else if (shape.kind == ShapeKind::hull) {
        out += ",\"vertices\":[";
        for (const Vec3& point : shape.points) put(out += &point == shape.points.data() ? "" : ",", point);
        out += ']';
    } else {
        out += fmt::format(",\"radius\":{},\"half_height\":{}", shape.radius, shape.half_height);
    }
    out += '}';
}

void put(std::string& out, const Form& form) {
    if (form.parts.size() == 1) return put(out, form.parts[0].shape);
    out += "{\"shape\":\"compound\",\"children\":[";
    for (const Part& part : form.parts) {
        out += &part == form.parts.data() ? "{\"shape\":" : ",{\"shape\":";
        put(out, part.shape);
        put(out += ",\"pos\":", part.position);
        out += ",\"quat\":[0,0,0,1]}";
    }
    out += "]}";
}

std::string query_line(const Configuration& c, const Body& upper, std::uint32_t frame) {
    std::string out = fmt::format("{{\"id\":\"frame {}\"", frame);
    const auto put_body = [&](char side, const Form& form, const Body& body) {
        put(out += fmt::format(",\"{}\":", side), form);
        put(out += fmt::format(",\"{}_pos\":", side), body.position);
        put(out += fmt::format(",\"{}_quat\":", side), body.orientation);
    };
    put_body('a', c.swapped ? c.upper : c.lower, c.swapped ? upper : c.lower_body);
    put_body('b', c.swapped ? c.lower : c.upper, c.swapped ? c.lower_body : upper);
    return out + "}\n";
}

nlohmann::json to_json(const Figures& f) {
    return {{"kept", f.kept},     {"worst_kept", f.worst_kept},      {"by_distance", f.by_distance},
            {"motion", f.motion}, {"worst_motion", f.worst_motion},  {"patch", f.patch},
            {"counts", f.counts}, {"most_contacts", f.most_contacts}};
}

}  // namespace

std::vector<Shortfall> shortfalls(const std::vector<RowOutcome>& rows) {
    std::vector<Shortfall> out;
    for (const RowOutcome& row : rows)
        for (std::size_t i = 0; i < row.outcomes.size(); ++i)
            for (const Start start : {kCold, kWarm})
                for (std::size_t level = 0; level < kNoiseCount; ++level) {
                    const double kept = row.outcomes[i].abut[start][level].kept;
                    if (kept < kGoals[level]) out.push_back({&row, i, level, start, kept});
                }
    std::ranges::stable_sort(
        out, [](const Shortfall& x, const Shortfall& y) { return kGoals[x.level] - x.kept > kGoals[y.level] - y.kept; });
    return out;
}

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
    out += short_of.empty() ? "\nAll goals are met.\n" : "\nFarthest below their goals:\n";
    for (std::size_t i = 0; i < std::min(most, short_of.size()); ++i) {
        const Shortfall& s = short_of[i];
        out += fmt::format("  {:>5}%  noise {:g}, {}: {}\n", percent(s.kept), kNoises[s.level], kStartNames[s.start],
                           s.row->row.configurations[s.configuration].name);
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
                for (const Start start : {kCold, kWarm}) one[kStartNames[start]] = to_json(row.outcomes[i].abut[start][level]);
                if (plan.bullet && has_bullet()) one["bullet"] = row.outcomes[i].bullet[level];
                levels.push_back(std::move(one));
            }
            configurations.push_back({{"name", row.row.configurations[i].name}, {"levels", std::move(levels)}});
        }
        list.push_back({{"name", row.row.name}, {"configurations", std::move(configurations)}});
    }
    return nlohmann::json{{"command", command}, {"frames", plan.frames}, {"seed", plan.seed}, {"rows", std::move(list)}}.dump(1) +
           "\n";
}

std::string replay(const RowOutcome& row, std::size_t configuration, std::size_t level, Start start, const Plan& plan) {
    const Configuration& c = row.row.configurations[configuration];
    const std::uint32_t last = row.outcomes[configuration].abut[start][level].worst_frame;
    Noise noise(row.row, c, level, plan.mode, plan.seed);
    std::string lines;
    for (std::uint32_t f = 0; f <= last; ++f) {
        const Body upper = noise.next();
        if (f + 1 >= last) lines += query_line(c, upper, f);
    }
    return fmt::format("# {}, noise {:g}, {}\nabut query --margin {} <<'END'\n{}END\n", c.name, kNoises[level],
                       kStartNames[start], c.margin(), lines);
}

}  // namespace abut::steady
