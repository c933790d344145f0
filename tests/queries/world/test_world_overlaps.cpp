// Overlaps of shapes with a whole world are those of `overlap` on the list of all pairs.
#include "queries/world/world_scenes.hpp"
#include "support/catch.hpp"

#include <cmath>

#include "support/judge.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using namespace abut::worlds;

namespace {

// The definition. `sees`: which bodies.
template <class Sees>
std::vector<Pair> by_pairs(const Scene& scene, const std::vector<Body>& shapes, const Sees& sees) {
    std::vector<Body> bodies = shapes;
    bodies.insert(bodies.end(), scene.bodies.begin(), scene.bodies.end());
    std::vector<Pair> pairs = all_pairs(shapes.size(), scene.bodies.size()), found;
    for (Pair& pair : pairs) pair.b += std::uint32_t(shapes.size());
    NarrowPhase narrow;
    Overlaps overlaps;
    REQUIRE(narrow.overlap({&scene.shapes, bodies, pairs}, overlaps));
    for (const std::uint32_t hit : overlaps.hits) {
        const Pair pair = {pairs[hit].a, pairs[hit].b - std::uint32_t(shapes.size())};
        if (sees(pair.a, pair.b)) found.push_back(pair);
    }
    return found;
}
std::vector<Pair> by_pairs(const Scene& scene, const std::vector<Body>& shapes) {
    return by_pairs(scene, shapes, [](std::uint32_t, std::uint32_t) { return true; });
}

std::vector<Body> make_shapes(const Scene& scene, std::size_t count, double half, std::uint64_t seed) {
    std::vector<Body> shapes;
    scenes::Random random(seed);
    for (std::size_t i = 0; i < count; ++i) {
        const ShapeId shape = scene.all[random.below(std::uint32_t(scene.all.size()))];
        const float x = float(random.uniform(-half, half)), y = float(random.uniform(-half, half)),
                    z = float(random.uniform(-half, half));
        shapes.push_back({{x, y, z}, shape, random.orientation()});
    }
    return shapes;
}

}  // namespace

TEST_CASE("world overlaps: the pairs are those of the definition", "[world]") {
    for (const bool has_poses : {false, true}) {
        Scene scene;
        make_crowd(scene, 800, 7, 21, true, has_poses);
        const std::vector<Body> shapes = make_shapes(scene, 200, 7, 22);
        const std::vector<Pair> expected = by_pairs(scene, shapes);
        CHECK(expected.size() > 100);
        for (const Isa isa : test::usable_isas())
            for (const unsigned threads : {1u, 2u, 7u}) {
                NarrowPhase narrow({.threads = threads, .isa = isa});
                WorldOverlaps found;
                REQUIRE(narrow.overlap(scene.world(), shapes, found));
                CHECK(found.pairs == expected);
                CHECK(found.status.size() == shapes.size());
            }
    }
}

TEST_CASE("world overlaps: shapes that touch bodies exactly, or almost", "[world]") {
    Scene scene;
    make_grid(scene, 4);
    std::vector<Body> shapes;
    scenes::Random random(23);
    for (int i = 0; i < 2000; ++i) {
        float at[3];
        for (float& x : at) {
            x = 0.5f * float(random.below(9));
            const std::uint32_t beside = random.below(4);
            if (beside == 0) x = std::nextafter(x, -1.0f);
            if (beside == 1) x += float(random.uniform(-1e-6, 1e-6));
        }
        shapes.push_back({{at[0], at[1], at[2]}, scene.all[random.below(std::uint32_t(scene.all.size()))], {}});
    }
    NarrowPhase narrow;
    WorldOverlaps found;
    REQUIRE(narrow.overlap(scene.world(), shapes, found));
    CHECK(found.pairs == by_pairs(scene, shapes));
    CHECK(found.pairs.size() > 5000);
}

TEST_CASE("world overlaps: filters hide bodies, bad shapes have a status", "[world]") {
    Scene scene;
    make_crowd(scene, 800, 6, 24, false);
    std::vector<Body> shapes = make_shapes(scene, 200, 6, 25);
    std::vector<std::uint32_t> groups, masks(200, 1), ignored(200, kNoBody);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) groups.push_back(1 + std::uint32_t(i % 3));
    scene.build({.bounds = {}, .groups = groups});
    const std::vector<Pair> all = by_pairs(scene, shapes);
    ignored[all[0].a] = all[0].b;
    shapes[7].shape = ShapeId(), shapes[8].orientation = {0, 0, 0, 0}, shapes[9].position.y = INFINITY;
    NarrowPhase narrow;
    WorldOverlaps found;
    REQUIRE(narrow.overlap(scene.world(), shapes, found, {.masks = masks, .ignored = ignored}));
    CHECK(found.pairs == by_pairs(scene, shapes, [&](std::uint32_t shape, std::uint32_t body) {
              return (groups[body] & 1) != 0 && ignored[shape] != body;
          }));
    CHECK(found.pairs.size() > 20);
    CHECK(found.pairs.size() < all.size());
    CHECK(found.status[7] == Status::bad_index);
    CHECK(found.status[8] == Status::bad_pose);
    CHECK(found.status[9] == Status::bad_pose);
    CHECK(found.status[10] == Status::ok);
    // Columns of the caller: as many pairs as fit, and their number.
    std::vector<Pair> room(5);
    WorldOverlapColumns columns = {.pairs = room};
    REQUIRE(narrow.overlap(scene.world(), shapes, columns, {.masks = masks, .ignored = ignored}));
    CHECK(columns.pair_count == found.pairs.size());
    CHECK(std::equal(room.begin(), room.end(), found.pairs.begin()));
}
