// Pairs whose depth is the same, or nearly, in a whole ring of directions; shapes that are really simpler ones; points;
// large rings cooked.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "scenes/random.hpp"
#include "scenes/scene.hpp"
#include "support/oracle/oracle.hpp"

using namespace abut;

namespace {

// Distances of pairs, one at a time, and how many of them no state of a chunk could certify.
struct Asker {
    std::size_t pairs = 0, exact = 0;

    void ask(const oracle::Shape& a, const oracle::Shape& b, Vec3 position, const Quat& turn_a, const Quat& turn_b);
};

// `b` at `position`, seen from `a` in the origin.
void Asker::ask(const oracle::Shape& a, const oracle::Shape& b, Vec3 position, const Quat& turn_a, const Quat& turn_b) {
    scenes::Scene scene;
    const std::uint32_t first = scene.add_solid(a), second = scene.add_solid(b);
    scene.bodies = {{{0, 0, 0}, scene.ids[first], turn_a}, {position, scene.ids[second], turn_b}};
    scene.solid_of = {first, second};
    scene.pairs = {{0, 1}};
    scene.reference = {oracle::signed_distance(scene.solids[first], oracle::pose_of(scene.bodies[0]),
                                               scene.solids[second], oracle::pose_of(scene.bodies[1]))
                           .signed_distance};
    scene.family = {""};
    NarrowPhase narrow_phase;
    Distances d;
    REQUIRE(narrow_phase.distance(scene.frame(), d));
    ++pairs, exact += narrow_phase.counters().exact;
    INFO(scene.query_line(0));
    CHECK(d.status[0] == Status::ok);
    CHECK(scene.check(0, {d.signed_distance[0], d.normal[0], d.point_a[0], d.point_b[0]}).right());
}

oracle::Shape segment(float half) {
    oracle::Shape shape;
    shape.kind = ShapeKind::hull;
    shape.points = {{0, half, 0}, {0, -half, 0}};
    return shape;
}
oracle::Shape round(ShapeKind kind, float radius, float half_height, float rounding = 0) {
    oracle::Shape shape;
    shape.kind = kind;
    shape.radius = radius;
    shape.half_height = half_height;
    shape.rounding = rounding;
    return shape;
}
oracle::Shape ellipsoid(float x, float y, float z) {
    oracle::Shape shape;
    shape.kind = ShapeKind::ellipsoid;
    shape.half_extents = {x, y, z};
    return shape;
}
Quat tilted(double angle, const oracle::Vec3d& axis) {
    const double s = std::sin(angle / 2);
    return {float(axis.x * s), float(axis.y * s), float(axis.z * s), float(std::cos(angle / 2))};
}

}  // namespace

TEST_CASE("exact: an equally deep ring of directions is proved", "[right]") {
    const Quat upright;
    Asker asker;
    asker.ask(ellipsoid(1, 1, 1), segment(1), {}, upright, upright);
    asker.ask(ellipsoid(1, 1, 1), segment(0.5f), {1e-6f, 1e-7f, 0},
              {0.290183067f, 0.198001057f, 0.864510536f, -0.359459192f}, upright);
    // Not converged before: a segment's end on a cone's axis, and a point in an ellipsoid that is nearly one of
    // revolution.
    asker.ask(segment(2882.21484f), round(ShapeKind::cone, 2882.21484f, 2882.21484f),
              {0.000300330867f, 2882.21484f, -7.82731368e-05f}, upright,
              {-7.77666446e-06f, 6.38531355e-06f, 0.707131565f, 0.707082033f});
    asker.ask(round(ShapeKind::sphere, 8.27959375e-05f, 0, 1.00000008e-07f),
              ellipsoid(0.491243482f, 0.384710193f, 0.38471055f), {}, upright,
              {0.613111079f, -0.475425154f, 0.271013677f, -0.569751978f});
    asker.ask(ellipsoid(7.79539394f, 0.000648339454f, 0.0239796825f), round(ShapeKind::cone, 6.43369198f, 6.43369198f),
              {-7.79539204f, 3.19403126e-09f, 1.42802428e-08f}, upright,
              {-1.03290249e-05f, 1.84857538e-06f, -1.83452892e-06f, 1});
    CHECK(asker.exact >= 3);
}

