// abut_casts: casts of random and hard motions of every pair of kinds, judged by the oracle.
#include <chrono>
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include <abut/narrow_phase.hpp>

#include "arguments.hpp"
#include "queries/casts/grounds.hpp"
#include "queries/casts/motions.hpp"

using namespace abut;

namespace {

constexpr ShapeKind kKinds[] = {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box,       ShapeKind::cylinder,
                                ShapeKind::cone,   ShapeKind::hull,    ShapeKind::ellipsoid, ShapeKind::halfspace};

struct Options {
    std::size_t pairs = 1000;  // of each two kinds
    std::uint64_t seed = 1;
    double seconds = 0;
    std::string kinds;
    bool all_hard = false, on_grounds = false;
};

// All rounds together.
struct Sum {
    casts::Tally tally;
    std::size_t distances = 0;

    void add(const casts::Tally& part) {
        tally.pairs += part.pairs, tally.hits += part.hits, tally.starts += part.starts, tally.wrong += part.wrong;
        tally.undecided += part.undecided;
        for (int i = 0; i < 6; ++i) tally.by_fault[i] += part.by_fault[i];
        for (const std::string& example : part.examples) tally.examples.push_back(example);
    }
};

// The motions of two kinds, some of them hard; false if a call is refused.
bool cast_kinds(NarrowPhase& narrow, ShapeKind a, ShapeKind b, const Options& asked, std::uint64_t seed, Sum& sum) {
    const std::size_t tenth = (asked.pairs + 9) / 10;
    for (const bool hard : {false, true}) {
        const std::size_t some = asked.all_hard ? (hard ? asked.pairs : 0) : hard ? tenth : asked.pairs - tenth;
        if (some == 0) continue;
        const casts::MotionScene motions = casts::make_motions(a, b, some, seed, hard);
        const Bodies ends[] = {motions.ends};
        Casts answers;
        CastOptions options;
        options.targets = motions.targets;
        if (const CallResult result = narrow.cast(motions.scene.frame(), {ends}, answers, options); !result) {
            fmt::print(stderr, "abut_casts: {}\n", result.error().message.c_str());
            return false;
        }
        sum.distances += narrow.counters().pairs;
        sum.add(casts::judge(motions, answers, options.tolerance));
    }
    return true;
}

void print(const std::string& name, const Sum& sum) {
    const casts::Tally& tally = sum.tally;
    const auto of = [&](casts::Fault fault) { return tally.by_fault[int(fault)]; };
    fmt::print("{:<22} {:>8} {:>8} {:>8} {:>6} {:>6} {:>6} {:>6} {:>9} {:>10.1f}\n", name, tally.pairs, tally.hits,
               tally.starts, of(casts::Fault::late), of(casts::Fault::missed), of(casts::Fault::early),
               of(casts::Fault::status), tally.undecided, double(sum.distances) / double(tally.pairs));
    for (const std::string& example : tally.examples) fmt::print("  {}\n", example);
    std::fflush(stdout);
}

// Bodies over grounds of many parts; false if a call is refused.
bool cast_grounds(NarrowPhase& narrow, const Options& asked, std::uint64_t seed, Sum& all) {
    for (const bool slides : {false, true}) {
        const casts::GroundMotions ground =
            slides ? casts::make_slides(asked.pairs, seed) : casts::make_descents(asked.pairs, seed);
        const Bodies ends[] = {ground.ends()};
        Casts answers;
        if (const CallResult result = narrow.cast(ground.frame(), {ends}, answers, ground.options); !result) {
            fmt::print(stderr, "abut_casts: {}\n", result.error().message.c_str());
            return false;
        }
        Sum sum;
        sum.distances = narrow.counters().pairs;
        sum.add(casts::judge(ground, answers));
        print(ground.motions.scene.name, sum);
        all.add(sum.tally), all.distances += sum.distances;
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    abut::tools::CommandLine app(
        "Casts random and hard motions of every pair of kinds and judges the answers by the oracle: bodies that meet "
        "head-on, pass by, graze, spin "
        "near\n"
        "half a turn, start in touch, or differ by 1e4 in size. Exit code: 0 nothing wrong, 1 something is, 2 the "
        "command line is "
        "wrong.\n\nExamples:\n"
        "  abut_casts                        1,000 pairs of each two kinds, a tenth of them hard\n"
        "  abut_casts --pairs 30000          about a million pairs\n"
        "  abut_casts --seconds 600 --hard   hunt: other motions, seed after seed\n"
        "  abut_casts --kinds box,hull --seed 7\n"
        "  abut_casts --grounds --pairs 100000   come down on flat ground, or are sunk in it and slide into a wall\n");
    Options asked;
    app.add("--pairs", asked.pairs, "pairs of each two kinds").show_default().in_range(1, 100000000);
    app.add("--seed", asked.seed, "of the random motions").show_default();
    app.add("--seconds", asked.seconds, "go on with the next seeds for so long").in_range(0.0, 1e9);
    app.add("--kinds", asked.kinds, "two kinds alone, e.g. box,hull");
    app.add_flag("--hard", asked.all_hard, "hard shapes and poses alone");
    app.add_flag("--grounds", asked.on_grounds, "bodies over meshes, height fields and compounds instead");
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;

    NarrowPhase narrow;
    Sum all;
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    std::uint64_t seed = asked.seed;
    do {
        fmt::print("seed {}\n{:<22} {:>8} {:>8} {:>8} {:>6} {:>6} {:>6} {:>6} {:>9} {:>10}\n", seed, "kinds", "pairs",
                   "hits", "starts", "late", "missed", "early", "status", "undecided", "distances");
        if (asked.on_grounds && !cast_grounds(narrow, asked, seed, all)) return 2;
        for (std::size_t a = 0; a < std::size(kKinds) && !asked.on_grounds; ++a)
            for (std::size_t b = a; b < std::size(kKinds); ++b) {
                if (kKinds[a] == ShapeKind::halfspace && kKinds[b] == ShapeKind::halfspace) continue;
                const std::string name_a = to_string(kKinds[a]), name_b = to_string(kKinds[b]);
                if (!asked.kinds.empty() && asked.kinds != name_a + "," + name_b &&
                    asked.kinds != name_b + "," + name_a)
                    continue;
                Sum sum;
                if (!cast_kinds(narrow, kKinds[a], kKinds[b], asked, seed, sum)) return 2;
                print(name_a + "-" + name_b, sum);
                all.add(sum.tally), all.distances += sum.distances;
            }
        ++seed;
    } while (all.tally.pairs > 0 && seconds() < asked.seconds);
    if (all.tally.pairs == 0) {
        fmt::print(stderr,
                   "abut_casts: --kinds {}: no such two kinds, expected two of sphere, capsule, box, cylinder, cone, "
                   "hull, ellipsoid, halfspace\n",
                   asked.kinds);
        return 2;
    }
    fmt::print("{} pairs, {} hits, {} wrong, {} undecided, {:.1f} distances per pair\n", all.tally.pairs,
               all.tally.hits, all.tally.wrong, all.tally.undecided, double(all.distances) / double(all.tally.pairs));
    return all.tally.wrong != 0;
}
