// Compounds of tiles in the plane: no contact has a normal that the union of the tiles does not have there.
#include <abut/d2.hpp>

#include <cmath>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "support/count.hpp"
#include "support/oracle_2d.hpp"

using namespace abut;

namespace {

struct Tiles {
    d2::ShapeStore shapes;
    std::vector<d2::CompoundChild> children;
    d2::NarrowPhase narrow;
    d2::Manifolds out;

    void add(d2::Vec2 centre, d2::Vec2 half) { children.push_back({*shapes.add_box(half), {centre, {}}}); }
    // The manifolds of the tiles, which are body 0 or 1, with a body.
    const std::vector<d2::Manifold>& meet(d2::ShapeId body, d2::Vec2 at, bool tiles_first = true, float turn = 0) {
        const auto tiles = *shapes.add_compound(children);
        const d2::Rot rotation = d2::rotation_of(turn);
        const d2::Vec2 placed = {rotation.c * at.x - rotation.s * at.y, rotation.s * at.x + rotation.c * at.y};
        const d2::Body bodies[] = {{{0, 0}, rotation, tiles}, {placed, rotation, body}};
        const Pair pair = tiles_first ? Pair{0, 1} : Pair{1, 0};
        REQUIRE(narrow.collide({&shapes, bodies, Strided<Pair>(&pair, 1)}, out));
        return out.manifolds;
    }
    bool has(d2::Vec2 normal) const {
        for (const d2::Manifold& m : out.manifolds)
            if (std::hypot(m.normal.x - normal.x, m.normal.y - normal.y) < 1e-5) return true;
        return false;
    }
};

}  // namespace

TEST_CASE("plane: seams: a level row of tiles has one normal", "[d2][steady]") {
    for (const float turn : {0.0f, 0.7f})
        for (const bool tiles_first : {true, false}) {
            Tiles tiles;  // some overlap
            for (int i = -5; i <= 5; ++i) tiles.add({0.7f * float(i), -0.25f}, {i % 2 == 0 ? 0.35f : 0.4f, 0.25f});
            const d2::Vec2 roof[] = {{0, 0.6f}, {-0.4f, -0.3f}, {0.4f, -0.3f}};
            const d2::ShapeId bodies[] = {*tiles.shapes.add_box({0.5f, 0.3f}), *tiles.shapes.add_circle(0.3f),
                                          *tiles.shapes.add_segment({-0.4f, 0}, {0.4f, 0}, 0.3f),
                                          *tiles.shapes.add_polygon(roof)};
            const d2::Rot rotation = d2::rotation_of(turn);
            const double sign = tiles_first ? 1 : -1;
            test::Count others, none, heights;
            for (const d2::ShapeId body : bodies)
                for (int i = 0; i <= 140; ++i)
                    for (const float height : {-0.05f, -0.004f, -1e-5f, 0.0f, 1e-5f, 0.004f}) {
                        const auto& all =
                            tiles.meet(body, {-0.7f + 0.01f * float(i), 0.3f + height}, tiles_first, turn);
                        none += all.empty();
                        float deepest = 1;
                        for (const d2::Manifold& m : all) {
                            others += std::hypot(m.normal.x + sign * rotation.s, m.normal.y - sign * rotation.c) > 1e-5;
                            deepest = std::min(deepest, m.contacts[0].separation);
                        }
                        heights += std::fabs(deepest - height) > 1e-5f;
                    }
            CHECK(others == 0);
            CHECK(none == 0);
            CHECK(heights == 0);
        }
}

TEST_CASE("plane: seams: walls, steps and ends keep their normals", "[d2][steady]") {
    Tiles tiles;
    for (int i = 0; i < 4; ++i) tiles.add({float(i), -0.5f}, {0.5f, 0.5f});
    tiles.add({4, 0.5f}, {0.5f, 0.5f}), tiles.add({4, -0.5f}, {0.5f, 0.5f});  // a wall, with a seam at the floor
    tiles.add({-1, -0.75f}, {0.5f, 0.25f});                                   // a step down
    const auto box = *tiles.shapes.add_box({0.5f, 0.3f}), small = *tiles.shapes.add_box({0.1f, 0.1f});
    tiles.meet(box, {3.001f, 0.2995f});
    CHECK(tiles.has({1, 0}) == false);
    CHECK(tiles.has({-1, 0}));  // the wall
    CHECK(tiles.has({0, 1}));   // the floor
    tiles.meet(small, {-0.595f, -0.401f});
    CHECK(tiles.has({-1, 0}));  // the step
    CHECK(tiles.has({0, 1}));
    tiles.meet(small, {-0.595f, 0.05f});
    CHECK(tiles.has({-1, 0}));  // the end of the floor, above the step
    // A corner in the corner of the step.
    const d2::Vec2 tip[] = {{0, 0}, {-0.2f, 1}, {-1, 1}, {-1, 0.2f}};
    tiles.meet(*tiles.shapes.add_polygon(tip), {-0.499f, -0.5005f});
    CHECK(tiles.has({-1, 0}));
    CHECK(tiles.has({0, 1}));
    // Deep on a seam: up by the whole depth, although each tile alone would push it aside.
    tiles.meet(small, {1.5f, -0.1f});
    REQUIRE(!tiles.out.manifolds.empty());
    for (const d2::Manifold& m : tiles.out.manifolds) {
        CHECK(m.normal == d2::Vec2{0, 1});
        CHECK(m.contacts[0].separation == Approx(-0.2));
    }
}

