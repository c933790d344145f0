// What casts in the plane are asked beside the motions: starts, targets, latest times, centres of rotation.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <abut/d2.hpp>

using namespace abut;

namespace {

constexpr double kHalfTurn = 3.141592653589793;

struct Mover {
    const char* name;
    d2::ShapeId shape;
    float half_width, half_height;
};

struct Level {
    d2::ShapeStore shapes;
    std::vector<Mover> movers = {{"circle", *shapes.add_circle(0.3f), 0.3f, 0.3f},
                                 {"thin box", *shapes.add_box({0.01f, 0.4f}), 0.01f, 0.4f},
                                 {"box", *shapes.add_box({0.3f, 0.3f}), 0.3f, 0.3f},
                                 {"capsule", *shapes.add_capsule(0.2f, 0.2f), 0.2f, 0.4f},
                                 {"octagon", octagon(), 0.3f, 0.3f}};

    d2::ShapeId octagon() {
        std::vector<d2::Vec2> corners;
        for (int i = 0; i < 8; ++i) {
            const double angle = kHalfTurn / 8 * (2 * i + 1), radius = 0.3 / std::cos(kHalfTurn / 8);
            corners.push_back({float(radius * std::cos(angle)), float(radius * std::sin(angle))});
        }
        return *shapes.add_polygon(corners);
    }
    // Floors at height 0 with a wall at x = 2, of tiles and as a chain.
    d2::ShapeId tiles() {
        std::vector<d2::CompoundChild> children;
        for (int i = -4; i < 3; ++i) children.push_back({*shapes.add_box({0.5f, 0.5f}), {{float(i), -0.5f}, {}}});
        children.push_back({*shapes.add_box({0.5f, 5}), {{2.5f, 0}, {}}});
        return *shapes.add_compound(children);
    }
    d2::ShapeId chain() {
        std::vector<d2::Vec2> points = {{2, 5}, {2, 0}};  // the front is on the right
        for (int i = 3; i > -10; --i) points.push_back({0.5f * float(i), 0});
        return *shapes.add_chain(points);
    }

    struct Motion {
        d2::Vec2 from, to;
        float turn = 0;
        d2::Vec2 centre = {0, 0};
    };
    d2::Casts cast(d2::ShapeId mover, d2::ShapeId other, const Motion& motion, const CastOptions& options) const {
        const std::vector<d2::ShapeId> ids = {mover, other};
        const std::vector<d2::Vec2> starts = {motion.from, {0, 0}}, ends = {motion.to, {0, 0}},
                                    centers = {motion.centre, {0, 0}};
        const std::vector<float> first = {0, 0}, last = {motion.turn, 0};
        const std::vector<Pair> pairs = {{0, 1}};
        d2::Motions motions;
        motions.ends = d2::BodyColumns{.shapes = ids, .positions = ends, .angles = last};
        motions.centers = centers;
        const d2::Bodies bodies = d2::BodyColumns{.shapes = ids, .positions = starts, .angles = first};
        d2::NarrowPhase narrow;
        d2::Casts casts;
        REQUIRE(narrow.cast({&shapes, bodies, pairs}, motions, casts, options));
        return casts;
    }
};

CastOptions with(CastStart start) {
    CastOptions options;
    options.start = start;
    return options;
}

}  // namespace

TEST_CASE("plane: closing_only: a body slides over the seams of a floor, and stops at the wall", "[d2][right]") {
    Level level;
    const d2::ShapeId floors[] = {level.tiles(), level.chain()};
    for (const d2::ShapeId floor : floors)
        for (const Mover& mover : level.movers)
            for (const float sunk : {0.05f, 1e-3f, 0.0f, -0.01f})
                for (const float from : {0.0f, 0.2f, 0.5f}) {  // also over a joint
                    CAPTURE(floor.kind() == d2::ShapeKind::chain, mover.name, sunk, from);
                    const float height = mover.half_height - sunk;
                    const d2::Casts casts = level.cast(mover.shape, floor, {{from, height}, {from + 4, height}},
                                                       with(CastStart::closing_only));
                    CHECK(casts.hit(0));
                    CHECK(casts.status[0] == Status::ok);
                    CHECK(std::fabs(casts.time[0] - (2 - mover.half_width - from) / 4.0) < 1e-5);
                    CHECK(std::fabs(casts.normal[0].x - 1) < 1e-5f);
                }
}

