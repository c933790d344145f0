// abut_ray_table: nanoseconds per ray beside Bullet and Embree.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <abut/narrow_phase.hpp>

#include "beside_rivals.hpp"
#include "rays/rivals.hpp"

using namespace abut;

namespace {

struct Timed {
    std::string name;
    double ns = INFINITY;
    std::vector<double> fractions;
};

template <class Call>
void time(Timed& timed, std::size_t rays, const Call& call) {
    timed.ns = std::min(timed.ns, 1e9 * test::seconds_of(call) / double(rays));
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app(
        "Nanoseconds per ray on one thread, beside Bullet and Embree, in interleaved rounds; and whose hits differ from abut's.\n\nExamples:\n"
        "  abut_ray_table\n"
        "  abut_ray_table --rows box,hull32,mesh100000 --rays 65536 --isa avx2\n");
    std::vector<std::string> rows = {"sphere", "capsule",   "box",      "hull8",      "hull32",     "cylinder",
                                     "cone",   "ellipsoid", "mesh1000", "mesh100000", "mesh1000000"};
    std::size_t rays = 16384;
    int rounds = 7;
    test::RivalOptions options;
    app.add_option("--rows", rows, "shapes of the rows of abut_table, or meshN: a mesh of N triangles")->delimiter(',')->capture_default_str();
    app.add_option("--rays", rays, "per row")->capture_default_str();
    app.add_option("--rounds", rounds, "of which the fastest counts")->capture_default_str();
    options.add_to(app);
    CLI11_PARSE(app, argc, argv);
    NarrowPhase narrow({.threads = 1, .isa = options.isa});
    fmt::print("{:<14} {:<22} {:>9} {:>8} {:>8}\n", "row", "library", "ns", "hits", "differ");
    for (const std::string& row : rows) {
        const bool is_mesh = row.rfind("mesh", 0) == 0;
        const rays::RayScene scene = is_mesh ? rays::make_mesh_rays(std::stoul(row.substr(4)), rays, 3) : rays::make_row_rays(row, rays, 3);
        std::vector<std::unique_ptr<rays::RayRival>> rivals;
        if (!options.no_rivals) {
            rivals.push_back(rays::make_bullet(scene));
#if defined(ABUT_HAS_EMBREE)
            for (const bool packets : {false, true}) rivals.push_back(rays::make_embree(scene, packets));
#endif
        }
        std::erase(rivals, nullptr);
        std::vector<Timed> all(1 + rivals.size());
        all[0].name = "abut";
        RayHits hits;
        CallResult result;
        for (int round = 0; round < rounds; ++round) {
            time(all[0], rays, [&] { result = narrow.raycast(scene.frame(), scene.rays(), hits); });
            for (std::size_t i = 0; i < rivals.size(); ++i) {
                all[i + 1].name = rivals[i]->name();
                all[i + 1].fractions.resize(rays);
                time(all[i + 1], rays, [&] { rivals[i]->run(all[i + 1].fractions); });
            }
        }
        test::require(result);
        for (std::size_t i = 0; i < rays; ++i) all[0].fractions.push_back(hits.hit(i) ? hits.fraction[i] : 2.0);
        for (const Timed& timed : all) {
            std::size_t met = 0, differ = 0;
            for (std::size_t i = 0; i < rays; ++i) {
                met += timed.fractions[i] <= 1;
                differ += std::fabs(timed.fractions[i] - all[0].fractions[i]) > 1e-3;
            }
            fmt::print("{:<14} {:<22} {:>9.1f} {:>8} {:>8}\n", row, timed.name, timed.ns, met, differ);
        }
        std::fflush(stdout);
    }
    return 0;
}
