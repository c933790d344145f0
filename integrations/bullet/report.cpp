#include "report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <abut/host.hpp>

namespace abut::tools {
namespace {

constexpr double kKeptAtLeast = 0.99, kColdAhead = 8, kWarmAhead = 16;
// Metres, joules, joules per kilogram: nobody sees less, and who has the lesser of it is chance.
constexpr double kStillDrift = 1e-4, kStillEnergy = 1e-6, kStillEnergyPerMass = 1e-6;
constexpr double kLaterByChance = 0.5;  // seconds: which of two falls comes to rest first is chance
constexpr double kMostLean = 0.01;
constexpr const char* kPile = "pile";  // the scene of the two ratios

const char* verb(Outcome outcome) {
    switch (outcome) {
        case Outcome::stands: return "stand";
        case Outcome::falls: return "fell";
        default: return "in it";
    }
}

bool comes_to_rest(const NamedScene& scene) { return scene.settled < 1; }

// Whether the scene does with Bullet's own narrow phase what it should: else there is nothing to be as good as.
bool own_does(const SceneReport& scene) {
    const Measured& own = scene.lines.front().measured;
    return scene.scene->outcome != Outcome::stands || own.as_expected == own.bodies;
}

bool is_still(const Measured& m, double energy) {
    return energy <= std::min(kStillEnergy, kStillEnergyPerMass * m.mass);
}

// Which of what matters most is worse than with Bullet's own.
struct Worse {
    bool outcome = false, mean_energy = false, drift = false, sleep = false;
};

Worse worse(const SceneReport& scene, const Measured& m) {
    if (!own_does(scene)) return {};
    const Measured& own = scene.lines.front().measured;
    const bool as_bullet =
        scene.scene->outcome == Outcome::rests;  // a body that bounces out of the pit does so with both
    return {m.as_expected<(as_bullet ? own.as_expected : m.bodies), m.mean_energy> own.mean_energy &&
                !is_still(m, m.mean_energy),
            m.drift > std::max(own.drift, kStillDrift),
            m.awake > own.awake || m.all_asleep > own.all_asleep + kLaterByChance};
}

double ahead(const SceneReport& scene, const Measured& measured) {
    return measured.ns_a_pair > 0 ? scene.lines.front().measured.ns_a_pair / measured.ns_a_pair : 0.0;
}

// Three figures that matter.
std::string figure(double value) {
    if (value >= 100) return fmt::format("{:.0f}", value);
    return value >= 10  ? fmt::format("{:.1f}", value)
           : value >= 1 ? fmt::format("{:.2f}", value)
                        : fmt::format("{:.2g}", value);
}

std::string table_line(const SceneReport& scene, const SceneReport::Line& line) {
    const Measured& m = line.measured;
    const bool is_abut = line.kind != NarrowPhaseKind::bullet, rests = comes_to_rest(*scene.scene);
    const auto at_rest = [&](const std::string& text) { return rests ? text : std::string("-"); };
    const auto of_abut = [&](const std::string& text) { return is_abut ? text : std::string("-"); };
    const auto where = [](bool asked, const std::string& text) { return asked ? text : std::string("-"); };
    return fmt::format(
        "{:<11} {:<10} {:>15} {:>9} {:>9} {:>9} {:>8} {:>7} {:>5} {:>6} {:>7} {:>9} {:>8} {:>8} {:>7} {:>8} {:>8} "
        "{:>6} {:>6} {:>8} {:>6}\n",
        is_abut ? "" : scene.scene->name, to_string(line.kind),
        fmt::format("{}/{} {}", m.as_expected, m.bodies, verb(scene.scene->outcome)), at_rest(figure(1e3 * m.drift)),
        at_rest(figure(m.mean_energy)), at_rest(figure(m.highest_energy)), at_rest(figure(1e3 * m.deepest)),
        at_rest(fmt::format("{:.2f}%", 100 * m.contacts_kept)), at_rest(fmt::format("{}", m.alternating)),
        at_rest(fmt::format("{}", m.awake)),
        at_rest(std::isfinite(m.all_asleep) ? fmt::format("{:.1f}", m.all_asleep) : "never"),
        at_rest(figure(m.last_energy)),
        where(scene.scene->measures == Measure::rise, fmt::format("{:.3f}", m.fastest_rise)),
        where(scene.scene->measures == Measure::lean, figure(1e3 * m.lean)), fmt::format("{:.0f}", m.pairs),
        fmt::format("{:.0f}", m.contacts), figure(m.ns_a_pair), of_abut(figure(m.call_ns_a_pair)),
        fmt::format("{:.1f}%", 100 * m.share), figure(m.step_ms), of_abut(fmt::format("{:.1f}x", ahead(scene, m))));
}

nlohmann::ordered_json line_json(const SceneReport& scene, const SceneReport::Line& line) {
    const Measured& m = line.measured;
    nlohmann::ordered_json json = {
        {"narrow_phase", to_string(line.kind)}, {"bodies", m.bodies}, {"as_expected", m.as_expected}};
    if (comes_to_rest(*scene.scene)) {
        json.update({{"drift", m.drift},
                     {"mean_energy", m.mean_energy},
                     {"highest_energy", m.highest_energy},
                     {"deepest", m.deepest},
                     {"contacts_kept", m.contacts_kept},
                     {"alternating", m.alternating},
                     {"awake", m.awake},
                     {"all_asleep", m.all_asleep},
                     {"last_energy", m.last_energy},
                     {"fastest_rise", m.fastest_rise},
                     {"lean", m.lean}});
    }
    json.update({{"pairs", m.pairs}, {"contacts", m.contacts}, {"ns_a_pair", m.ns_a_pair}});
    if (line.kind != NarrowPhaseKind::bullet) {
        json["collect_ns_a_pair"] = m.collect_ns_a_pair;
        json["call_ns_a_pair"] = m.call_ns_a_pair;
        json["write_ns_a_pair"] = m.write_ns_a_pair;
        json["ahead"] = ahead(scene, m);
        const Worse w = worse(scene, m);
        json["worse"] = {
            {"outcome", w.outcome}, {"mean_energy", w.mean_energy}, {"drift", w.drift}, {"sleep", w.sleep}};
    }
    json.update({{"share_of_step", m.share}, {"step_ms", m.step_ms}});
    return json;
}

}  // namespace

std::string table_head(const RunReport& report) {
    std::string text = fmt::format(
        "abut {} ({}, {} {}) in place of Bullet's narrow phase: {:g} s of 60 steps a second, a quarter of a second "
        "each in "
        "turn.\n"
        "Drift, energy, overlap, contacts kept from frame to frame and manifolds whose normal alternates: once the "
        "scene should "
        "be at "
        "rest.\n"
        "Awake: bodies that have not been slow (0.05 m/s, 0.1 rad/s) for the last half second; \"sleep s\": when each "
        "had been once; \"last J\": "
        "mean of the last second.\n"
        "Time: narrow phase alone, median of the steps; \"call\" is abut's own part of it; \"share\" that of the step "
        "which "
        "takes "
        "\"ms\".\n\n",
        ABUT_VERSION, report.isa, report.threads, report.threads == 1 ? "thread" : "threads", report.seconds);
    text += fmt::format(
        "{:<11} {:<10} {:>15} {:>9} {:>9} {:>9} {:>8} {:>7} {:>5} {:>6} {:>7} {:>9} {:>8} {:>8} {:>7} {:>8} {:>8} "
        "{:>6} {:>6} {:>8} {:>6}\n",
        "scene", "with", "outcome", "drift mm", "mean J", "highest J", "deep mm", "kept", "alt.", "awake", "sleep s",
        "last J", "rise m/s", "lean mm", "pairs", "contacts", "ns/pair", "call", "share", "ms", "ahead");
    return text;
}

std::string verdict_line(const SceneReport& scene) {
    if (!own_does(scene)) return "verdict    not with Bullet's own narrow phase either";
    std::string text;
    const auto add = [&](const char* what, bool Worse::*part) {
        std::string kinds;
        for (const SceneReport::Line& line : scene.lines) {
            if (line.kind == NarrowPhaseKind::bullet || !(worse(scene, line.measured).*part)) continue;
            kinds += fmt::format("{}{}", kinds.empty() ? "" : ", ", to_string(line.kind));
        }
        if (!kinds.empty()) text += fmt::format("{} {} ({})", text.empty() ? "" : ";", what, kinds);
    };
    add("outcome", &Worse::outcome);
    add("mean energy", &Worse::mean_energy);
    add("drift", &Worse::drift);
    add("sleep", &Worse::sleep);
    const char* good = comes_to_rest(*scene.scene) ? " outcome as Bullet's own, mean energy and drift no larger"
                                                   : " outcome as Bullet's own";
    return text.empty() ? fmt::format("verdict   {}", good)
                        : fmt::format("verdict    worse than Bullet's own:{}", text);
}

std::string table_lines(const SceneReport& scene) {
    std::string text;
    for (const SceneReport::Line& line : scene.lines) text += table_line(scene, line);
    return text + fmt::format("{:<12}{}\n", "", verdict_line(scene));
}

std::vector<std::string> shortcomings(const SceneReport& scene) {
    std::vector<std::string> found;
    if (!own_does(scene)) return found;
    const Measured& own = scene.lines.front().measured;
    for (const SceneReport::Line& line : scene.lines) {
        if (line.kind == NarrowPhaseKind::bullet) continue;
        const Measured& m = line.measured;
        const Worse w = worse(scene, m);
        const auto say = [&](const std::string& what) {
            found.push_back(fmt::format("{}, {}: {}", scene.scene->name, to_string(line.kind), what));
        };
        const auto say_energy = [&](const char* which, double energy, double of_bullet) {
            say(fmt::format("{} energy {} J, Bullet's {}", which, figure(energy), figure(of_bullet)));
        };
        if (w.outcome) say(fmt::format("{} of {} {}", m.as_expected, m.bodies, verb(scene.scene->outcome)));
        if (comes_to_rest(*scene.scene)) {
            if (w.drift) say(fmt::format("drift {} mm, Bullet's {}", figure(1e3 * m.drift), figure(1e3 * own.drift)));
            if (w.mean_energy) say_energy("mean", m.mean_energy, own.mean_energy);
            if (m.highest_energy > own.highest_energy && !is_still(m, m.highest_energy))
                say_energy("highest", m.highest_energy, own.highest_energy);
            if (m.contacts_kept < kKeptAtLeast)
                say(fmt::format("{:.2f}% of contacts kept, at least 99% wanted", 100 * m.contacts_kept));
            if (w.sleep)
                say(fmt::format("{} awake, all once asleep after {:.1f} s, Bullet's {} and {:.1f}", m.awake,
                                m.all_asleep, own.awake, own.all_asleep));
            if (scene.scene->measures == Measure::lean && m.lean > kMostLean)
                say(fmt::format("a stack leans by {} mm", figure(1e3 * m.lean)));
            if (m.alternating > 0) say(fmt::format("{} manifolds alternate between two normals", m.alternating));
        }
        const double wanted = line.kind == NarrowPhaseKind::abut_cold ? kColdAhead : kWarmAhead;
        if (scene.scene->name == std::string_view(kPile) && ahead(scene, m) < wanted) {
            say(fmt::format("{:.1f}x Bullet's narrow phase, {:g}x wanted", ahead(scene, m), wanted));
        }
    }
    return found;
}

std::string report_json(const RunReport& report) {
    nlohmann::ordered_json json = {{"abut", ABUT_VERSION},
                                   {"isa", report.isa},
                                   {"threads", report.threads},
                                   {"seconds", report.seconds},
                                   {"scenes", {}}};
    for (const SceneReport& scene : report.scenes) {
        nlohmann::ordered_json lines = nlohmann::ordered_json::array();
        for (const SceneReport::Line& line : scene.lines) lines.push_back(line_json(scene, line));
        json["scenes"].push_back({{"scene", scene.scene->name},
                                  {"stands_with_bullet", own_does(scene)},
                                  {"runs", lines},
                                  {"short_of", shortcomings(scene)}});
    }
    return json.dump(2) + "\n";
}

}  // namespace abut::tools
