// abut_ray_table: nanoseconds per ray, and per point near a mesh, beside Bullet and Embree.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <abut/narrow_phase.hpp>

#include "queries/rays/rivals.hpp"
#include "support/beside_rivals.hpp"

using namespace abut;

namespace {

struct Timed {
    std::string name;
    double ns = INFINITY;
    std::vector<double> answers;  // fractions of rays, distances of points
};

template <class Call>
void time(Timed& timed, std::size_t rays, const Call& call) {
    timed.ns = std::min(timed.ns, 1e9 * test::seconds_of(call) / double(rays));
}

enum class Asked { rays, points };

// Shapes of a row, or "meshN", "roundedN", "pointsN".
rays::RayScene make_scene(const std::string& row, std::size_t rays, Asked& asked) {
    const auto triangles = [&](std::size_t prefix) { return std::stoul(row.substr(prefix)); };
    asked = row.rfind("points", 0) == 0 ? Asked::points : Asked::rays;
    if (asked == Asked::points) return rays::make_mesh_points(triangles(6), rays, 3);
    if (row.rfind("rounded", 0) == 0) return rays::make_mesh_rays(triangles(7), rays, 3, 0.01f);
    return row.rfind("mesh", 0) == 0 ? rays::make_mesh_rays(triangles(4), rays, 3) : rays::make_row_rays(row, rays, 3);
}

std::vector<std::unique_ptr<rays::RayRival>> make_rivals(const rays::RayScene& scene, Asked asked) {
    std::vector<std::unique_ptr<rays::RayRival>> rivals;
    if (asked == Asked::rays) rivals.push_back(rays::make_bullet(scene));
#if defined(ABUT_HAS_EMBREE)
    using enum rays::EmbreeQuery;
    if (asked == Asked::points) rivals.push_back(rays::make_embree(scene, points));
    if (asked == Asked::rays)
        for (const rays::EmbreeQuery query : {single, packets}) rivals.push_back(rays::make_embree(scene, query));
#endif
    std::erase(rivals, nullptr);
    return rivals;
}

struct AbutCall {
    NarrowPhase narrow;
    RayHits hits;
    PointDistances distances;

    CallResult run(const rays::RayScene& scene, Asked asked) {
        return asked == Asked::rays ? narrow.raycast(scene.frame(), scene.rays(), hits)
                                    : narrow.measure(scene.frame(), {.positions = scene.origins}, distances);
    }
    double answer(std::size_t i, Asked asked) const {
        return asked == Asked::points ? double(distances.signed_distance[i]) : hits.hit(i) ? hits.fraction[i] : 2.0;
    }
};

}  // namespace

int main(int argc, char** argv) {
    abut::tools::CommandLine app(
        "Nanoseconds per ray or point on one thread, beside Bullet and Embree, in interleaved rounds; and whose "
        "answers differ from abut's.\n\n"
        "Examples:\n"
        "  abut_ray_table\n"
        "  abut_ray_table --rows box,hull32,mesh100000,points100000 --rays 65536 --isa avx2\n");
    std::vector<std::string> rows = {"sphere",      "capsule",    "box",          "hull8",        "hull32",
                                     "cylinder",    "cone",       "ellipsoid",    "mesh1000",     "mesh100000",
                                     "mesh1000000", "points1000", "points100000", "points1000000"};
    std::size_t rays = 16384;
    int rounds = 7;
    test::RivalOptions options;
    app.add("--rows", rows,
            "shapes of the rows of abut_table; meshN: rays at a mesh of N triangles; roundedN: at one with a "
            "rounding of 1%; pointsN: points near one")
        .comma_separated()
        .show_default();
    app.add("--rays", rays, "or points, per row").show_default();
    app.add("--rounds", rounds, "of which the fastest counts").show_default();
    options.add_to(app);
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;
    AbutCall abut = {NarrowPhase({.threads = 1, .isa = options.isa()}), {}, {}};
    fmt::print("{:<14} {:<22} {:>9} {:>8} {:>8}\n", "row", "library", "ns", "hits", "differ");
    for (const std::string& row : rows) {
        Asked asked;
        const rays::RayScene scene = make_scene(row, rays, asked);
        const auto rivals = options.no_rivals || row.rfind("rounded", 0) == 0 ? decltype(make_rivals(scene, asked)){}
                                                                              : make_rivals(scene, asked);
        std::vector<Timed> all(1 + rivals.size());
        all[0].name = "abut";
        CallResult result;
        for (int round = 0; round < rounds; ++round) {
            time(all[0], rays, [&] { result = abut.run(scene, asked); });
            for (std::size_t i = 0; i < rivals.size(); ++i) {
                all[i + 1].name = rivals[i]->name();
                all[i + 1].answers.resize(rays);
                time(all[i + 1], rays, [&] { rivals[i]->run(all[i + 1].answers); });
            }
        }
        test::require(result);
        for (std::size_t i = 0; i < rays; ++i) all[0].answers.push_back(abut.answer(i, asked));
        // Meshes of points have the size 1.
        const double allowed = asked == Asked::points ? 1e-5 : 1e-3;
        for (const Timed& timed : all) {
            std::size_t met = 0, differ = 0;
            for (std::size_t i = 0; i < rays; ++i) {
                met += timed.answers[i] <= 1;
                differ += std::fabs(timed.answers[i] - all[0].answers[i]) > allowed;
            }
            fmt::print("{:<14} {:<22} {:>9.1f} {:>8} {:>8}\n", row, timed.name, timed.ns, met, differ);
        }
        std::fflush(stdout);
    }
    return 0;
}
