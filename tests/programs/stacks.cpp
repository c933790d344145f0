// abut_stacks: runs the stacks in the tests' own solver and says which stand. Exit codes: 0 done; 1 abut refused a
// call; 2 bad arguments.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "arguments.hpp"
#include "scenes/environment.hpp"
#include "support/solver/measure.hpp"

namespace abut::solver {
namespace {

struct Options {
    std::vector<std::string> scenes;
    double seconds = 20;  // the sway of ten soft contacts takes ten to die away, even where they stay
    bool cold = false, warm = false, large = false, triangles = false, uneven = false, list = false;
    std::string match = "full", isa = "auto";
    double hold = 0, margin = 0.02, follow = 0, angle = 0;
    std::uint32_t contacts = 4;
    int substeps = 0, relax = 1;
};

bool chosen(const Stack& stack, const Options& options) {
    if (options.scenes.empty() && stack.uneven) return options.uneven;
    if (options.scenes.empty())
        return !options.uneven && (options.large || !stack.large) && (options.triangles || !stack.on_triangles);
    for (const std::string& word : options.scenes)
        if (stack.name.find(word) != std::string::npos) return true;
    return false;
}

void run_stack(const Stack& stack, const WorldSettings& settings, double seconds) {
    const Measured m = measure(stack, settings, seconds);
    fmt::print(
        "{:<28} {:<5} {:<6} {:>9.2g} {:>9.2g} {:>10.2g} {:>10.2g} {:>6.1f} {:>8} {:>8.3f} {:>6} {:>8} {:>5} {:>8} "
        "{:>8}\n",
        stack.name, settings.warm ? "warm" : "cold", m.stands ? "stands" : "FALLS", m.height_loss, m.drift,
        m.mean_energy, m.last_energy, 100 * m.ids_kept, m.contacts, m.ms_per_step, m.awake,
        std::isfinite(m.all_asleep) ? fmt::format("{:.1f}", m.all_asleep) : "never", m.lost_load,
        stack.ground_normal ? fmt::format("{:.3f}", m.fastest_rise) : "-",
        stack.stack_height > 0 ? fmt::format("{:.1f}", 1e3 * m.lean) : "-");
    std::fflush(stdout);
}

void run(const Options& options) {
    WorldSettings settings;
    settings.match = options.match == "id" ? Match::id : Match::full;
    settings.isa = *parse_isa(options.isa);
    if (options.substeps > 0) settings.substeps = options.substeps;
    settings.relax_iterations = options.relax;
    settings.margin = float(options.margin);
    settings.follow_distance = float(options.follow);
    settings.manifold_angle = float(options.angle);
    settings.ground_contacts = options.contacts;
    settings.hold_after = int(std::lround(options.hold / settings.step));
    fmt::print("{} s, {} substeps, match {}, {}\n", options.seconds, settings.substeps, options.match,
               to_string(NarrowPhase({.isa = settings.isa}).isa()));
    fmt::print("{:<28} {:<5} {:<6} {:>9} {:>9} {:>10} {:>10} {:>6} {:>8} {:>8} {:>6} {:>8} {:>5} {:>8} {:>8}\n",
               "scene", "", "", "lost, m", "drift, m", "last s, J", "end, J", "ids, %", "contacts", "ms/step", "awake",
               "sleep, s", "lost", "rise m/s", "lean, mm");
    for (const Stack& stack : stacks()) {
        if (!chosen(stack, options)) continue;
        for (const bool warm : {false, true}) {
            if ((warm && options.cold) || (!warm && options.warm)) continue;
            settings.warm = warm;
            run_stack(stack, settings, options.seconds);
        }
    }
}

void list() {
    for (const Stack& stack : stacks())
        fmt::print("{:<28} {}{}{}\n", stack.name, stack.what,
                   stack.substeps > 1 ? fmt::format(", substeps x {}", stack.substeps) : "",
                   stack.large          ? " (with --large)"
                   : stack.uneven       ? " (with --uneven)"
                   : stack.on_triangles ? " (with --triangles)"
                                        : "");
}

int parse_and_run(int argc, char** argv) {
    Options options;
    std::vector<std::string> isas = {"auto"};
    for (const Isa isa : kAllIsas)
        if (is_supported(isa)) isas.push_back(to_string(isa));
    abut::tools::CommandLine app(
        "Runs stacks in a small rigid-body solver on abut's contacts and prints, for each: whether it stands, the "
        "height that "
        "its top\n"
        "lost, the farthest horizontal drift, the kinetic energy (mean of the last second, and at the end), the share "
        "of\n"
        "contact ids kept per step in the last second, milliseconds per step, the bodies awake at the end (not slow "
        "for the last half\n"
        "second: 0.05 m/s, 0.1 rad/s), when each had been slow for half a second once, the contacts of the\n"
        "last second that bore an impulse and have none near them in the next step, the largest velocity off a ramp, "
        "and how far\n"
        "the top of a stack is aside from its foot. The drift of bodies that fall at first is that of the second half.",
        "abut_stacks");
    app.add("--scene", options.scenes, "Only scenes whose names hold one of these words, comma separated")
        .comma_separated()
        .type_name("FILTER");
    app.add("--seconds", options.seconds, "Simulated seconds").in_range(0.1, 3600.0).show_default();
    tools::Argument cold =
        app.add_flag("--cold", options.cold, "Only without WarmTable's caches; without --cold and --warm both run");
    app.add_flag("--warm", options.warm, "Only with them").excludes(cold);
    app.add("--match", options.match, "How contacts find their impulses: by id alone, or by all that carry_over knows")
        .one_of({"id", "full"})
        .show_default();
    app.add("--substeps", options.substeps, "Of a 60th of a second; 4 by default; some scenes take a multiple (--list)")
        .in_range(1, 64);
    app.add("--relax", options.relax, "Relaxing iterations per substep").in_range(0, 64).show_default();
    app.add("--hold", options.hold,
            "Keep the contacts of this second and ask abut no more: the solver by itself; 0, the default: never")
        .in_range(0.0, 3600.0)
        .type_name("S");
    app.add("--isa", options.isa, "Instruction set").one_of(isas).show_default();
    app.add_flag("--large", options.large, "The scenes of 500 bodies, too");
    app.add_flag("--triangles", options.triangles, "Those on a mesh and on a height field, too");
    app.add_flag("--uneven", options.uneven,
                 "Instead: bodies on waves, relief, ridges, pebbles and ramps of few decimals, and stacks of prisms");
    app.add("--follow", options.follow, "With caches contacts follow their bodies so far")
        .in_range(0.0, 1.0)
        .type_name("METRES");
    app.add("--contacts", options.contacts, "The most contacts of a manifold on a surface")
        .in_range(4, 8)
        .show_default();
    app.add("--angle", options.angle, "Manifolds of a pair with normals within this angle are one, radians")
        .in_range(0.0, 1.57)
        .show_default();
    app.add("--margin", options.margin, "Speculative margin").in_range(0.0, 1.0).show_default().type_name("METRES");
    app.add_flag("--list", options.list, "Print the scenes' names, and run nothing");
    app.footer(
        "Examples:\n"
        "  abut_stacks                                # all scenes but the large, cold and warm\n"
        "  abut_stacks --scene cylinders,prisms/box   # some of them\n"
        "  abut_stacks --scene 500 --warm --seconds 5\n"
        "  abut_stacks --match id --cold              # impulses by feature id alone");
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;
    for (const std::string& word : options.scenes) {
        const auto holds = [&](const Stack& stack) { return stack.name.find(word) != std::string::npos; };
        if (std::any_of(stacks().begin(), stacks().end(), holds)) continue;
        fmt::print(stderr, "abut_stacks: no scene's name holds \"{}\"; --list prints them\n", word);
        return 2;
    }
    options.list ? list() : run(options);
    return 0;
}

}  // namespace
}  // namespace abut::solver

int main(int argc, char** argv) {
    if (!abut::scenes::obey_environment("abut_stacks")) return 2;
    try {
        return abut::solver::parse_and_run(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "abut_stacks: {}\n", error.what());
        return 1;
    }
}