// On a sphere of radius 1, evenly; or the corners of a prism about y, of radius 1.
oracle::Shape ball(int vertices) {
    oracle::Shape shape;
    shape.kind = ShapeKind::hull;
    for (int i = 0; i < vertices; ++i) {
        const double z = 1 - (2 * i + 1.0) / vertices, angle = i * 2.399963229728653, s = std::sqrt(1 - z * z);
        shape.points.push_back({float(s * std::cos(angle)), float(s * std::sin(angle)), float(z)});
    }
    return shape;
}
oracle::Shape prism(int sides, float half_height) {
    oracle::Shape shape;
    shape.kind = ShapeKind::hull;
    for (int i = 0; i < 2 * sides; ++i) {
        const double angle = 6.283185307179586 * (i / 2) / sides;
        shape.points.push_back({float(std::cos(angle)), i % 2 ? half_height : -half_height, float(std::sin(angle))});
    }
    return shape;
}

TEST_CASE("exact: small shapes deep in hulls that are nearly balls", "[right]") {
    // Before: not_converged.
    const oracle::Shape hulls[] = {ball(200), ball(1020), prism(256, 1.3f)};
    const oracle::Shape inside[] = {round(ShapeKind::sphere, 0.2f, 0),
                                    round(ShapeKind::capsule, 0.1f, 0.2f),
                                    round(ShapeKind::cylinder, 0.1f, 0.07f),
                                    round(ShapeKind::cone, 0.05f, 0.08f),
                                    round(ShapeKind::cylinder, 0.02f, 0.02f, 0.01f),
                                    ellipsoid(0.2f, 0.15f, 0.1f),
                                    ellipsoid(0.02f, 0.001f, 0.015f),
                                    ellipsoid(0.9f, 0.02f, 0.9f)};
    scenes::Random random(52);
    Asker asker;
    for (const oracle::Shape& hull : hulls)
        for (const oracle::Shape& shape : inside)
            for (const double aside : {0.0, 1e-4, 0.05}) {
                const oracle::Vec3d at = random.direction() * aside;
                const Quat turn = random.chance(0.3) ? Quat{} : random.orientation();
                const Quat turn_b = random.chance(0.3) ? Quat{} : random.orientation();
                asker.ask(hull, shape, {float(at.x), float(at.y), float(at.z)}, turn, turn_b);
            }
    CHECK(asker.exact > asker.pairs / 4);
}

TEST_CASE("exact: large hulls about each other", "[right]") {
    const Quat upright, along = tilted(0.003, {0, 1, 0}), leaning = tilted(0.01, {1, 0, 0});
    const oracle::Shape large = prism(640, 1.3f);
    Asker asker;
    for (const Quat& turn : {upright, along}) asker.ask(large, large, {}, upright, turn);
    asker.ask(large, prism(300, 0.3f), {0, 0.1f, 0}, upright, upright);
    oracle::Shape flat = prism(3, 0);  // a triangle, a segment, a point
    for (const std::size_t corners : {6, 4, 1}) {
        flat.points.resize(corners);
        asker.ask(large, flat, {}, upright, leaning);
        asker.ask(ball(200), flat, {1e-3f, 0, 0}, upright, leaning);
    }
    asker.ask(ball(400), ball(400), {}, leaning, upright);
    CHECK(asker.exact > 0);
}

