// abut_bullet: runs scenes under Bullet with its own narrow phase and with abut in its place, and compares.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "program.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "run_options.hpp"
#include "subcommands.hpp"

namespace abut::tools {
namespace {

struct Options {
    std::vector<std::string> scenes;
    RunOptions run;
    double seconds = 20, follow = 0;
    int substeps = 0, friction_directions = 0;
    bool json = false;
};

bool is_chosen(const NamedScene& scene, const Options& options) {
    if (options.scenes.empty()) return true;
    return std::find(options.scenes.begin(), options.scenes.end(), scene.name) != options.scenes.end();
}

constexpr std::size_t kTurn = 15;  // steps: what else the machine does then slows down all alike

SceneReport run_scene(const NamedScene& named, const Options& options, const Settings& settings) {
    Scene scene = named.make();
    if (options.substeps > 0) scene.substeps = options.substeps;
    if (options.friction_directions > 0) scene.two_friction_directions = options.friction_directions == 2;
    const NarrowPhaseKind kinds[] = {NarrowPhaseKind::bullet, NarrowPhaseKind::abut_cold, NarrowPhaseKind::abut_warm};
    std::vector<Run> runs;
    for (const NarrowPhaseKind kind : kinds) runs.emplace_back(named, scene, kind, settings, options.seconds);

    const std::size_t steps = runs.front().steps();
    Progress progress(fmt::format("{}, steps", named.name), std::size(kinds) * steps);
    for (std::size_t done = 0; done < steps; done += kTurn) {
        for (Run& run : runs) {
            for (std::size_t i = done; i < std::min(done + kTurn, steps); ++i) {
                run.step();
                progress.step();
            }
        }
    }
    SceneReport report{&named, {}};
    for (std::size_t i = 0; i < runs.size(); ++i) report.lines.push_back({kinds[i], runs[i].finish()});
    return report;
}

void run(const Options& options) {
    Settings settings = make_settings(options.run);
    settings.follow_distance = float(options.follow);
    RunReport report{options.seconds, to_string(NarrowPhase(settings).isa()), thread_count(options.run), {}};
    if (!options.json) fmt::print("{}", table_head(report));
    for (const NamedScene& named : named_scenes()) {
        if (!is_chosen(named, options)) continue;
        report.scenes.push_back(run_scene(named, options, settings));
        if (!options.json) fmt::print("{}", table_lines(report.scenes.back()));
        std::fflush(stdout);
    }
    if (options.json) {
        fmt::print("{}", report_json(report));
        return;
    }
    std::string text;
    for (const SceneReport& scene : report.scenes) {
        for (const std::string& what : shortcomings(scene)) text += "  " + what + "\n";
    }
    fmt::print("\n{}{}",
               text.empty() ? "abut falls short of nothing that is asked of it here.\n" : "abut falls short:\n", text);
}

std::string scene_list() {
    std::string text = "Scenes:\n";
    for (const NamedScene& scene : named_scenes()) text += fmt::format("  {:<12}{}\n", scene.name, scene.what);
    return text;
}

int parse_and_run(int argc, char** argv) {
    Options options;
    options.run.threads = 1;
    std::vector<std::string> names;
    for (const NamedScene& scene : named_scenes()) names.push_back(scene.name);

    CLI::App app("Runs scenes under Bullet with its own narrow phase and with abut in its place, and compares the two.",
                 "abut_bullet");
    app.add_option("--scene", options.scenes, "Scenes to run, separated by commas; without it, all")
        ->delimiter(',')
        ->check(CLI::IsMember(names))
        ->type_name("NAME");
    app.add_option("--seconds", options.seconds, "Simulated seconds")
        ->check(CLI::Range(0.1, 3600.0))
        ->capture_default_str()
        ->type_name("S");
    app.add_option("--substeps", options.substeps, "Of a 60th of a second; 0, the default, is the scene's own choice")
        ->check(CLI::Range(0, 100))
        ->type_name("N");
    app.add_option("--friction-directions", options.friction_directions,
                   "Of Bullet's solver for each contact: 1 lets bodies creep at up to 0.345 mm/s; 0, the default, is "
                   "the scene's "
                   "own choice")
        ->check(CLI::Range(0, 2))
        ->type_name("N");
    Arguments arguments(app);
    add_run_options(arguments, options.run,
                    "Speculative margin of abut's contacts; Bullet's own is 0.02, and so is abut's default");
    app.get_option("--threads")
        ->description("Threads of abut's call; 1, the default, as Bullet's own; 0 is all the machine has");
    app.add_option("--follow", options.follow, "With caches abut's contacts follow their bodies so far")
        ->check(CLI::Range(0.0, 1.0))
        ->type_name("METRES");
    app.add_flag("--json", options.json, "One JSON text instead of the table");
    app.footer(scene_list() +
               "\nExamples:\n"
               "  abut_bullet                               # all scenes, 20 s each: some twelve minutes\n"
               "  abut_bullet --scene stack,wall            # two of them\n"
               "  abut_bullet --scene pile --seconds 8      # a shorter run");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return end_of_parse(app, error);
    }
    run(options);
    return 0;
}

}  // namespace
}  // namespace abut::tools

int main(int argc, char** argv) {
    return abut::tools::run_program("abut_bullet", [&] { return abut::tools::parse_and_run(argc, argv); });
}
