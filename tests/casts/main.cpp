// abut_casts: casts of random and hard motions of every pair of kinds, judged by the oracle.
#include <chrono>
#include <cstdio>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <abut/narrow_phase.hpp>

#include "casts/motions.hpp"

using namespace abut;

namespace {

constexpr ShapeKind kKinds[] = {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box,       ShapeKind::cylinder,
                                ShapeKind::cone,   ShapeKind::hull,    ShapeKind::ellipsoid, ShapeKind::halfspace};

}  // namespace

int main(int argc, char** argv) {
    CLI::App app(
        "Casts random and hard motions of every pair of kinds and judges the answers by the oracle.\n\nExamples:\n"
        "  abut_casts                        1,000 pairs of each two kinds, a tenth of them hard\n"
        "  abut_casts --pairs 30000          about a million pairs\n"
        "  abut_casts --kinds box,hull --seed 7\n");
    std::size_t pairs = 1000;
    std::uint64_t seed = 1;
    std::string kinds;
    bool all_hard = false;
    app.add_option("--pairs", pairs, "pairs of each two kinds")->capture_default_str();
    app.add_option("--seed", seed, "of the random motions")->capture_default_str();
    app.add_option("--kinds", kinds, "two kinds alone, e.g. box,hull");
    app.add_flag("--hard", all_hard, "hard shapes and poses alone");
    CLI11_PARSE(app, argc, argv);

    NarrowPhase narrow;
    casts::Tally sum;
    std::size_t distances = 0;
    bool found_kinds = false;
    fmt::print("{:<22} {:>8} {:>8} {:>8} {:>6} {:>6} {:>6} {:>6} {:>9} {:>10}\n", "kinds", "pairs", "hits", "starts", "late", "missed", "early",
               "status", "undecided", "distances");
    for (std::size_t a = 0; a < std::size(kKinds); ++a) {
        for (std::size_t b = a; b < std::size(kKinds); ++b) {
            if (kKinds[a] == ShapeKind::halfspace && kKinds[b] == ShapeKind::halfspace) continue;
            const std::string name_a = to_string(kKinds[a]), name_b = to_string(kKinds[b]);
            if (!kinds.empty() && kinds != name_a + "," + name_b && kinds != name_b + "," + name_a) continue;
            found_kinds = true;
            casts::Tally tally;
            std::size_t evaluated = 0;
            for (const bool hard : {false, true}) {
                const std::size_t some = hard ? (all_hard ? pairs : (pairs + 9) / 10) : (all_hard ? 0 : pairs - (pairs + 9) / 10);
                if (some == 0) continue;
                const casts::MotionScene motions = casts::make_motions(kKinds[a], kKinds[b], some, seed, hard);
                const Bodies ends[] = {motions.ends};
                Casts answers;
                CastOptions options;
                options.targets = motions.targets;
                if (const CallResult result = narrow.cast(motions.scene.frame(), {ends}, answers, options); !result) {
                    fmt::print(stderr, "abut_casts: {}\n", result.error().message.c_str());
                    return 2;
                }
                evaluated += narrow.counters().pairs;
                const casts::Tally part = casts::judge(motions, answers, options.tolerance);
                tally.pairs += part.pairs, tally.hits += part.hits, tally.starts += part.starts, tally.wrong += part.wrong,
                    tally.undecided += part.undecided;
                for (int i = 0; i < 6; ++i) tally.by_fault[i] += part.by_fault[i];
                for (const std::string& example : part.examples) tally.examples.push_back(example);
            }
            const auto of = [&](casts::Fault fault) { return tally.by_fault[int(fault)]; };
            fmt::print("{:<22} {:>8} {:>8} {:>8} {:>6} {:>6} {:>6} {:>6} {:>9} {:>10.1f}\n", name_a + "-" + name_b, tally.pairs, tally.hits,
                       tally.starts, of(casts::Fault::late), of(casts::Fault::missed), of(casts::Fault::early), of(casts::Fault::status),
                       tally.undecided, double(evaluated) / double(tally.pairs));
            for (const std::string& example : tally.examples) fmt::print("  {}\n", example);
            std::fflush(stdout);
            sum.pairs += tally.pairs, sum.hits += tally.hits, sum.wrong += tally.wrong, sum.undecided += tally.undecided;
            distances += evaluated;
        }
    }
    if (!found_kinds) {
        fmt::print(stderr,
                   "abut_casts: --kinds {}: no such two kinds, expected two of sphere, capsule, box, cylinder, cone, hull, ellipsoid, halfspace\n",
                   kinds);
        return 2;
    }
    fmt::print("{} pairs, {} hits, {} wrong, {} undecided, {:.1f} distances per pair\n", sum.pairs, sum.hits, sum.wrong, sum.undecided,
               double(distances) / double(sum.pairs));
    return sum.wrong != 0;
}
