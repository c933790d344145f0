// abut_broad_table: nanoseconds per box beside other libraries.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "broad/box_scenes.hpp"

using namespace abut;
using namespace abut::boxes;

namespace {

double minimum_ns(int rounds, std::size_t boxes, const auto& call) {
    double best = INFINITY;
    for (int i = 0; i < rounds; ++i) {
        const std::clock_t start = std::clock();
        call();
        best = std::min(best, 1e9 / CLOCKS_PER_SEC * double(std::clock() - start) / double(boxes));
    }
    return best;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Nanoseconds per box.");
    std::vector<std::string> scenes = {"uniform", "clustered", "huge"};
    std::vector<std::size_t> counts = {1000, 10000, 100000};
    int rounds = 10;
    unsigned threads = 1;
    std::string isa = "auto";
    app.add_option("--scenes", scenes)->delimiter(',');
    app.add_option("--boxes", counts)->delimiter(',');
    app.add_option("--rounds", rounds);
    app.add_option("--threads", threads);
    app.add_option("--isa", isa);
    CLI11_PARSE(app, argc, argv);
    for (const std::string& name : scenes)
        for (const std::size_t count : counts) {
            const BoxScene scene = make_scene(name, count);
            BroadPhase broad({.threads = threads, .isa = *parse_isa(isa)});
            const double ns = minimum_ns(rounds, count, [&] { (void)bool(broad.find_pairs({scene.bounds})); });
            fmt::print("{:<12} {:>8} {:>9} pairs {:>8.1f} ns\n", name, count, broad.pairs().size(), ns);
        }
    return 0;
}