TEST_CASE("plane: closing_only: the next floor stops a body that has sunk into the last one", "[d2][right]") {
    Level level;
    const d2::ShapeId box = level.movers[2].shape;
    const std::vector<d2::CompoundChild> floors = {{*level.shapes.add_box({1, 0.5f}), {{0, -0.5f}, {}}},
                                                   {*level.shapes.add_box({1, 0.5f}), {{4, -0.5f}, {}}}};
    const d2::ShapeId gap = *level.shapes.add_compound(floors);
    const d2::Casts casts = level.cast(box, gap, {{0, 0.2f}, {4, 0.2f}}, with(CastStart::closing_only));
    CHECK(casts.hit(0));
    CHECK(std::fabs(casts.time[0] - (3 - 0.3) / 4) < 1e-5);
}

TEST_CASE("plane: closing_only: what touches counts where it closes, gets deeper or comes back", "[d2][right]") {
    Level level;
    const d2::ShapeId floor = *level.shapes.add_halfplane({0, 1}, 0), box = level.movers[2].shape,
                      plank = *level.shapes.add_box({1, 0.1f});
    const auto cast = [&](d2::ShapeId mover, const Level::Motion& motion) {
        return level.cast(mover, floor, motion, with(CastStart::closing_only));
    };
    CHECK(cast(box, {{0, 0.3f}, {0, 0.2f}}).time[0] == 0);                        // closes
    CHECK_FALSE(cast(box, {{0, 0.2f}, {3, 0.2f}}).hit(0));                        // slides
    CHECK_FALSE(cast(box, {{0, 0.2f}, {0, 1}}).hit(0));                           // leaves
    CHECK_FALSE(cast(level.movers[0].shape, {{0, 0.3f}, {3, 0.3f}, 10}).hit(0));  // rolls
    // A box that turns on its face gets deeper by its corner.
    const d2::Casts turns = cast(box, {{0, 0.25f}, {0.1f, 0.25f}, 0.5f});
    CHECK(turns.hit(0));
    CHECK(turns.time[0] < 0.01);
    // A plank rocks about its middle, at first with one end in the floor.
    const std::vector<d2::ShapeId> ids = {plank, floor};
    const std::vector<Pair> pairs = {{0, 1}};
    const auto rock = [&](float height, float from, float to) {
        const std::vector<d2::Vec2> places = {{0, height}, {0, 0}};
        const std::vector<float> first = {from, 0}, last = {to, 0};
        const d2::Bodies bodies = d2::BodyColumns{.shapes = ids, .positions = places, .angles = first};
        d2::Motions motions;
        motions.ends = d2::BodyColumns{.shapes = ids, .positions = places, .angles = last};
        d2::NarrowPhase narrow;
        d2::Casts casts;
        REQUIRE(narrow.cast({&level.shapes, bodies, pairs}, motions, casts, with(CastStart::closing_only)));
        CHECK(casts.hit(0));
        CHECK(casts.status[0] == Status::ok);
        return casts.time[0];
    };
    // It leaves the floor, and the other end comes down: at the angle where 0.25 = sin + 0.1 cos.
    double angle = 0.15;
    for (int i = 0; i < 20; ++i)
        angle -= (std::sin(angle) + 0.1 * std::cos(angle) - 0.25) / (std::cos(angle) - 0.1 * std::sin(angle));
    CHECK(std::fabs(rock(0.25f, -0.2f, 0.2f) - (angle + 0.2) / 0.4) < 1e-3);
    // It never leaves the floor; beyond the first angle, mirrored, the other end is deeper than the first one was.
    CHECK(std::fabs(rock(0.09f, -0.1f, 0.15f) - 0.2 / 0.25) < 1e-3);
}

