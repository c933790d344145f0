// Promise 7 in the plane: what stands stays, and what slides over joints and seams does not feel them.
#include <abut/d2.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "support/catch.hpp"
#include "support/plane_world.hpp"

using namespace abut;
using d2::Vec2;
using plane::World;

namespace {

// What a world did in its last steps.
struct Rest {
    float fastest = 0, farthest = 0;                  // speed plus spin; from where the body began
    std::size_t contacts = 0, lost = 0, started = 0;  // not continued by id; new
};

Rest let_rest(World& world, int steps, int judged) {
    const std::vector<d2::Body> start = world.bodies;
    Rest rest;
    for (int i = 0; i < steps; ++i) {
        REQUIRE(world.step());
        if (i < steps - judged) continue;
        rest.contacts += world.contact_count, rest.lost += world.contact_count - world.kept_count;
        rest.started += world.new_count;
        for (const plane::Mover& m : world.movers)
            rest.fastest = std::max(rest.fastest, plane::length(m.velocity) + std::fabs(m.spin));
    }
    for (std::size_t i = 0; i < start.size(); ++i)
        rest.farthest =
            std::max(rest.farthest, plane::length(plane::plus(world.bodies[i].position, start[i].position, -1)));
    return rest;
}

std::vector<Vec2> level_chain(float length, int joints) {
    std::vector<Vec2> points;  // the front of a chain is on its right: from right to left
    for (int i = joints; i >= -joints; --i) points.push_back({length * float(i), 0});
    return points;
}

}  // namespace

TEST_CASE("plane: steady: a stack of 20 boxes stands", "[d2][steady]") {
    World world;
    world.iterations = 30;
    const auto box = *world.shapes.add_box({0.5f, 0.5f});
    world.add(*world.shapes.add_halfplane({0, 1}, 0), {}, 0, 0);
    for (int i = 0; i < 20; ++i) world.add(box, {0.02f * float(i % 3), 0.5f + float(i)});
    const Rest rest = let_rest(world, 1200, 240);
    CHECK(rest.fastest < 0.01f);
    CHECK(rest.farthest < 0.01f);
    CHECK(rest.contacts == 240 * 40);
    CHECK(rest.lost == 0);
}

TEST_CASE("plane: steady: a pyramid of 50 rows stands on a chain", "[d2][steady]") {
    World world;
    const auto box = *world.shapes.add_box({0.5f, 0.5f});
    world.add(*world.shapes.add_chain(level_chain(3.1f, 20)), {}, 0, 0);
    for (int row = 0; row < 50; ++row)
        for (int i = row; i < 50; ++i) world.add(box, {1.1f * (float(i) - 0.5f * float(row)) - 27, 0.5f + float(row)});
    const Rest rest = let_rest(world, 480, 120);
    CHECK(rest.fastest < 0.02f);
    CHECK(rest.farthest < 0.02f);
    CHECK(rest.lost <= rest.contacts / 1000);  // a corner that hangs over may replace an end for a step
}

TEST_CASE("plane: steady: a house of cards stands", "[d2][steady]") {
    World world;
    const float half = 0.5f, thick = 0.01f, tilt = 0.35f, c = std::cos(tilt), s = std::sin(tilt);
    const float wide = half * s + thick * c, high = half * c + thick * s, span = 4 * wide + 0.01f;
    const auto card = *world.shapes.add_box({thick, half}), flat = *world.shapes.add_box({span / 2 - 0.002f, thick});
    world.add(*world.shapes.add_box({10, 1}), {0, -1}, 0, 0);
    float y = 0;
    for (int count = 4; count > 0; --count) {
        const auto at = [&](int i, int of) { return (float(i) - 0.5f * float(of - 1)) * span; };
        for (int i = 0; i < count; ++i) {
            world.add(card, {at(i, count) - wide, y + high}, -tilt);
            world.add(card, {at(i, count) + wide, y + high}, tilt);
        }
        for (int i = 0; i + 1 < count; ++i) world.add(flat, {at(i, count - 1), y + 2 * high + thick});
        y += 2 * high + 2 * thick;
    }
    for (plane::Mover& m : world.movers) m.friction = 0.8f;
    const Rest rest = let_rest(world, 1200, 240);
    CHECK(rest.fastest < 0.01f);
    CHECK(rest.farthest < 0.01f);
    CHECK(rest.started == 0);
    CHECK(rest.lost <= rest.contacts / 1000);  // corners that are near corners may change their names
}

