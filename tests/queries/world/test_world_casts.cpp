// Casts against a whole world have the bits of `cast` on the list of all pairs.
#include "queries/world/world_scenes.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstring>

#include "support/judge.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using namespace abut::worlds;

namespace {

template <class T>
bool same(const std::vector<T>& x, const std::vector<T>& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}
bool same_bits(const WorldCasts& x, const WorldCasts& y) {
    return same(x.body, y.body) && same(x.time, y.time) && same(x.signed_distance, y.signed_distance) &&
           same(x.normal, y.normal) && same(x.point_a, y.point_a) && same(x.point_b, y.point_b) &&
           same(x.child_a, y.child_a) && same(x.child_b, y.child_b);
}

struct Moving {
    std::vector<Body> shapes;
    std::vector<std::vector<Body>> ends;
    std::vector<Bodies> all_ends;
    std::vector<Vec3> centers;

    Motions motions() const { return {.ends = all_ends, .centers = centers}; }
};

// Every fourth one at rest, every third one without rotation.
Moving make_moving(const Scene& scene, std::size_t count, double half, std::size_t parts, std::uint64_t seed) {
    Moving moving;
    scenes::Random random(seed);
    const auto somewhere = [&](double by) {
        const float x = float(random.uniform(-by, by)), y = float(random.uniform(-by, by)),
                    z = float(random.uniform(-by, by));
        return Vec3{x, y, z};
    };
    for (std::size_t i = 0; i < count; ++i) {
        const ShapeId shape = scene.convex[random.below(std::uint32_t(scene.convex.size()))];
        const Vec3 position = somewhere(half);
        moving.shapes.push_back({position, shape, random.orientation()});
        moving.centers.push_back(somewhere(0.5));
    }
    for (std::size_t part = 0; part < parts; ++part) {
        std::vector<Body> ends = part == 0 ? moving.shapes : moving.ends.back();
        for (std::size_t i = 0; i < count; ++i) {
            if (i % 4 == 0) continue;
            const Vec3 by = somewhere(half);
            Body& end = ends[i];
            end.position = {end.position.x + by.x, end.position.y + by.y, end.position.z + by.z};
            if (i % 3 != 0) end.orientation = random.orientation();
        }
        moving.ends.push_back(ends);
    }
    for (const std::vector<Body>& ends : moving.ends) moving.all_ends.push_back(ends);
    return moving;
}

WorldCasts by_pairs(const Scene& scene, const Moving& moving, const WorldCastOptions& options) {
    const std::size_t count = moving.shapes.size();
    const auto joined = [&](const std::vector<Body>& first) {
        std::vector<Body> bodies = first;
        bodies.insert(bodies.end(), scene.bodies.begin(), scene.bodies.end());
        return bodies;
    };
    std::vector<Pair> pairs = all_pairs(count, scene.bodies.size());
    for (Pair& pair : pairs) pair.b += std::uint32_t(count);
    const std::vector<Body> bodies = joined(moving.shapes);
    std::vector<std::vector<Body>> ends;
    for (const std::vector<Body>& part : moving.ends) ends.push_back(joined(part));
    std::vector<Bodies> all_ends(ends.begin(), ends.end());
    std::vector<Vec3> centers = moving.centers;
    centers.resize(bodies.size());
    NarrowPhase narrow;
    Casts casts;
    REQUIRE(narrow.cast({&scene.shapes, bodies, pairs}, {.ends = all_ends, .centers = centers}, casts,
                        {.target = options.target,
                         .tolerance = options.tolerance,
                         .start = options.start,
                         .reduction = CastReduction::first_of_body,
                         .sides = options.sides}));
    WorldCasts out;
    out.body.assign(count, kNoBody), out.time.assign(count, 1.0);
    out.signed_distance.assign(count, INFINITY);
    out.normal.assign(count, {}), out.point_a.assign(count, {}), out.point_b.assign(count, {});
    out.child_a.assign(count, 0), out.child_b.assign(count, 0);
    for (const std::uint32_t hit : casts.hits) {
        const std::uint32_t i = pairs[hit].a;
        out.body[i] = pairs[hit].b - std::uint32_t(count), out.time[i] = casts.time[hit];
        out.signed_distance[i] = casts.signed_distance[hit], out.normal[i] = casts.normal[hit];
        out.point_a[i] = casts.point_a[hit], out.point_b[i] = casts.point_b[hit];
        out.child_a[i] = casts.child_a[hit], out.child_b[i] = casts.child_b[hit];
    }
    return out;
}

std::size_t hits_in(const WorldCasts& casts) {
    return std::size_t(std::count_if(casts.body.begin(), casts.body.end(), [](auto b) { return b != kNoBody; }));
}

}  // namespace

TEST_CASE("world casts: the first hit is that of all pairs", "[world]") {
    Scene scene;
    make_crowd(scene, 500, 8, 31);
    for (const std::size_t parts : {std::size_t(1), std::size_t(3)}) {
        const Moving moving = make_moving(scene, 60, 6, parts, 32);
        for (const WorldCastOptions& options :
             {WorldCastOptions{}, WorldCastOptions{.target = 0.125f, .start = CastStart::ignore},
              WorldCastOptions{.tolerance = 1e-3f, .start = CastStart::closing_only, .sides = QuerySides::both}}) {
            const WorldCasts expected = by_pairs(scene, moving, options);
            CHECK(hits_in(expected) > 25);
            CHECK(hits_in(expected) < 60);
            for (const unsigned threads : {1u, 7u}) {
                NarrowPhase narrow({.threads = threads});
                WorldCasts found;
                REQUIRE(narrow.cast(scene.world(), moving.shapes, moving.motions(), found, options));
                CHECK(same_bits(found, expected));
            }
        }
    }
}