TEST_CASE("plane: closing_only: a body leaves a chain in which its deepest way out is backwards", "[d2][right]") {
    Level level;
    const std::vector<d2::Vec2> corners = {{-0.2f, -0.1f}, {0.4f, -0.1f}, {-0.2f, 0.3f}}, line = {{5, 0}, {-5, 0}};
    const std::vector<d2::Body> bodies = {{{0, -0.1f}, d2::rotation_of(0.4), *level.shapes.add_polygon(corners)},
                                          {{0, 0}, {}, *level.shapes.add_chain(line)}},
                                ends = {{{0.5f, 0.9f}, d2::rotation_of(0.4), {}}, {{0, 0}, {}, {}}};
    const std::vector<Pair> pairs = {{0, 1}};
    d2::NarrowPhase narrow;
    d2::Distances distances;
    d2::Casts casts;
    d2::Motions motions;
    motions.ends = ends;
    REQUIRE(narrow.distance({&level.shapes, bodies, pairs}, distances));
    CHECK(distances.normal[0].y > 0.99f);  // from the body to the chain: out through the back
    REQUIRE(narrow.cast({&level.shapes, bodies, pairs}, motions, casts, with(CastStart::closing_only)));
    CHECK_FALSE(casts.hit(0));
}

TEST_CASE("plane: a pair that touches at the start is a hit there, or no hit with `ignore`", "[d2][right]") {
    Level level;
    for (const d2::ShapeId floor :
         {level.tiles(), level.chain(), *level.shapes.add_box({50, 0.5f}), *level.shapes.add_halfplane({0, 1}, 0.5f)})
        for (const Mover& mover : level.movers) {
            const bool is_raised = floor.kind() == d2::ShapeKind::box || floor.kind() == d2::ShapeKind::halfplane;
            const float ground = is_raised ? 0.5f : 0.0f, height = mover.half_height + ground;
            CAPTURE(int(floor.kind()), mover.name);
            const Level::Motion sunk = {{0, height - 0.05f}, {4, height - 0.05f}},
                                falls = {{0, height + 1}, {0, height - 1}};
            const d2::Casts stop = level.cast(mover.shape, floor, sunk, with(CastStart::stop));
            CHECK(stop.hit(0));
            CHECK(stop.time[0] == 0);
            const d2::Casts ignored = level.cast(mover.shape, floor, sunk, with(CastStart::ignore));
            CHECK_FALSE(ignored.hit(0));
            CHECK(ignored.time[0] == 1);
            const d2::Casts later = level.cast(mover.shape, floor, falls, with(CastStart::ignore));
            CHECK(later.hit(0));
            CHECK(std::fabs(later.time[0] - 0.5) < 1e-4);
        }
}

TEST_CASE("plane: a body moves on from where a cast has stopped it", "[d2][right]") {
    Level level;
    const d2::ShapeId floors[] = {level.tiles(), level.chain(), *level.shapes.add_halfplane({0, 1}, 0),
                                  *level.shapes.add_box({2, 0.5f}, {.pose = {{0, -0.5f}, {}}})};
    for (const d2::ShapeId floor : floors)
        for (const Mover& mover : level.movers)
            for (const CastStart start : {CastStart::stop, CastStart::ignore}) {
                CAPTURE(int(floor.kind()), mover.name, int(start));
                const float from = mover.half_height + 1;
                const d2::Casts falls = level.cast(mover.shape, floor, {{0.2f, from}, {0.2f, from - 2}}, {});
                REQUIRE(falls.hit(0));
                // Within the tolerance of the floor, above it.
                const auto rests = static_cast<float>(from - 2 * falls.time[0] + 4e-6);
                CHECK_FALSE(level.cast(mover.shape, floor, {{0.2f, rests}, {0.2f, rests + 1}}, with(start)).hit(0));
                const bool has_parts = floor.kind() == d2::ShapeKind::chain || floor.kind() == d2::ShapeKind::compound;
                if (!has_parts)  // the next part is met within the tolerance
                    CHECK_FALSE(level.cast(mover.shape, floor, {{0.2f, rests}, {1, rests}}, with(start)).hit(0));
                const d2::Casts again = level.cast(mover.shape, floor, {{0.2f, rests}, {0.2f, rests - 1}}, with(start));
                CHECK(again.hit(0));
                CHECK(again.time[0] < 1e-4);
            }
}

