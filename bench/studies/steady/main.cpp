// abut_steady: do resting contacts keep their ids under noise of a solver's size?
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "arguments.hpp"
#include "harness/abut_runner.hpp"
#include "harness/machine.hpp"
#include "scenes/environment.hpp"
#include "studies/steady/bullet.hpp"
#include "studies/steady/report.hpp"
#include "studies/steady/uneven_ground.hpp"

namespace abut::steady {
namespace {

struct Options {
    Plan plan;
    std::string kind, only, isa = "auto";
    double size = 0;
    unsigned threads = 0;
    std::size_t worst = 10, show = 0;
    bool all = false, json = false, check = false, no_bullet = false, walk = false, list = false, uneven = false;
    UnevenPlan on_uneven;
};

constexpr const char* kAbout =
    "Lays pairs of shapes flat on each other and disturbs the upper one in each frame: a tilt of so many radians about "
    "a random "
    "axis and a\n"
    "shift of as much times the size in a random direction. Prints how many contact ids last from one frame to the "
    "next.\n"
    "\n"
    "  % kept   contacts whose id was in the frame before, of the larger of the two frames' contacts. Mean over frames "
    "and "
    "configurations,\n"
    "           and the configuration that keeps least; * marks one below the goal: 99% up to 1e-5, 97% at 1e-4, 90% "
    "at 1e-3.\n"
    "  motion   how far a contact with the same id moved in one frame at most, as a share of the size\n"
    "  patch    smallest area of the contacts' patch over its largest (length, where they lie on a line); the worst "
    "configuration\n"
    "  counts   distinct numbers of contacts in one configuration\n"
    "  cold     without caches; warm: with the caches of the frame before\n"
    "  nearest  abut's contacts (cold), if each took the nearest point within 2% of the size instead of its id\n"
    "  bullet   Bullet's own contacts on the same frames: those that its persistent manifold, which matches by "
    "distance, keeps;\n"
    "           without the configurations in which it had no contact in some frame";
constexpr const char* kExamples =
    "Examples:\n"
    "  abut_steady\n"
    "  abut_steady --kind cylinder --size 1\n"
    "  abut_steady --kind 'box on box' --all\n"
    "  abut_steady --kind 'box on box' --only 'yaw 45, centred' --show 1     the two poses, for abut query\n"
    "  abut_steady --uneven --frames 40                                     bodies at rest on uneven ground\n"
    "  abut_steady --check --no-bullet --isa sse2                            exit code 1 where a goal is missed";

void describe(tools::Arguments& app, Options& o) {
    std::vector<std::string> isas = {"auto"};
    for (const Isa isa : bench::usable_isas()) isas.push_back(to_string(isa));
    app.footer(kExamples);
    app.add("--frames", o.plan.frames, "frames of each configuration and noise").show_default().in_range(2, 1000000);
    app.add("--seed", o.plan.seed, "of the noise, the random yaws, offsets and orientations").show_default();
    app.add("--kind", o.kind, "only rows whose name contains this, such as 'prism' or 'box on ground'");
    app.add("--only", o.only, "only configurations whose name contains this, such as 'yaw 45, half over'");
    app.add("--size", o.size, "only this size in metres: 0.01, 1 or 10").one_of({0.01, 1.0, 10.0});
    app.add("--isa", o.isa, "instruction set").show_default().one_of(isas);
    app.add("--threads", o.threads, "threads; 0: all cores").show_default().in_range(0, 1024);
    app.add_flag(
        "--uneven", o.uneven,
        "instead: bodies at rest on waves, a relief of 5 cm and ridges; cold and warm, and what WarmTable makes of it");
    app.add("--margin", o.on_uneven.margin, "of --uneven, in metres").show_default().in_range(0.0, 1.0);
    app.add("--rows", o.on_uneven.rows, "of --uneven: so many squared bodies on each ground")
        .show_default()
        .in_range(1, 100);
    app.add_flag("--walk", o.walk, "noise adds up from frame to frame, up to ten times its size");
    app.add_flag("--all", o.all, "a row for each configuration");
    app.add("--worst", o.worst, "list so many configurations that fall short").show_default();
    app.add("--show", o.show,
            "print so many of them as commands: the two frames of their worst step as lines of abut query; "
            "the first configuration where none falls short");
    app.add_flag("--no-bullet", o.no_bullet, "abut alone");
    app.add_flag("--list", o.list, "print the configurations and measure nothing");
    app.add_flag("--json", o.json, "one JSON object with the figures of each configuration");
    app.add_flag("--check", o.check, "exit code 1 where a configuration falls short");
}

int list_all(const std::vector<Row>& rows) {
    for (const Row& row : rows)
        for (const Configuration& c : row.configurations) fmt::print("{}\n", c.name);
    return 0;
}

void show(const std::vector<RowOutcome>& rows, const std::vector<Shortfall>& short_of, const Options& o) {
    const std::vector<Shortfall> worst = worst_of(short_of, rows.size() > 1);
    for (std::size_t i = 0; i < std::min(o.show, worst.size()); ++i)
        fmt::print("\n{}", replay(*worst[i].row, worst[i].configuration, worst[i].level, worst[i].start, o.plan));
    if (o.show > 0 && worst.empty()) fmt::print("\n{}", replay(rows[0], 0, kNoiseCount - 1, kCold, o.plan));
}

int run_uneven(Options& o, const std::string& command) {
    o.on_uneven.frames = o.plan.frames;
    o.on_uneven.seed = o.plan.seed;
    o.on_uneven.isa = *parse_isa(o.isa);
    const std::vector<UnevenOutcome> outcomes = measure_uneven(o.on_uneven);
    if (outcomes.empty()) {
        fmt::print(stderr, "built without the tests, whose solver brings bodies to rest\n");
        return 2;
    }
    fmt::print("{}", o.json ? to_json(outcomes, o.on_uneven, command) : to_text(outcomes, o.on_uneven));
    return o.check && !meets_goals(outcomes) ? 1 : 0;
}

int run(Options o, const std::string& command) {
    if (o.uneven) return run_uneven(o, command);
    o.plan.mode = o.walk ? NoiseMode::walk : NoiseMode::independent;
    o.plan.bullet = !o.no_bullet;
    o.plan.isa = *parse_isa(o.isa);
    const std::vector<Row> rows = choose(make_rows(o.plan.seed), o.kind, o.only, o.size);
    if (rows.empty()) {
        fmt::print(stderr, "no configuration has '{}' in its row's name and '{}' in its own; --list prints them\n",
                   o.kind, o.only);
        return 2;
    }
    if (o.list) return list_all(rows);
    const std::vector<RowOutcome> outcomes = measure(rows, o.plan, o.threads);
    for (const RowOutcome& outcome : outcomes) {
        if (outcome.trouble.empty()) continue;
        fmt::print(stderr, "{}: {}\n", outcome.row.name, outcome.trouble);
        return 2;
    }
    const std::vector<Shortfall> short_of = shortfalls(outcomes);
    if (o.json) {
        fmt::print("{}", to_json(outcomes, o.plan, command));
    } else {
        if (o.plan.bullet && !has_bullet())
            fmt::print("Bullet was not found when this was configured (Debian: libbullet-dev).\n");
        fmt::print("{}{}", to_text(outcomes, o.plan, o.all), to_text(short_of, outcomes, o.worst));
        show(outcomes, short_of, o);
    }
    return o.check && !short_of.empty() ? 1 : 0;
}

}  // namespace
}  // namespace abut::steady

int main(int argc, char** argv) {
    if (!abut::scenes::obey_environment("abut_steady")) return 2;
    using namespace abut::steady;
    abut::tools::CommandLine app(kAbout);
    Options options;
    describe(app, options);
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;
    return run(options, abut::bench::command_line(argc, argv));
}
