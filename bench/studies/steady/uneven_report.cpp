#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "studies/steady/goals.hpp"
#include "studies/steady/uneven_ground.hpp"

namespace abut::steady {
namespace {

double jumps(const UnevenFigures& f) { return f.ids > 0 ? double(f.other_points) / double(f.ids) : 0.0; }

}  // namespace

std::string to_text(const std::vector<UnevenOutcome>& outcomes, const UnevenPlan& plan) {
    std::string text = fmt::format(
        "Bodies at rest on uneven ground, margin {:g} mm, {} frames. Of the contacts of one frame, % that the frame "
        "before had:\n"
        "  id+point  with the same id, within 5% of the body's size;  point  there, whatever the id;  other  of those "
        "with the same id: elsewhere\n"
        "  lost      contacts that overlapped, and no contact of the next frame is near them; in all frames\n"
        "  table     matched by WarmTable by id or place;  jumps  of those by id: elsewhere;  far  how far at most, % "
        "of the size\n\n"
        "{:<8} {:<5} {:>7} {:>9} {:>9} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}\n",
        1e3 * double(plan.margin), plan.frames, "ground", "", "noise", "contacts", "id+point", "goal", "point", "other",
        "lost", "table", "jumps", "far");
    for (const UnevenOutcome& out : outcomes) {
        if (!out.trouble.empty()) {
            text += out.ground + ": " + out.trouble + "\n";
            continue;
        }
        for (const Start start : {kCold, kWarm})
            for (std::size_t level = 0; level < kUnevenNoiseCount; ++level) {
                const UnevenFigures& f = out.figures[start][level];
                text += fmt::format(
                    "{:<8} {:<5} {:>7g} {:>9.1f} {:>9} {:>7} {:>7} {:>7.2f} {:>7} {:>7} {:>7} {:>7.2f}\n", out.ground,
                    kStartNames[start], kUnevenNoises[level], double(f.contacts) / double(plan.frames - 1),
                    percent(f.share(f.id_and_point)), percent(kUnevenGoals[level]), percent(f.share(f.points)),
                    100 * jumps(f), f.lost_load, percent(f.share(f.table_kept)), f.table_jumps, 100 * f.table_farthest);
            }
    }
    text += "\nBodies without a contact that another margin finds within 0.5 mm of touch, by margin in mm:\n        ";
    for (const double margin : kUnevenMargins) text += fmt::format(" {:>5g}", 1e3 * margin);
    for (const UnevenOutcome& out : outcomes) {
        text += fmt::format("\n{:<8}", out.ground);
        for (const std::size_t bodies : out.lose_load) text += fmt::format(" {:>5}", bodies);
        text += fmt::format("  of {}", out.bodies);
    }
    return text + "\n";
}

std::string to_json(const std::vector<UnevenOutcome>& outcomes, const UnevenPlan& plan, const std::string& command) {
    nlohmann::json grounds = nlohmann::json::array();
    for (const UnevenOutcome& out : outcomes) {
        nlohmann::json levels = nlohmann::json::array();
        for (std::size_t level = 0; level < kUnevenNoiseCount; ++level) {
            nlohmann::json one = {{"noise", kUnevenNoises[level]}, {"goal", kUnevenGoals[level]}};
            for (const Start start : {kCold, kWarm}) {
                const UnevenFigures& f = out.figures[start][level];
                one[kStartNames[start]] = {{"contacts", f.contacts},
                                           {"id_and_point", f.id_and_point},
                                           {"points", f.points},
                                           {"ids", f.ids},
                                           {"other_points", f.other_points},
                                           {"lost_load", f.lost_load},
                                           {"table_kept", f.table_kept},
                                           {"table_ids", f.table_ids},
                                           {"table_jumps", f.table_jumps},
                                           {"table_farthest", f.table_farthest}};
            }
            levels.push_back(std::move(one));
        }
        grounds.push_back({{"ground", out.ground},
                           {"bodies", out.bodies},
                           {"levels", std::move(levels)},
                           {"lose_load", out.lose_load}});
    }
    return nlohmann::json{{"command", command},
                          {"frames", plan.frames},
                          {"margin", plan.margin},
                          {"margins", kUnevenMargins},
                          {"grounds", std::move(grounds)}}
               .dump(1) +
           "\n";
}

bool meets_goals(const std::vector<UnevenOutcome>& outcomes) {
    bool all = !outcomes.empty();
    for (const UnevenOutcome& out : outcomes) {
        all = all && out.trouble.empty();
        for (const auto& start : out.figures)
            for (std::size_t level = 0; level < kUnevenNoiseCount; ++level)
                all = all && start[level].share(start[level].id_and_point) >= kUnevenGoals[level] &&
                      start[level].table_jumps == 0 && start[level].lost_load == 0;
        for (const std::size_t bodies : out.lose_load) all = all && bodies == 0;
    }
    return all;
}

}  // namespace abut::steady
