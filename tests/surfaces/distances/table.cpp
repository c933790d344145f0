// abut_surface_table: microseconds per pair of meshes beside FCL.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <abut/narrow_phase.hpp>

#include "support/beside_rivals.hpp"
#include "surfaces/distances/rivals.hpp"

using namespace abut;

namespace {

struct Timed {
    const char* name;
    double us = INFINITY;
    std::vector<double> answers;
};

template <class Call>
void time(Timed& timed, std::size_t pairs, const Call& call) {
    timed.us = std::min(timed.us, 1e6 * test::seconds_of(call) / double(pairs));
}

// Two balls with dents, of a radius of about 1, with so much room between them as a share of the radius; both in random
// orientations.
std::vector<Body> make_bodies(ShapeId first, ShapeId second, std::size_t pairs, double gap, std::uint64_t seed) {
    scenes::Random random(seed);
    std::vector<Body> bodies;
    for (std::size_t i = 0; i < pairs; ++i) {
        const oracle::Vec3d at = random.direction() * (2 + gap);
        bodies.push_back({{}, first, random.orientation()});
        bodies.push_back({{float(at.x), float(at.y), float(at.z)}, second, random.orientation()});
    }
    return bodies;
}

}  // namespace

int main(int argc, char** argv) {
    abut::tools::CommandLine app(
        "Microseconds per pair of meshes on one thread, beside FCL's BVHModel<OBBRSS>, in interleaved rounds; and how "
        "many answers "
        "differ.\n\nExamples:\n"
        "  abut_surface_table\n"
        "  abut_surface_table --triangles 1000,1000000 --gaps=-0.5,0.01,1 --isa avx2\n");
    std::vector<std::size_t> triangles = {1000, 10000, 100000, 1000000};
    std::vector<double> gaps = {-0.5, -0.02, 0.0, 0.01, 0.1, 1.0};
    std::size_t pairs = 64;
    int rounds = 5;
    test::RivalOptions options;
    app.add("--triangles", triangles, "of each mesh").comma_separated().show_default();
    app.add("--gaps", gaps, "between two balls of radius 1 without their dents").comma_separated().show_default();
    app.add("--pairs", pairs, "per row").show_default();
    app.add("--rounds", rounds, "of which the fastest counts").show_default();
    options.add_to(app);
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;
    NarrowPhase narrow({.threads = 1, .isa = options.isa()});
    fmt::print("{:<10} {:>9} {:>6} {:>10} {:>10} {:>7} {:>7} {:>7}\n", "query", "triangles", "gap", "abut us", "FCL us",
               "ratio", "hits", "differ");
    for (const std::size_t count : triangles) {
        const auto rings = std::uint32_t(std::max(3.0, std::sqrt(double(count) / 4)));
        scenes::Random random(7);
        const surfaces::Mesh first = surfaces::ball(rings, 2 * rings, 1.0 / rings, random),
                             second = surfaces::ball(rings, 2 * rings, 1.0 / rings, random);
        ShapeStore store;
        const ShapeId ids[2] = {*store.add_mesh(first.vertices, first.triangles),
                                *store.add_mesh(second.vertices, second.triangles)};
        const std::unique_ptr<surfaces::SurfaceRival> rival =
            options.no_rivals ? nullptr : surfaces::make_fcl(first, second);
        std::vector<Pair> list;
        for (std::uint32_t i = 0; i < pairs; ++i) list.push_back({2 * i, 2 * i + 1});
        for (const double gap : gaps) {
            const std::vector<Body> bodies = make_bodies(ids[0], ids[1], pairs, gap, 3);
            const Frame frame = {.shapes = &store, .bodies = bodies, .pairs = list};
            for (const std::string query : {"overlap", "distance", "separation"}) {
                Timed ours{"abut", INFINITY, {}}, theirs{"FCL", INFINITY, std::vector<double>(pairs)};
                Overlaps overlaps;
                Distances distances;
                CallResult result;
                for (int round = 0; round < rounds; ++round) {
                    time(ours, pairs, [&] {
                        result = query == "overlap"
                                     ? narrow.overlap(frame, overlaps)
                                     : narrow.distance(frame, distances, {.separation_only = query == "separation"});
                    });
                    if (rival == nullptr) continue;
                    time(theirs, pairs, [&] {
                        query == "overlap" ? rival->overlap(bodies, theirs.answers)
                                           : rival->distance(bodies, theirs.answers);
                    });
                }
                test::require(result);
                std::size_t hits = 0, differ = 0;
                for (std::size_t i = 0; i < pairs; ++i) {
                    const double answer = query == "overlap" ? double(overlaps.hit(i))
                                                             : std::max(double(distances.signed_distance[i]), 0.0);
                    hits += query == "overlap" ? overlaps.hit(i) : answer == 0;
                    differ += std::fabs(answer - std::max(theirs.answers[i], 0.0)) > 1e-5;
                }
                fmt::print("{:<10} {:>9} {:>6} {:>10.2f} {:>10.2f} {:>7.1f} {:>7} {:>7}\n", query,
                           first.triangles.size(), gap, ours.us, theirs.us, theirs.us / ours.us, hits,
                           rival != nullptr ? differ : 0);
                std::fflush(stdout);
            }
        }
    }
    return 0;
}
