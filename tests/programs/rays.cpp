// abut_rays: random and hard rays of every kind of shape, judged by the oracle; points inside and outside closed
// meshes.
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include <abut/narrow_phase.hpp>

#include "arguments.hpp"
#include "queries/rays/insides.hpp"
#include "queries/rays/rays.hpp"

using namespace abut;

namespace {

constexpr ShapeKind kKinds[] = {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box,       ShapeKind::cylinder,
                                ShapeKind::cone,   ShapeKind::hull,    ShapeKind::ellipsoid, ShapeKind::halfspace};

}  // namespace

int main(int argc, char** argv) {
    abut::tools::CommandLine app(
        "Casts random and hard rays at every kind of shape and judges the answers by the oracle. Then measures points "
        "in and near closed meshes.\n\n"
        "Examples:\n"
        "  abut_rays                   10,000 rays of each kind, a tenth of them hard, and 10,000 points of each mesh\n"
        "  abut_rays --rays 1000000 --points 150000\n"
        "  abut_rays --kind box --seed 7 --hard\n");
    std::size_t rays = 10000, points = 10000;
    std::uint64_t seed = 1;
    std::string only;
    bool all_hard = false;
    app.add("--rays", rays, "rays of each kind").show_default();
    app.add("--points", points, "points of each closed mesh").show_default();
    app.add("--seed", seed, "of the random rays").show_default();
    app.add("--kind", only, "one kind of shape alone, or closed: the meshes");
    app.add_flag("--hard", all_hard, "hard rays alone");
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;

    NarrowPhase narrow;
    std::size_t wrong = 0;
    bool found = false;
    fmt::print("{:<12} {:>8} {:>8} {:>8} {:>8}\n", "kind", "rays", "hits", "inside", "wrong");
    for (const ShapeKind kind : kKinds) {
        if (!only.empty() && only != to_string(kind)) continue;
        found = true;
        rays::Tally tally;
        for (const bool hard : {false, true}) {
            const std::size_t some =
                hard ? (all_hard ? rays : (rays + 9) / 10) : (all_hard ? 0 : rays - (rays + 9) / 10);
            if (some == 0) continue;
            const rays::RayScene scene = rays::make_rays(kind, some, seed, hard);
            RayHits hits;
            if (const CallResult result = narrow.raycast(scene.frame(), scene.rays(), hits); !result) {
                fmt::print(stderr, "abut_rays: {}\n", result.error().message.c_str());
                return 2;
            }
            const rays::Tally part = rays::judge(scene, hits);
            tally.rays += part.rays, tally.hits += part.hits, tally.starts += part.starts, tally.wrong += part.wrong;
            for (const std::string& example : part.examples) tally.examples.push_back(example);
        }
        fmt::print("{:<12} {:>8} {:>8} {:>8} {:>8}\n", to_string(kind), tally.rays, tally.hits, tally.starts,
                   tally.wrong);
        for (const std::string& example : tally.examples) fmt::print("  {}\n", example);
        std::fflush(stdout);
        wrong += tally.wrong;
    }
    if (only.empty() || only == "closed") {
        found = true;
        for (const rays::Inside& subject : rays::make_insides()) {
            const rays::InsideTally tally = rays::judge_insides(subject, points, seed);
            fmt::print("{:<24} {:>8} points, {} inside, {} wrong{}\n", subject.name, points, tally.inside, tally.wrong,
                       tally.is_closed ? "" : ", not closed");
            std::fflush(stdout);
            wrong += tally.wrong + (tally.is_closed ? 0 : 1);
        }
    }
    if (!found) {
        fmt::print(stderr, "abut_rays: --kind {}: no such kind\n", only);
        return 2;
    }
    return wrong != 0;
}
