// Joints of a chain that stand out: the chain shows all normals between those of the two segments there, and no others.
#include <abut/d2.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "support/count.hpp"
#include "support/oracle_2d.hpp"

using namespace abut;

namespace {

struct Draw {
    std::mt19937 random;
    double operator()(double low, double high) { return low + (high - low) * (random() / 4294967296.0); }
};

// A body, as the store has it and as the oracle does.
struct Drawn {
    d2::ShapeId id;
    plane::Shape shape;
};

Drawn any_body(d2::ShapeStore& shapes, int kind, double size, double ratio, double rounding) {
    const auto x = float(size), y = float(size * ratio), r = float(rounding * size);
    switch (kind) {
        case 0: return {*shapes.add_circle(x), plane::circle(x)};
        case 1: return {*shapes.add_segment({0, -y}, {0, y}, x), plane::segment({0, -y}, {0, y}, x)};
        case 2: return {*shapes.add_segment({0, -x}, {0, x}, 0), plane::segment({0, -x}, {0, x}, 0)};
        case 3: {
            const d2::Vec2 roof[] = {{0, x}, {-x, -y}, {y, -y}};
            plane::Shape shape = plane::polygon({{0, x}, {-x, -y}, {y, -y}});
            shape.radius = r;
            return {*shapes.add_polygon(roof, {.rounding = r}), shape};
        }
        default: {
            plane::Shape shape = plane::box(x, y);
            shape.radius = r;
            return {*shapes.add_box({x, y}, {.rounding = r}), shape};
        }
    }
}

plane::Point front_normal(plane::Point from, plane::Point to) {
    const plane::Point way = to - from;
    return plane::Point{way.y, -way.x} * (1 / plane::length(way));
}

}  // namespace

TEST_CASE("plane: a body that is deep in a ridge of a chain has a contact there", "[d2][right]") {
    Draw draw{std::mt19937(4)};
    d2::NarrowPhase narrow;
    d2::Manifolds out;
    test::Count none, off, hidden;
    int deep = 0;
    for (int i = 0; i < 40000; ++i) {
        // Two segments, the front above; from a needle to a joint that is nearly level.
        const double half_angle = i % 3 == 0 ? draw(0.1, 1.5) : draw(1.3, 1.57), lean = draw(-0.3, 0.3);
        const auto at = [](double angle, double length) {
            return d2::Vec2{float(length * std::sin(angle)), float(-length * std::cos(angle))};
        };
        const double right = draw(1.5, 4), left = draw(1.5, 4);
        const d2::Vec2 points[] = {at(lean + half_angle, right), {0, 0}, at(lean - half_angle, left)};
        d2::ShapeStore shapes;
        const double size = draw(0.05, 0.5), ratio = draw(0.2, 1), rounding = i % 2 == 0 ? draw(0, 0.8) : 0;
        const Drawn body = any_body(shapes, i % 5, size, ratio, rounding);
        const double x = draw(-1, 1), y = draw(0, 1);
        const d2::Body bodies[] = {{{0, 0}, {}, *shapes.add_chain(points)},
                                   {{float(size * x), float(size * y)}, d2::rotation_of(float(draw(-4, 4))), body.id}};
        const plane::Pose pose = plane::pose_of({bodies[1].position.x, bodies[1].position.y}, bodies[1].rotation);
        const plane::Point a = {points[0].x, points[0].y}, joint = {0, 0}, b = {points[2].x, points[2].y};
        const plane::Shape placed = plane::placed(pose, body.shape), chain = plane::chain({a, joint, b}, false);
        const plane::Point before = front_normal(a, joint), after = front_normal(joint, b),
                           centre = plane::placed(pose, body.shape.centre);
        if (plane::dot(before, centre) < 1e-4L || plane::dot(after, centre) < 1e-4L) continue;
        if (plane::signed_distance(chain, placed).distance > -1e-4L) continue;
        const Pair pair = {0, 1};
        REQUIRE(narrow.collide({&shapes, bodies, Strided<Pair>(&pair, 1)}, out));
        ++deep;
        none += out.manifolds.empty();
        for (const d2::Manifold& m : out.manifolds) {
            // Between the normals of both segments; the chain's ends are far.
            const plane::Point n = {m.normal.x, m.normal.y};
            hidden += plane::cross(before, n) < -1e-5L || plane::cross(n, after) < -1e-5L;
            for (std::uint32_t c = 0; c < m.contact_count; ++c) {
                const plane::Point p = {m.contacts[c].position.x, m.contacts[c].position.y},
                                   way = n * (0.5L * m.contacts[c].separation);
                off +=
                    !plane::is_on_surface(chain, p - way, 1.5e-5L) || !plane::is_on_surface(placed, p + way, 1.5e-5L);
            }
        }
    }
    CHECK(deep > 10000);
    CHECK(none == 0);
    CHECK(off == 0);
    CHECK(hidden == 0);
}

// A stick through a valley's corner has its lower end beyond both segments.
TEST_CASE("plane: a body that is deep in a valley of a chain has a contact there", "[d2][right]") {
    Draw draw{std::mt19937(5)};
    d2::NarrowPhase narrow;
    d2::Manifolds out;
    test::Count none;
    int deep = 0;
    for (int i = 0; i < 20000; ++i) {
        const double right_rise = draw(0.05, 1.4), left_rise = draw(0.05, 1.4);
        const d2::Vec2 points[] = {{float(2 * std::cos(right_rise)), float(2 * std::sin(right_rise))},
                                   {0, 0},
                                   {float(-2 * std::cos(left_rise)), float(2 * std::sin(left_rise))}};
        d2::ShapeStore shapes;
        const double size = draw(0.05, 0.5), ratio = draw(0.2, 1), x = draw(-0.5, 0.5), y = draw(0, 1);
        const Drawn body = any_body(shapes, i % 2 == 0 ? 2 : i / 2 % 5, size, ratio, 0);
        const d2::Body bodies[] = {{{0, 0}, {}, *shapes.add_chain(points)},
                                   {{float(size * x), float(size * y)}, d2::rotation_of(float(draw(-4, 4))), body.id}};
        const plane::Pose pose = plane::pose_of({bodies[1].position.x, bodies[1].position.y}, bodies[1].rotation);
        const plane::Point right = {points[0].x, points[0].y}, joint = {0, 0}, left = {points[2].x, points[2].y},
                           centre = plane::placed(pose, body.shape.centre);
        const plane::Shape placed = plane::placed(pose, body.shape), chain = plane::chain({right, joint, left}, false);
        if (plane::dot(front_normal(right, joint), centre) < 1e-4L ||
            plane::dot(front_normal(joint, left), centre) < 1e-4L)
            continue;
        if (plane::signed_distance(chain, placed).distance > -1e-4L) continue;
        const Pair pair = {0, 1};
        REQUIRE(narrow.collide({&shapes, bodies, Strided<Pair>(&pair, 1)}, out));
        ++deep;
        none += std::none_of(out.manifolds.begin(), out.manifolds.end(),
                             [](const d2::Manifold& m) { return m.contacts[0].separation < 0; });
    }
    CHECK(deep > 5000);
    CHECK(none == 0);
}
