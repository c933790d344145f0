// abut_broad_table: nanoseconds per box beside other libraries.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include "queries/boxes/box_scenes.hpp"
#include "queries/boxes/rivals.hpp"
#include "support/beside_rivals.hpp"

using namespace abut;
using namespace abut::boxes;

namespace {

// What moves: all boxes by up to 5 cm along each axis per frame, a hundredth of them, or none. The others are at rest:
// two of these are no pair.
struct Motion {
    const char* name;
    double share;
};
constexpr Motion kMotions[] = {{"all", 1.0}, {"1%", 0.01}, {"none", 0.0}};

BoxScene make_moving_scene(const std::string& name, std::size_t boxes, double share) {
    BoxScene scene = make_scene(name, boxes);
    if (share < 1.0) let_move(scene, share);
    return scene;
}

std::vector<std::uint32_t> moved_boxes(const BoxScene& scene) {
    std::vector<std::uint32_t> moved;
    for (std::uint32_t i = 0; i < scene.bounds.size(); ++i)
        if (scene.moving.empty() || scene.moving[i] != 0) moved.push_back(i);
    return moved;
}

// The median of `frames`, nanoseconds per box: of the processor for one thread, else of the clock. The first frames, in
// which memory grows, do not count.
double median_ns(BoxScene scene, int frames, bool of_processor, const auto& frame) {
    constexpr int kFirst = 3;
    std::vector<double> times;
    for (int i = 0; i < frames + kFirst; ++i) {
        step(scene, 0.05f, std::uint64_t(i));
        const std::clock_t start = std::clock();
        const auto at = std::chrono::steady_clock::now();
        frame(scene);
        const double clock = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - at).count();
        const double processor = 1e9 / CLOCKS_PER_SEC * double(std::clock() - start);
        if (i >= kFirst) times.push_back((of_processor ? processor : clock) / double(scene.bounds.size()));
    }
    std::nth_element(times.begin(), times.begin() + std::ptrdiff_t(times.size() / 2), times.end());
    return times[times.size() / 2];
}

void print(const std::string& scene, std::size_t boxes, const char* moving, const std::string& library, double ns,
           std::size_t pairs) {
    fmt::print("{:<10} {:>8} {:>6} {:<16} {:>9.1f} {:>9}\n", scene, boxes, moving, library, ns, pairs);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    abut::tools::CommandLine app(
        "Nanoseconds per box to find all pairs of a frame, beside Bullet and FCL: the median of some frames; time of "
        "the processor for one thread, "
        "of the\n"
        "clock for more.\n\nExamples:\n"
        "  abut_broad_table\n"
        "  abut_broad_table --scenes clustered --boxes 100000,1000000 --threads 1,2 --no-rivals\n");
    std::vector<std::string> scenes = {"uniform", "clustered", "huge"};
    std::vector<std::size_t> counts = {1000, 10000, 100000};
    std::vector<unsigned> threads = {1};
    std::vector<std::string> motions = {"all", "1%", "none"};
    int frames = 20;
    std::size_t sweep_limit = 10000;
    test::RivalOptions options;
    app.add("--scenes", scenes, "uniform, clustered, flat, huge (one box around all), sizes (1 cm to 10 m)")
        .comma_separated()
        .show_default();
    app.add("--boxes", counts, "number of boxes").comma_separated().show_default();
    app.add("--moving", motions, "what moves: all, 1%, none").comma_separated().show_default();
    app.add("--threads", threads, "of abut; the others have one").comma_separated().show_default();
    app.add("--frames", frames, "of which the median counts").show_default();
    app.add("--sweep-limit", sweep_limit,
            "boxes up to which Bullet's sweep takes part: it inserts them in quadratic time")
        .show_default();
    options.add_to(app);
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;
    fmt::print("{:<10} {:>8} {:>6} {:<16} {:>9} {:>9}\n", "scene", "boxes", "moving", "library", "ns", "pairs");
    for (const std::string& name : scenes)
        for (const std::size_t boxes : counts)
            for (const Motion& motion : kMotions) {
                if (std::find(motions.begin(), motions.end(), motion.name) == motions.end()) continue;
                const BoxScene scene = make_moving_scene(name, boxes, motion.share);
                for (const unsigned count : threads) {
                    BroadPhase broad({.threads = count, .isa = options.isa()});
                    PairList list;
                    CallResult result;
                    const double ns = median_ns(scene, frames, count == 1, [&](const BoxScene& now) {
                        result = broad.find_pairs({.bounds = now.bounds, .moving = now.moving}, list);
                    });
                    test::require(result);
                    print(name, boxes, motion.name, fmt::format("abut, {} thread{}", count, count == 1 ? "" : "s"), ns,
                          list.pairs.size());
                }
                if (options.no_rivals) continue;
                const std::vector<std::uint32_t> moved = moved_boxes(scene);
                for (const auto& make : {make_bullet_tree, make_bullet_sweep, make_fcl_tree}) {
                    if (make == make_bullet_sweep && boxes > sweep_limit) continue;
                    const std::unique_ptr<BroadRival> rival = make(scene);
                    std::size_t pairs = 0;
                    const double ns =
                        median_ns(scene, frames, true, [&](const BoxScene& now) { pairs = rival->run(now, moved); });
                    print(name, boxes, motion.name, rival->name(), ns, pairs);
                }
            }
    return 0;
}
