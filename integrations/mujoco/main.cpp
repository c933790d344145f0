// abut_mujoco: runs scenes under MuJoCo with its own collision functions and with abut's, and compares.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "compare.hpp"
#include "program.hpp"
#include "subcommands.hpp"

namespace abut::tools {
namespace {

const char* name_of(Functions functions) {
    return functions == Functions::mujoco ? "MuJoCo" : functions == Functions::multiccd ? "multiccd" : "abut";
}

void print_head() {
    fmt::print("{:<8}{:<10}{:>8}{:>8}{:>8}{:>8}{:>10}{:>10}{:>10}{:>8}{:>11}{:>9}{:>9}\n", "scene", "functions", "near",
               "wrong", "coarse", "missed", "invented", "worst", "contacts", "kept", "energy J", "step us", "pair ns");
}

void print_lines(const MujocoScene& scene, const std::array<Measured, kCompared.size()>& all) {
    for (std::size_t k = 0; k < all.size(); ++k) {
        const Measured& m = all[k];
        fmt::print("{:<8}{:<10}{:>8}{:>8}{:>8}{:>8}{:>10}{:>10.2g}{:>10.1f}{:>7.2f}%{:>11.2g}{:>9.0f}{:>9.0f}\n",
                   scene.name, name_of(kCompared[k]), m.judged.near, m.judged.wrong, m.judged.coarse, m.judged.missed,
                   m.judged.invented, m.judged.worst, m.contacts, 100 * m.kept, m.energy, m.step_microseconds,
                   m.pair_nanoseconds);
    }
    const mujoco::Work& work = all.back().work;
    fmt::print(
        "{:<8}{:.0f} pairs per step; abut: {} pairs in {} batches of {} pairs, {} in calls of their own, {} failed\n",
        "", all.front().pairs, work.pairs, work.batches, work.computed, work.alone, work.failed);
    std::fflush(stdout);
}

int parse_and_run(int argc, char** argv) {
    CompareOptions options;
    std::vector<std::string> chosen, names;
    std::string footer = "Scenes:\n";
    for (const MujocoScene& scene : mujoco_scenes()) {
        names.push_back(scene.name);
        footer += fmt::format("  {:<8}{}\n", scene.name, scene.what);
    }
    bool single = false;
    CLI::App app("Runs scenes under MuJoCo with its own collision functions and with abut's, and compares.",
                 "abut_mujoco");
    app.add_option("--scene", chosen, "Scenes to run, separated by commas; without it, all")
        ->delimiter(',')
        ->check(CLI::IsMember(names))
        ->type_name("NAME");
    app.add_option("--seconds", options.seconds, "Simulated seconds")
        ->check(CLI::Range(0.1, 3600.0))
        ->capture_default_str()
        ->type_name("S");
    app.add_option("--margin", options.margin,
                   "Margin and gap of all geoms: the distance within which contacts are found")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str()
        ->type_name("METRES");
    app.add_option("--judged", options.judged_steps, "Steps whose distances the oracle judges")
        ->capture_default_str()
        ->type_name("N");
    app.add_option("--slack", options.plugin.settings.contact_slack, "abut's contact slack")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str()
        ->type_name("METRES");
    app.add_flag("--warm", options.plugin.warm_caches, "Keep abut's caches from step to step");
    app.add_flag("--all-kinds", options.plugin.all_kinds, "abut also for the kinds that MuJoCo has closed forms for");
    app.add_flag("--single", single, "One call of abut per pair");
    app.footer(footer);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return end_of_parse(app, error);
    }
    options.plugin.batch = !single;
    print_head();
    for (const MujocoScene& scene : mujoco_scenes()) {
        if (chosen.empty() || std::find(chosen.begin(), chosen.end(), scene.name) != chosen.end())
            print_lines(scene, compare(scene, options));
    }
    return 0;
}

}  // namespace
}  // namespace abut::tools

int main(int argc, char** argv) {
    return abut::tools::run_program("abut_mujoco", [&] { return abut::tools::parse_and_run(argc, argv); });
}