TEST_CASE("plane: steady: bodies rest on tiles side by side", "[d2][steady]") {
    World world;
    const auto tile = *world.shapes.add_box({0.35f, 0.25f});
    for (int i = -20; i <= 20; ++i) world.add(tile, {0.7f * float(i), -0.25f}, 0, 0);
    const Vec2 roof[] = {{-0.5f, -0.2f}, {0.5f, -0.2f}, {0.3f, 0.3f}, {-0.3f, 0.3f}};
    const d2::ShapeId shapes[] = {*world.shapes.add_box({0.5f, 0.2f}), *world.shapes.add_polygon(roof),
                                  *world.shapes.add_segment({-0.5f, 0}, {0.5f, 0}, 0.2f)};
    for (int i = 0; i < 12; ++i) world.add(shapes[i % 3], {-13 + 2.13f * float(i), 0.2f});
    const Rest rest = let_rest(world, 480, 240);
    CHECK(rest.fastest < 0.001f);
    CHECK(rest.farthest < 0.01f);
    CHECK(rest.lost == 0);
}

namespace {

enum class Ground { chain, loop, compound, slope };

// The largest change of velocity in a step, but for friction and gravity along the ground.
float worst_bump(Ground ground, int body, float friction) {
    World world;
    const float tilt = ground == Ground::slope ? 0.3f : 0.0f, far = ground == Ground::slope ? 20.0f : -20.0f;
    const Vec2 along = {std::cos(tilt), std::sin(tilt)}, up = plane::left_of(along);
    std::vector<Vec2> points = level_chain(0.7f, 60);
    if (ground == Ground::chain || ground == Ground::loop) {
        if (ground == Ground::loop) points.push_back({-42, -3}), points.push_back({42, -3});
        world.add(*world.shapes.add_chain(points, ground == Ground::loop), {}, 0, 0);
    } else {
        std::vector<d2::CompoundChild> tiles;
        for (const Vec2 at : points) tiles.push_back({*world.shapes.add_box({0.35f, 0.25f}), {{at.x, -0.25f}, {}}});
        world.add(*world.shapes.add_compound(tiles), {}, tilt, 0);
    }
    std::vector<Vec2> ring;
    for (int i = 0; i < 7; ++i) {
        const float angle = 2 * std::numbers::pi_v<float> * (float(i) + 0.5f) / 7;
        ring.push_back({0.5f * std::sin(angle), -0.5f * std::cos(angle)});
    }
    const d2::ShapeId shapes[] = {*world.shapes.add_circle(0.4f), *world.shapes.add_box({0.5f, 0.3f}),
                                  *world.shapes.add_polygon(ring),
                                  *world.shapes.add_segment({-0.5f, 0}, {0.5f, 0}, 0.2f),
                                  *world.shapes.add_box({0.3f, 0.2f}, {.rounding = 0.1f})};
    const float height = 0.001f - world.shapes.view(shapes[body]).bounds_min.y;
    const std::uint32_t mover =
        world.add(shapes[body], {far * along.x + height * up.x, far * along.y + height * up.y}, tilt);
    for (plane::Mover& m : world.movers) m.friction = friction;
    world.movers[mover].velocity = {2.977f * along.x, 2.977f * along.y};
    float worst = 0;
    for (int i = 0; i < 720; ++i) {
        const plane::Mover before = world.movers[mover];
        REQUIRE(world.step());
        if (i < 240) continue;  // it falls by a millimetre
        const Vec2 change = plane::plus(world.movers[mover].velocity, before.velocity, -1);
        const float expected = -World::kGravity * along.y * world.step_time;
        worst = std::max({worst, std::fabs(plane::dot(change, up)), std::fabs(plane::dot(change, along) - expected),
                          0.3f * std::fabs(world.movers[mover].spin - before.spin)});
    }
    return worst;
}

}  // namespace

TEST_CASE("plane: steady: bodies slide and roll over joints and seams without a bump", "[d2][steady]") {
    for (const Ground ground : {Ground::chain, Ground::loop, Ground::compound, Ground::slope}) {
        INFO("ground " << int(ground));
        for (int body = 0; body < 5; ++body) {
            INFO("body " << body);
            CHECK(worst_bump(ground, body, 0) < 1e-3f);
        }
        if (ground != Ground::slope) CHECK(worst_bump(ground, 0, 0.5f) < 1e-3f);  // rolls
    }
}
