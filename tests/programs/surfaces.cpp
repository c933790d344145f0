// abut_surfaces: pairs of meshes and height fields, judged by the oracle.
#include <cstdio>

#include <fmt/format.h>

#include "arguments.hpp"
#include "surfaces/distances/pairs.hpp"

using namespace abut;

int main(int argc, char** argv) {
    abut::tools::CommandLine app(
        "Asks for overlaps and distances of meshes and height fields, and judges the answers by the oracle, which "
        "looks at all pairs of "
        "triangles.\n\n"
        "Examples:\n"
        "  abut_surfaces\n"
        "  abut_surfaces --pairs 20000 --seed 7 --scale 1e-9\n");
    std::size_t pairs = 2000;
    std::uint64_t seed = 1;
    double scale = 1;
    app.add("--pairs", pairs, "of surfaces of up to 600 triangles").show_default();
    app.add("--seed", seed, "of the random pairs").show_default();
    app.add("--scale", scale, "of all lengths").show_default();
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;

    const surfaces::SurfacePairs scene = surfaces::make_pairs(pairs, seed, scale);
    NarrowPhase narrow;
    Overlaps overlaps;
    Distances distances;
    CallResult result = narrow.overlap(scene.frame(), overlaps);
    if (result) result = narrow.distance(scene.frame(), distances);
    if (!result) {
        fmt::print(stderr, "abut_surfaces: {}\n", result.error().message.c_str());
        return 2;
    }
    std::size_t wrong = 0;
    fmt::print("{:<12} {:>8} {:>8} {:>8}\n", "placing", "pairs", "hits", "wrong");
    const std::vector<surfaces::Tally> tallies = surfaces::judge(scene, overlaps, distances);
    for (std::size_t i = 0; i < tallies.size(); ++i) {
        const surfaces::Tally& tally = tallies[i];
        fmt::print("{:<12} {:>8} {:>8} {:>8}\n", surfaces::name_of(surfaces::Placing(i)), tally.pairs, tally.hits,
                   tally.wrong);
        for (const std::string& example : tally.examples) fmt::print("  {}\n", example);
        wrong += tally.wrong;
    }
    return wrong != 0;
}