TEST_CASE("exact: cones, cylinders and discs about each other at tilts of 1e-9 to 1e-2", "[right]") {
    const float one = 1.0f;
    const oracle::Shape shapes[] = {
        round(ShapeKind::cone, one, one),       round(ShapeKind::cylinder, one, one), round(ShapeKind::cone, one, 0),
        round(ShapeKind::cylinder, 0.5f, 0.3f), round(ShapeKind::capsule, 0, one),    segment(one),
        round(ShapeKind::capsule, 0.1f, 0.5f),  ellipsoid(0.5f, one, 0.5f),           ellipsoid(one, 1e-3f, one)};
    scenes::Random random(51);
    Asker asker;
    for (const oracle::Shape& a : shapes)
        for (const oracle::Shape& b : shapes) {
            if (a.kind < ShapeKind::cylinder && b.kind < ShapeKind::cylinder) continue;
            for (const double angle : {0.0, 1e-9, 1e-6, 1e-5, 1e-4, 1e-3, 3e-3, 1e-2}) {
                const double aside = random.chance(0.5) ? 0 : 1e-6;
                const oracle::Vec3d at = random.direction() * aside;
                asker.ask(a, b, {float(at.x), float(at.y), float(at.z)}, {}, tilted(angle, random.direction()));
            }
        }
    CHECK(asker.exact > asker.pairs / 4);
}

TEST_CASE("scale-free: points are told apart however near they are") {
    for (const float apart : {1.0f, 1e-3f, 3e-7f, 1e-7f, 1e-12f, 1e-20f}) {
        for (const ShapeKind kind : {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box, ShapeKind::hull,
                                     ShapeKind::cylinder, ShapeKind::cone}) {
            oracle::Shape point;
            point.kind = kind;
            if (kind == ShapeKind::hull) point.points = {{0, 0, 0}};
            for (const ShapeKind other_kind : {ShapeKind::sphere, kind}) {
                oracle::Shape other = point;
                if (other_kind == ShapeKind::sphere) other = oracle::Shape{};
                INFO(to_string(kind) << " and " << to_string(other_kind) << ", " << apart << " m");
                scenes::Scene scene;
                const std::uint32_t a = scene.add_solid(point), b = scene.add_solid(other);
                scene.bodies = {{{0, 0, 0}, scene.ids[a], {}}, {{0, 0, apart}, scene.ids[b], {}}};
                scene.pairs = {{0, 1}};
                NarrowPhase narrow_phase;
                Distances d;
                REQUIRE(narrow_phase.distance(scene.frame(), d));
                CHECK(d.status[0] == Status::ok);
                CHECK(std::fabs(d.signed_distance[0] - apart) <= 1e-6f * apart);
                CHECK(d.normal[0].z > 0.999999f);
            }
        }
    }
}

TEST_CASE("a cone, a cylinder and a polygon of thousands of corners are cooked in less than quadratic time") {
    const auto ring = [](int count, float y, std::vector<Vec3>& points) {
        for (int i = 0; i < count; ++i) {
            const double angle = 6.283185307179586 * i / count;
            points.push_back({float(std::cos(angle)), y, float(std::sin(angle))});
        }
    };
    // Time of the processor, to which other programs do not count; the least of some.
    const auto cook = [](const std::vector<Vec3>& points, std::uint32_t vertices, std::uint32_t faces) {
        std::clock_t least = std::numeric_limits<std::clock_t>::max();
        for (int i = 0; i < 3; ++i) {
            ShapeStore store;
            const std::clock_t start = std::clock();
            const auto id = store.add_hull(points);
            least = std::min(least, std::clock() - start);
            REQUIRE(id);
            CHECK(store.view(*id).hull.vertices == vertices);
            CHECK(store.view(*id).hull.faces == faces);
        }
        return double(least);
    };
    const auto cook_all = [&](int count) {
        std::vector<Vec3> cone = {{0, 1, 0}}, cylinder, polygon;
        ring(count, -1, cone);
        ring(count / 2, -1, cylinder);
        ring(count / 2, 1, cylinder);
        ring(count, 0, polygon);
        const auto corners = std::uint32_t(count);
        return cook(cone, corners + 1, corners + 1) + cook(cylinder, corners, corners / 2 + 2) +
               cook(polygon, corners, 2);
    };
    // 4 times as many corners: 16 times as long where each corner looks at every other one.
    const double few = cook_all(1000), many = cook_all(4000);
    INFO(few << " and " << many << " clocks");
    CHECK(many < 10 * few);

    std::vector<Vec3> line;
    for (int i = 0; i < 10000; ++i) line.push_back({float(i), 0.5f * float(i), 0});
    cook(line, 2, 0);
}