TEST_CASE("world casts: a motion along faces of a grid loses no pair", "[world]") {
    Scene scene;
    make_grid(scene, 4);
    Moving moving;
    scenes::Random random(33);
    std::vector<Body> ends;
    for (std::size_t i = 0; i < 120; ++i) {
        float at[3];
        for (float& x : at) x = 0.5f * float(random.below(9)) + (random.below(3) == 0 ? 1e-6f : 0.0f);
        const std::uint32_t axis = random.below(3);
        at[axis] = -2.0f;
        Body body = {{at[0], at[1], at[2]}, scene.convex[random.below(3)], {}};
        moving.shapes.push_back(body);
        (axis == 0 ? body.position.x : axis == 1 ? body.position.y : body.position.z) = 6.0f;
        ends.push_back(body);
    }
    moving.ends = {ends}, moving.all_ends = {moving.ends[0]};
    NarrowPhase narrow;
    WorldCasts found;
    REQUIRE(narrow.cast(scene.world(), moving.shapes, moving.motions(), found));
    CHECK(same_bits(found, by_pairs(scene, moving, {})));
    CHECK(hits_in(found) > 80);
}

TEST_CASE("world casts: a path meets what is beside the line to its end", "[world]") {
    Scene scene;
    const auto ball = scene.shapes.add_sphere(0.5f);
    REQUIRE(ball);
    for (int i = 0; i < 40; ++i) scene.bodies.push_back({{10, 0, 4 * float(i)}, *ball, {}});
    scene.build();
    Moving moving;
    std::vector<Body> corner, ends;
    for (int i = 0; i < 40; ++i) {
        const float z = 4 * float(i);
        moving.shapes.push_back({{0, 10, z}, *ball, {}});
        corner.push_back({{10, 10, z}, *ball, {}}), ends.push_back({{10, -10, z}, *ball, {}});
    }
    moving.ends = {corner, ends}, moving.all_ends = {moving.ends[0], moving.ends[1]};
    NarrowPhase narrow;
    WorldCasts found;
    REQUIRE(narrow.cast(scene.world(), moving.shapes, moving.motions(), found));
    CHECK(same_bits(found, by_pairs(scene, moving, {})));
    CHECK(hits_in(found) == 40);
}

TEST_CASE("world casts: a body passes within the target, another one lies on the arc of a rotation", "[world]") {
    Scene scene;
    const auto ball = scene.shapes.add_sphere(0.5f);
    REQUIRE(ball);
    // A ball passes the first body at 0.125 m. Another one rotates by half a turn about a point 3 m beside it, over the
    // second body.
    scene.bodies = {{{0, 0, 0}, *ball, {}}, {{20, 3, 0}, *ball, {}}};
    scene.build();
    Moving moving;
    moving.shapes = {{{-4, 1.125f, 0}, *ball, {}}, {{17, 0, 0}, *ball, {}}};
    moving.ends = {{{{4, 1.125f, 0}, *ball, {}}, {{23, 0, 0}, *ball, {0, 0, -1, 0}}}};
    moving.all_ends = {moving.ends[0]};
    moving.centers = {{0, 0, 0}, {3, 0, 0}};
    NarrowPhase narrow;
    for (const float target : {0.0f, 0.25f}) {
        WorldCasts found;
        REQUIRE(narrow.cast(scene.world(), moving.shapes, moving.motions(), found, {.target = target}));
        CHECK(same_bits(found, by_pairs(scene, moving, {.target = target})));
        CHECK(found.body == std::vector<std::uint32_t>{target > 0 ? 0u : kNoBody, 1u});
    }
}

TEST_CASE("world casts: filters and bad shapes", "[world]") {
    Scene scene;
    make_crowd(scene, 600, 6, 34, false);
    Moving moving = make_moving(scene, 50, 6, 1, 35);
    moving.shapes[3].shape = ShapeId(), moving.shapes[4].position.x = NAN;
    moving.ends[0][5].orientation = {0, 0, 0, 0};
    moving.all_ends = {moving.ends[0]};
    NarrowPhase narrow;
    WorldCasts found, others;
    REQUIRE(narrow.cast(scene.world(), moving.shapes, moving.motions(), found));
    CHECK(found.status[3] == Status::bad_index);
    CHECK(found.status[4] == Status::bad_pose);
    CHECK(found.status[5] == Status::bad_pose);
    for (const std::size_t bad : {3, 4, 5}) {
        CHECK(found.body[bad] == kNoBody);
        CHECK(found.time[bad] == 0.0);
    }
    REQUIRE(narrow.cast(scene.world(), moving.shapes, moving.motions(), others, {.filter = {.ignored = found.body}}));
    std::size_t hits = 0;
    for (std::size_t i = 0; i < 50; ++i) {
        if (found.body[i] == kNoBody) continue;
        ++hits;
        CHECK(others.body[i] != found.body[i]);
        CHECK(others.time[i] >= found.time[i]);
    }
    CHECK(hits > 20);
    const std::vector<std::uint32_t> none(50, 0);
    REQUIRE(narrow.cast(scene.world(), moving.shapes, moving.motions(), others, {.filter = {.masks = none}}));
    CHECK(hits_in(others) == 0);
}
