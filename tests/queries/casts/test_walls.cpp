// Fast bodies do not pass through thin things: walls of a centimetre, floors of two triangles, at 1,000 metres per
// second.
#include "support/catch.hpp"
#include "support/count.hpp"

#include <cmath>
#include <vector>

#include <abut/abut.hpp>

#include "queries/casts/motions.hpp"
#include "scenes/random.hpp"

using namespace abut;
using oracle::Vec3d;
using scenes::Random;

namespace {

#ifdef NDEBUG
constexpr std::uint32_t kBodies = 10000;
#else
constexpr std::uint32_t kBodies = 500;
#endif
constexpr float kStep = 1.0f / 60, kSpeed = 1000;

std::vector<ShapeId> make_shapes(ShapeStore& shapes, Random& random) {
    std::vector<Vec3> points;
    for (int i = 0; i < 20; ++i) {
        const Vec3d p = random.direction() * 0.1;
        points.push_back({float(p.x), float(p.y), float(p.z)});
    }
    const auto hull = shapes.add_hull(points);
    REQUIRE(hull);
    const CompoundChild children[] = {{*hull, {0.1f, 0, 0}, {}},
                                      {*shapes.add_box({0.05f, 0.02f, 0.08f}), {-0.1f, 0, 0}, {}}};
    return {*shapes.add_sphere(0.05f),
            *shapes.add_capsule(0.02f, 0.1f),
            *shapes.add_box({0.1f, 0.005f, 0.05f}),
            *shapes.add_cylinder(0.05f, 0.02f),
            *shapes.add_cone(0.05f, 0.1f),
            *shapes.add_ellipsoid({0.1f, 0.05f, 0.02f}),
            *hull,
            *shapes.add_compound(children)};
}

// One step of 1,000 metres per second towards -y from above, rotating by `spin` radians.
struct Flight {
    std::vector<Body> bodies, ends;
    std::vector<Pair> pairs;
};
Flight make_flight(const std::vector<ShapeId>& kinds, const Body& target, float spin, Random& random) {
    Flight flight;
    flight.bodies.push_back(target), flight.ends.push_back(target);
    for (std::uint32_t i = 1; i <= kBodies; ++i) {
        const double x = random.uniform(-4, 4), z = random.uniform(-4, 4), above = random.uniform(0.2, 16),
                     slant = random.uniform(-0.3, 0.3);
        Body body{{float(x), float(above), float(z)}, kinds[i % kinds.size()], random.orientation()};
        Body end = body;
        end.position = {float(x + slant), float(above - kSpeed * kStep), float(z - slant)};
        end.orientation = casts::rotated(body.orientation, random.direction(), double(spin));
        flight.bodies.push_back(body), flight.ends.push_back(end);
        flight.pairs.push_back({i, 0});
    }
    return flight;
}

// All that start above and end below hit, in time order of their heights, with a normal that looks down into the
// target.
void check_none_passes(const ShapeStore& shapes, const Flight& flight, double top) {
    NarrowPhase narrow;
    Casts out;
    const Bodies ends[] = {flight.ends};
    REQUIRE(narrow.cast({&shapes, flight.bodies, flight.pairs}, {ends}, out));
    std::size_t crossing = 0;
    test::Count passed;
    for (std::size_t i = 0; i < flight.pairs.size(); ++i) {
        REQUIRE(out.status[i] == Status::ok);
        const Body &body = flight.bodies[i + 1], &end = flight.ends[i + 1];
        if (!(body.position.y > 0.2f + top && end.position.y < -0.2f)) continue;
        ++crossing;
        const double y = body.position.y + (double(end.position.y) - body.position.y) * out.time[i];
        passed += !out.hit(i) || y < top;
        CHECK(out.signed_distance[i] < 1e-4f);
    }
    CHECK(crossing > kBodies * 9 / 10);
    CHECK(passed == 0);
}

}  // namespace

TEST_CASE("casts: no body of 1,000 m/s passes a wall of a centimetre", "[casts]") {
    for (const float spin : {0.0f, 100 * kStep}) {
        ShapeStore shapes;
        Random random(21);
        const std::vector<ShapeId> kinds = make_shapes(shapes, random);
        const auto wall = shapes.add_box({6, 0.005f, 6});
        REQUIRE(wall);
        check_none_passes(shapes, make_flight(kinds, {{0, 0, 0}, *wall, {}}, spin, random), 0.005);
    }
}

TEST_CASE("casts: no body of 1,000 m/s passes a floor of two triangles", "[casts]") {
    for (const float spin : {0.0f, 100 * kStep}) {
        ShapeStore shapes;
        Random random(22);
        const std::vector<ShapeId> kinds = make_shapes(shapes, random);
        const std::vector<Vec3> corners = {{-6, 0, -6}, {-6, 0, 6}, {6, 0, 6}, {6, 0, -6}};
        const std::vector<MeshTriangle> triangles = {{{0, 1, 2}}, {{0, 2, 3}}};
        const auto floor = shapes.add_mesh(corners, triangles);
        REQUIRE(floor);
        check_none_passes(shapes, make_flight(kinds, {{0, 0, 0}, *floor, {}}, spin, random), 0);
    }
}

TEST_CASE("casts: a rod that spins through a slot touches its rim or passes, as the angle says", "[casts]") {
    // Two boxes leave a slot of 0.2 m at x = 0. A rod of 2 m by 0.1 m rises through it upright, or lies across.
    ShapeStore shapes;
    const auto half = shapes.add_box({1, 0.01f, 1}), rod = shapes.add_box({0.05f, 1, 0.05f});
    REQUIRE((half && rod));
    const auto turned = [](double angle) { return Quat{0, 0, float(std::sin(angle / 2)), float(std::cos(angle / 2))}; };
    std::vector<Body> bodies = {{{-1.1f, 0, 0}, *half, {}}, {{1.1f, 0, 0}, *half, {}}}, ends = bodies;
    std::vector<Pair> pairs;
    const double angles[] = {0, 0.02, 0.5, 1.2, 3.1};
    for (const double angle : angles) {
        bodies.push_back({{0, -2, 0}, *rod, turned(0)}), ends.push_back({{0, 2, 0}, *rod, turned(angle)});
        const auto body = std::uint32_t(bodies.size() - 1);
        pairs.push_back({0, body}), pairs.push_back({1, body});
    }
    NarrowPhase narrow;
    Casts out;
    const Bodies all[] = {ends};
    REQUIRE(narrow.cast({&shapes, bodies, pairs}, {all}, out));
    for (std::size_t i = 0; i < std::size(angles); ++i) {
        INFO(angles[i]);
        const bool touches = out.hit(2 * i) || out.hit(2 * i + 1);
        CHECK(touches == (angles[i] > 0.1));
        CHECK(out.status[2 * i] == Status::ok);
    }
}
