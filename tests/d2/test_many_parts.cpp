// Bodies with many parts: bounded memory and time, a status beyond the limit, and the order of manifolds.
#include <abut/d2.hpp>

#include <array>
#include <vector>

#include "support/catch.hpp"

using namespace abut;

TEST_CASE("plane: contained: coincident children beyond the limit get a status", "[d2][contained]") {
    constexpr std::uint32_t kMost = 1000;
    d2::ShapeStore shapes;
    const auto circle = shapes.add_circle(1);
    const std::vector<d2::CompoundChild> few(30, {*circle, {}}), many(40, {*circle, {}});
    const auto small = shapes.add_compound(few), large = shapes.add_compound(many);
    REQUIRE(small);
    REQUIRE(large);
    // 900 pairs of children, then 1,600 near and apart, then convex bodies.
    const d2::Body bodies[] = {{{0, 0}, {}, *small},     {{2.01f, 0}, {}, *small}, {{0, 0}, {}, *large},
                               {{2.01f, 0}, {}, *large}, {{0, 0}, {}, *circle},    {{0, 1}, {}, *circle}};
    const d2::Body ends[] = {{{0, 0}, {}, *small},     {{2.01f, 3}, {}, *small}, {{0, 0}, {}, *large},
                             {{2.01f, 3}, {}, *large}, {{0, 0}, {}, *circle},    {{0, 1}, {}, *circle}};
    const Pair pairs[] = {{0, 1}, {2, 3}, {4, 5}};
    const auto check = [&](const std::vector<Status>& status, Status beyond) {
        CHECK(status == std::vector<Status>{Status::ok, beyond, Status::ok});
    };
    Settings settings;
    settings.max_child_pairs = kMost;
    d2::NarrowPhase narrow(settings);
    const d2::Frame frame{&shapes, bodies, pairs};
    d2::Manifolds manifolds;
    REQUIRE(narrow.collide(frame, manifolds));
    check(manifolds.status, Status::no_room);
    CHECK(manifolds.first_manifold == std::vector<std::uint32_t>{0, 900, 900, 901});
    d2::Casts casts;
    REQUIRE(narrow.cast(frame, {d2::Bodies(ends)}, casts));
    check(casts.status, Status::no_room);
    CHECK(!casts.hit(1));
    d2::Distances distances;
    REQUIRE(narrow.distance(frame, distances));
    CHECK(distances.signed_distance[1] == Approx(0.01).epsilon(1e-4));

    settings.max_child_pairs = 0;  // convex bodies have none
    narrow = d2::NarrowPhase(settings);
    REQUIRE(narrow.collide(frame, manifolds));
    CHECK(manifolds.status == std::vector<Status>{Status::no_room, Status::no_room, Status::ok});
    REQUIRE(narrow.cast(frame, {d2::Bodies(ends)}, casts));
    CHECK(casts.status == std::vector<Status>{Status::no_room, Status::no_room, Status::ok});
    REQUIRE(narrow.distance(frame, distances));
    CHECK(distances.status == std::vector<Status>{Status::not_converged, Status::not_converged, Status::ok});
}

TEST_CASE("plane: manifolds of a chain are in the order of segments and children", "[d2]") {
    d2::ShapeStore shapes;
    // A room that the boxes fill. Its floor begins and ends the loop, and is deeper where it ends.
    const d2::Vec2 points[] = {{-0.5f, 0}, {-2, 0}, {-2, 2}, {2, 2}, {2, 0.005f}, {-0.5f, 0.005f}};
    const auto chain = shapes.add_chain(points, true), box = shapes.add_box({2, 1});
    const d2::CompoundChild children[] = {{*box, {}}, {*box, {{0, 0.001f}, {}}}};
    const auto two = shapes.add_compound(children);
    REQUIRE(two);
    const d2::Body bodies[] = {{{0, 1}, {}, *two}, {{0, 0}, {}, *chain}};
    const Pair pairs[] = {{0, 1}, {1, 0}};
    d2::NarrowPhase narrow;
    d2::Manifolds out;
    REQUIRE(narrow.collide({&shapes, bodies, pairs}, out));
    const auto ids = [&](std::size_t pair) {
        std::vector<std::array<std::uint32_t, 2>> all;
        for (std::uint32_t m = out.first_manifold[pair]; m < out.first_manifold[pair + 1]; ++m)
            all.push_back({out.manifolds[m].child_a, out.manifolds[m].child_b});
        return all;
    };
    using Ids = std::vector<std::array<std::uint32_t, 2>>;
    CHECK(ids(0) == Ids{{0, 1}, {1, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {0, 4}, {1, 4}});
    CHECK(ids(1) == Ids{{1, 0}, {1, 1}, {2, 0}, {2, 1}, {3, 0}, {3, 1}, {4, 0}, {4, 1}});
}

TEST_CASE("plane: right: a part whose extent is lost at its place is a point", "[d2][right]") {
    d2::ShapeStore shapes;
    const auto tiny = shapes.add_capsule(1, 1e-20f), circle = shapes.add_circle(1);
    const d2::CompoundChild children[] = {{*tiny, {{3, 4}, {}}}};
    const auto one = shapes.add_compound(children);
    const auto posed = shapes.add_instance(*tiny, {.pose = {{3, 4}, {}}});
    REQUIRE(one);
    REQUIRE(posed);
    const d2::Body bodies[] = {{{0, 0}, {}, *one}, {{0, 0}, {}, *posed}, {{3, 5.5f}, {}, *circle}};
    const Pair pairs[] = {{0, 2}, {1, 2}, {0, 1}};
    d2::NarrowPhase narrow;
    d2::Distances out;
    d2::Casts casts;
    REQUIRE(narrow.distance({&shapes, bodies, pairs}, out));
    REQUIRE(narrow.cast({&shapes, bodies, pairs}, {d2::Bodies(bodies)}, casts));
    for (std::size_t i = 0; i < 2; ++i) {
        INFO(i);
        CHECK(out.signed_distance[i] == Approx(-0.5));
        CHECK(out.normal[i].y == Approx(1));
        CHECK(casts.signed_distance[i] == Approx(-0.5));
        CHECK(casts.normal[i].y == Approx(1));
    }
    CHECK(out.signed_distance[2] == Approx(-2));
}
