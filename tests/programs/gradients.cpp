// abut_gradients: gradients of distances, judged by central differences of the oracle.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include <abut/narrow_phase.hpp>

#include "arguments.hpp"
#include "queries/configurations/gradient_checks.hpp"

using namespace abut;

int main(int argc, char** argv) {
    abut::tools::CommandLine app(
        "Judges the gradients of signed distances by central differences of the oracle, for every two convex kinds.\n\n"
        "Examples:\n"
        "  abut_gradients                  100,000 pairs\n"
        "  abut_gradients --row box-cone --pairs 1000 --seed 3\n");
    std::size_t pairs = 100000;
    std::uint64_t seed = 1;
    std::string only;
    app.add("--pairs", pairs, "pairs of all rows together").show_default();
    app.add("--seed", seed, "of the scenes").show_default();
    app.add("--row", only, "one row alone");
    bool coarse = false;
    app.add_flag("--coarse", coarse, "GradientOptions::refine = false");
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;

    std::vector<std::string> rows = robots::gradient_rows();
    if (!only.empty()) {
        if (std::find(rows.begin(), rows.end(), only) == rows.end()) {
            fmt::print(stderr, "abut_gradients: --row {}: no such row\n", only);
            return 2;
        }
        rows = {only};
    }
    robots::GradientTally all;
    NarrowPhase narrow;
    fmt::print("{:<22} {:>8} {:>8} {:>8} {:>10} {:>10}\n", "row", "pairs", "smooth", "wrong", "worst", "ns a pair");
    for (const std::string& row : rows) {
        const scenes::Scene scene =
            scenes::make_row(row, (pairs + rows.size() - 1) / rows.size(), seed, scenes::Keep::no);
        Distances distances;
        Gradients gradients;
        CallResult result = narrow.distance(scene.frame(), distances);
        const auto start = std::chrono::steady_clock::now();
        if (result) result = distance_gradients(scene.frame(), distances, gradients, {.refine = !coarse});
        if (!result) {
            fmt::print(stderr, "abut_gradients: {}\n", result.error().message.c_str());
            return 2;
        }
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        const robots::GradientTally tally = robots::judge_gradients(scene, gradients);
        fmt::print("{:<22} {:>8} {:>8} {:>8} {:>10.1e} {:>10.0f}\n", row, tally.pairs, tally.smooth, tally.wrong,
                   tally.worst, took.count() / double(tally.pairs));
        for (const std::string& example : tally.examples) fmt::print("  {}\n", example);
        std::fflush(stdout);
        all.add(tally);
    }
    fmt::print("{:<22} {:>8} {:>8} {:>8} {:>10.1e}\n", "all", all.pairs, all.smooth, all.wrong, all.worst);
    return all.wrong != 0;
}
