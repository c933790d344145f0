// The instrument itself: bodies at rest are at rest.
#include "support/catch.hpp"

#include <cmath>

#include "surfaces/contacts/resting.hpp"

using namespace abut;
using namespace abut::ground;

TEST_CASE("ground: a settled body touches on all sides of its centre and overlaps nothing", "[ground]") {
    Random random(15);
    NarrowPhase narrow({.executor = serial_executor()});
    std::size_t rests = 0, tried = 0;
    for (int round = 0; round < 60; ++round) {
        for (const UnevenGround& ground : uneven_grounds()) {
            const Kind kinds[] = {Kind::box, Kind::plank, Kind::prism, Kind::hull};
            ShapeStore store;
            const double longest = std::pow(10.0, random.uniform(-1, 0));
            const Mover mover = make_mover(store, random, kinds[random.below(4)], longest);
            Terrain terrain = ground.make(random, {1.3 * mover.reach, {}});
            terrain.body.shape = terrain.add(store);
            ++tried;
            const std::optional<Rest> rest = settle(terrain, Level(terrain), mover, random, 0);
            if (!rest) continue;
            ++rests;
            CAPTURE(ground.name, describe(mover, rest->body));
            const double rounding = 1e-6 * (1 + mover.reach);
            CHECK(distance_to_hull(near_touches(*rest, rounding), {rest->centre.x, rest->centre.z}) <= rounding);
            // The library finds distances to meshes by another way. It knows nothing of which triangles are the ground.
            Distances distance;
            const Body bodies[2] = {rest->body, terrain.body};
            const Pair pairs[1] = {{0, 1}};
            REQUIRE(narrow.distance({&store, bodies, pairs}, distance));
            CHECK(std::fabs(double(distance.signed_distance[0])) <= 2 * rounding);
        }
    }
    CHECK(rests > tried * 9 / 10);
}

TEST_CASE("ground: a hull of points knows its distances", "[ground]") {
    const oracle::Loop square = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, 0.5}};
    CHECK(depth_in_hull(square, {0.5, 0.4}) == Approx(0.4));
    CHECK(distance_to_hull(square, {0.5, 0.4}) == 0);
    CHECK(distance_to_hull(square, {2, 2}) == Approx(std::sqrt(2.0)));
    CHECK(distance_to_hull({{0, 0}, {1, 0}}, {0.5, 1}) == Approx(1));
    CHECK(distance_to_hull({{0, 0}}, {3, 4}) == Approx(5));
    CHECK(std::isinf(distance_to_hull({}, {0, 0})));
    CHECK(left_by_best_four(square) == 0);
    oracle::Loop circle;
    for (int i = 0; i < 8; ++i) circle.push_back({std::cos(0.785398163397448 * i), std::sin(0.785398163397448 * i)});
    CHECK(left_by_best_four(circle) == Approx(1 - std::sqrt(0.5)));
}