TEST_CASE("plane: targets and latest times are those of their pairs", "[d2][right]") {
    Level level;
    const d2::ShapeId floor = level.chain();
    std::vector<d2::Body> bodies = {{{0, 0}, {}, floor}, {{8, 0}, {}, *level.shapes.add_box({0.5f, 0.5f})}}, ends;
    std::vector<Pair> pairs;
    std::vector<float> targets, latest;
    for (const Mover& mover : level.movers)
        for (const float target : {0.0f, 0.25f, 1.0f})
            for (const float last : {1.0f, 0.4f}) {
                const auto at = static_cast<std::uint32_t>(bodies.size());
                bodies.push_back({{-1, 2 + mover.half_height}, {}, mover.shape});   // falls by 4 m on the chain
                bodies.push_back({{4.5f - mover.half_width, 0}, {}, mover.shape});  // 3 m from the box
                pairs.push_back({0, at}), pairs.push_back({at + 1, 1});
                targets.insert(targets.end(), 2, target), latest.insert(latest.end(), 2, last);
            }
    ends = bodies;
    for (std::size_t i = 2; i < ends.size(); i += 2) ends[i].position.y -= 4, ends[i + 1].position.x += 4;
    d2::Motions motions;
    motions.ends = ends;
    CastOptions options;
    options.targets = targets, options.latest = latest;
    d2::NarrowPhase narrow;
    d2::Casts casts;
    REQUIRE(narrow.cast({&level.shapes, bodies, pairs}, motions, casts, options));
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const double expected = ((i % 2 == 0 ? 2.0 : 3.0) - double(targets[i])) / 4;
        CAPTURE(i, targets[i], latest[i]);
        CHECK(casts.hit(i) == (expected < double(latest[i])));
        CHECK(std::fabs(casts.time[i] - std::min(expected, double(latest[i]))) < 1e-4);
        if (casts.hit(i))
            CHECK(std::fabs(casts.signed_distance[i] - targets[i]) < 1e-4f);
        else
            CHECK(std::isinf(casts.signed_distance[i]));
    }
}

TEST_CASE("plane: a body turns about its centre of rotation", "[d2][right]") {
    // A bar of 2 m turns by 90 degrees about its left end, which a body with the bar's pose moved by 1 m does about its
    // position.
    Level level;
    const d2::ShapeId bar = *level.shapes.add_box({1, 0.1f}),
                      moved = *level.shapes.add_box({1, 0.1f}, {.pose = {{1, 0}, {}}});
    const auto quarter = static_cast<float>(kHalfTurn / 2);
    for (const double angle : {0.3, 0.8, 1.4}) {
        const d2::ShapeId peg = *level.shapes.add_circle(
            0.05f, {.pose = {{float(1.5 * std::cos(angle)), float(1.5 * std::sin(angle))}, {}}});
        const Level::Motion about_end = {{1, 0}, {0, 1}, quarter, {-1, 0}}, about_position = {{0, 0}, {0, 0}, quarter};
        const d2::Casts one = level.cast(bar, peg, about_end, {}), other = level.cast(moved, peg, about_position, {}),
                        without = level.cast(bar, peg, {{1, 0}, {0, 1}, quarter}, {});
        CAPTURE(angle);
        CHECK(one.hit(0));
        CHECK(std::fabs(one.time[0] - other.time[0]) < 1e-6);
        CHECK(std::fabs(one.time[0] - (angle - std::asin(0.15 / 1.5)) / (kHalfTurn / 2)) < 1e-4);
        CHECK(std::fabs(one.normal[0].x - other.normal[0].x) < 1e-5f);
        CHECK(std::fabs(one.time[0] - without.time[0]) > 1e-3);
    }
    const std::vector<d2::ShapeId> ids = {bar}, moved_ids = {moved};
    const std::vector<d2::Vec2> start = {{1, 0}}, end = {{0, 1}}, still = {{0, 0}}, centre = {{-1, 0}};
    const std::vector<float> first = {0}, last = {quarter};
    const auto swept = [&](const std::vector<d2::ShapeId>& shape, const std::vector<d2::Vec2>& from,
                           const std::vector<d2::Vec2>& to, Strided<d2::Vec2> centers) {
        std::vector<Bounds> bounds(1);
        REQUIRE(d2::swept_bounds(level.shapes, d2::BodyColumns{.shapes = shape, .positions = from, .angles = first},
                                 d2::BodyColumns{.shapes = shape, .positions = to, .angles = last}, bounds, {},
                                 centers));
        return bounds[0];
    };
    const Bounds a = swept(ids, start, end, centre), b = swept(moved_ids, still, still, {});
    for (const auto& [x, y] : {std::pair{a.min.x, b.min.x}, {a.min.y, b.min.y}, {a.max.x, b.max.x}, {a.max.y, b.max.y}})
        CHECK(std::fabs(x - y) < 1e-5f);
    CHECK(a.max.x >= 2);
    CHECK(a.max.y >= 2);
}