TEST_CASE("plane: seams: a body inside a block of tiles has contacts", "[d2][steady]") {
    Tiles tiles;
    for (int x = -1; x <= 1; ++x)
        for (int y = -1; y <= 1; ++y) tiles.add({float(x), float(y)}, {0.5f, 0.5f});
    CHECK(tiles.meet(*tiles.shapes.add_box({0.1f, 0.1f}), {0.1f, 0.2f}).size() == 1);
}

TEST_CASE("plane: seams: five tiles have the deepest contact of one box", "[d2][right]") {
    Settings settings;
    settings.contact_slack = 0;
    d2::NarrowPhase narrow(settings);
    d2::ShapeStore shapes;
    std::vector<d2::CompoundChild> children;
    for (int i = -2; i <= 2; ++i) children.push_back({*shapes.add_box({0.35f, 0.25f}), {{0.7f * float(i), 0}, {}}});
    const auto tiles = *shapes.add_compound(children), one = *shapes.add_box({5 * 0.35f, 0.25f});
    const d2::Vec2 corners[] = {{0, 0.5f}, {-0.4f, -0.3f}, {0.5f, -0.2f}};
    const d2::ShapeId others[] = {*shapes.add_box({0.5f, 0.3f}), *shapes.add_circle(0.3f),
                                  *shapes.add_segment({-0.4f, 0}, {0.4f, 0}, 0.1f), *shapes.add_polygon(corners),
                                  *shapes.add_box({0.05f, 0.05f})};
    std::mt19937 random(1);
    const auto in = [&](double low, double high) {
        return float(low + (high - low) * (double(random()) / 4294967296.0));
    };
    test::Count none, depths, normals, further;
    const Pair pair = {0, 1};
    for (int i = 0; i < 20000; ++i) {
        const float most = i % 3 == 0 ? 3.14f : i % 3 == 1 ? 0.0f : 0.01f, wanted = in(-0.03, 0.018);
        const d2::Rot rotation = d2::rotation_of(in(-most, most));
        const float x = in(-2.3, 2.3), y = in(-0.9, 0.9);
        d2::Body bodies[] = {{{0, 0}, {}, one}, {{x, y}, rotation, others[i % 5]}};
        const d2::Frame frame = {&shapes, bodies, Strided<Pair>(&pair, 1)};
        d2::Distances distances;
        d2::Manifolds of_one, of_tiles;
        REQUIRE(narrow.distance(frame, distances));
        const float move = wanted - distances.signed_distance[0];
        bodies[1].position.x += move * distances.normal[0].x, bodies[1].position.y += move * distances.normal[0].y;
        REQUIRE(narrow.collide(frame, of_one));
        bodies[0].shape = tiles;
        REQUIRE(narrow.collide(frame, of_tiles));
        if (of_one.manifolds.empty()) continue;
        none += of_tiles.manifolds.empty();
        const d2::Manifold *expected = &of_one.manifolds[0], *deepest = nullptr;
        for (const d2::Manifold& m : of_tiles.manifolds) {
            if (deepest == nullptr || m.contacts[0].separation < deepest->contacts[0].separation) deepest = &m;
            further += std::hypot(m.normal.x - expected->normal.x, m.normal.y - expected->normal.y) > 1e-3;
        }
        if (deepest == nullptr) continue;
        depths += std::fabs(deepest->contacts[0].separation - expected->contacts[0].separation) > 1e-5f;
        normals += std::hypot(deepest->normal.x - expected->normal.x, deepest->normal.y - expected->normal.y) > 1e-3;
    }
    CHECK(none == 0);
    CHECK(depths == 0);
    CHECK(normals <= 2);    // of corners that touch corners
    CHECK(further <= 150);  // a face of the body at the end of the row, and a face of the next tile
}

TEST_CASE("plane: seams: contacts on a chain that bends a little lie on both surfaces", "[d2][right]") {
    test::Count off, joined;
    for (int k = 0; k < 600; ++k) {
        const float bend = 1e-3f * (float(k % 30) - 14.5f) / 15, depth = 0.25f * float(k / 30 % 5),
                    at = 0.1f * float(k / 150);
        const d2::Vec2 points[] = {{3, 3 * bend}, {1, 0}, {0, 0}, {-2, 4 * bend}};
        const float turn = depth == 0 ? 0.0f : 0.3f;
        d2::ShapeStore shapes;
        const d2::Body bodies[] = {{{0, 0}, {}, *shapes.add_chain(points)},
                                   {{at, 0.5f - depth}, d2::rotation_of(turn), *shapes.add_box({1.5f, 0.5f})}};
        const Pair pair = {0, 1};
        d2::NarrowPhase narrow;
        d2::Manifolds out;
        REQUIRE(narrow.collide({&shapes, bodies, Strided<Pair>(&pair, 1)}, out));
        const plane::Pose pose = {{at, 0.5L - depth}, bodies[1].rotation.c, bodies[1].rotation.s};
        const plane::Shape chain = plane::chain({{3, 3 * bend}, {1, 0}, {0, 0}, {-2, 4 * bend}}, false),
                           box = plane::placed(pose, plane::box(1.5L, 0.5L));
        joined += out.manifolds.size() < 2;
        for (const d2::Manifold& m : out.manifolds)
            for (std::uint32_t c = 0; c < m.contact_count; ++c) {
                const plane::Real half = 0.5L * m.contacts[c].separation;
                const plane::Point p = {m.contacts[c].position.x, m.contacts[c].position.y},
                                   way = {half * m.normal.x, half * m.normal.y};
                off += !plane::is_on_surface(chain, p - way, 1.5e-5L) || !plane::is_on_surface(box, p + way, 1.5e-5L);
            }
    }
    CHECK(off == 0);
    CHECK(joined > 60);
}
