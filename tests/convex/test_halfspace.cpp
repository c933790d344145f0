// What a half-space is for: ground. Promise 1 where its origin is far off, the exact path beside the lanes, and what a
// shape that lies on it has for contacts.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "scenes/random.hpp"
#include "scenes/resting.hpp"
#include "support/count.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using oracle::Vec3d;
using test::kPairsAKind;

namespace {

constexpr float kMargin = 0.02f;
constexpr ShapeKind kConvexKinds[] = {ShapeKind::sphere,   ShapeKind::capsule, ShapeKind::box,      ShapeKind::hull,
                                      ShapeKind::cylinder, ShapeKind::cone,    ShapeKind::ellipsoid};

oracle::Shape shape_of(ShapeKind kind) {
    oracle::Shape shape;
    shape.kind = kind;
    shape.radius = 0.4f, shape.half_height = 0.7f, shape.half_extents = {0.5f, 0.3f, 0.8f};
    for (int i = 0; i < 8; ++i)
        shape.points.push_back({i & 1 ? 0.5f : -0.5f, i & 2 ? 0.4f : -0.4f, i & 4 ? 0.7f : -0.7f});
    return shape;
}

// Bodies up to a hundred metres from the origin near planes whose own origins are ten metres to a thousand kilometres
// to the side. The body comes first: points from so far a plane's position are no finer than float32 there.
scenes::Scene far_origins(ShapeKind kind, std::size_t pairs) {
    scenes::Scene scene;
    scene.name = std::string(to_string(kind)) + " near a plane of far origin";
    scene.add_solid(shape_of(kind));
    oracle::Shape plane;
    plane.kind = ShapeKind::halfspace;
    plane.normal = {0.3f, 1, -0.2f};
    const std::uint32_t ground = scene.add_solid(plane);
    scenes::Random random(1);
    for (std::size_t i = 0; i < pairs; ++i) {
        const Quat q = random.orientation(), q_plane = random.orientation();
        const Vec3d at = random.direction() * random.uniform(0, 100);
        const oracle::Rotation turned = oracle::rotation_of(q_plane);
        const Vec3d n = turned * scene.solids[ground].curved.normal, side = normalised(cross(n, random.direction()));
        const Vec3d origin = at + side * std::pow(10.0, random.uniform(1, 6)) + n * random.uniform(-1.2, 0.4);
        const std::uint32_t a = scene.add_body(0, at, q), b = scene.add_body(ground, origin, q_plane);
        scene.add_pair(a, b);
    }
    scene.compute_reference();
    return scene;
}

// A pair's manifold by a NarrowPhase of its own.
struct Ground {
    ShapeStore shapes;
    std::vector<Body> bodies;

    explicit Ground(Vec3 normal = {0, 1, 0}) { bodies.push_back({{0, 0, 0}, *shapes.add_halfspace(normal, 0), {}}); }
    void put(Expected<ShapeId> shape, Vec3 at, Quat q = {}) { bodies.push_back({at, *shape, q}); }

    std::vector<Contact> contacts(float margin = kMargin) const {
        const Pair pair{1, 0};
        NarrowPhase narrow({.speculative_margin = margin});
        Manifolds m;
        REQUIRE(narrow.collide({.shapes = &shapes, .bodies = bodies, .pairs = {&pair, 1}}, m));
        return m.contacts;
    }
};

std::set<std::uint32_t> ids_of(const std::vector<Contact>& contacts) {
    std::set<std::uint32_t> ids;
    for (const Contact& c : contacts) ids.insert(c.feature);
    return ids;
}

std::vector<Vec3> cube_points() {
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i) points.push_back({i & 1 ? 0.5f : -0.5f, i & 2 ? 0.5f : -0.5f, i & 4 ? 0.5f : -0.5f});
    return points;
}

}  // namespace

TEST_CASE("right: near a plane whose origin is up to a thousand kilometres to the side", "[right][halfspace]") {
    for (const ShapeKind kind : kConvexKinds) {
        const scenes::Scene scene = far_origins(kind, kPairsAKind / 5);
        for (const Isa isa : test::usable_isas()) {
            const judge::Report report =
                judge::judge(scene, judge::ask(scene.frame(), {.speculative_margin = kMargin, .isa = isa}), kMargin);
            INFO(to_string(isa) << ", " << judge::summary(scene, report));
            CHECK(report.wrong == 0);
            CHECK(double(report.hits) > 0.3 * double(report.pairs));
            CHECK(double(report.hits) < 0.95 * double(report.pairs));
            CHECK(report.exact_path == 0);
        }
    }
}

TEST_CASE("right: lanes and the exact path agree on half-spaces", "[right][halfspace]") {
    for (const ShapeKind kind : kConvexKinds) {
        const scenes::Scene scene = scenes::make_hard(kind, ShapeKind::halfspace, kPairsAKind / 2);
        const judge::Answers wide = judge::ask(scene.frame(), {}),
                             exact = judge::ask(scene.frame(), {.depth = DepthPath::exact});
        // Hulls far off their body's origin are left to it.
        CHECK(double(wide.exact_path) < 0.1 * double(scene.pairs.size()));
        std::size_t other_contacts = 0;
        test::Count off;
        for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
            const double x = wide.distances.signed_distance[i], y = exact.distances.signed_distance[i];
            off += std::fabs(x - y) > 0.3 * scene.tolerance(i);
            other_contacts +=
                test::contacts_of(wide.manifolds, i).size() != test::contacts_of(exact.manifolds, i).size();
        }
        INFO(to_string(kind));
        CHECK(off == 0);
        // The margin, and what is as deep as the deepest, are to within rounding.
        CHECK(double(other_contacts) < 0.01 * double(scene.pairs.size()));
    }
}

TEST_CASE("manifold: what rests on a half-space spans its patch", "[manifold][halfspace]") {
    for (const ShapeKind kind : {ShapeKind::capsule, ShapeKind::box, ShapeKind::hull}) {
        const scenes::Scene scene = scenes::make_resting(kind, ShapeKind::halfspace, kPairsAKind);
        NarrowPhase narrow;
        Manifolds m;
        REQUIRE(narrow.collide(scene.frame(), m));
        const judge::Report report = judge::judge_manifolds(scene, m, kMargin);
        INFO(judge::summary(scene, report));
        CHECK(report.wrong == 0);
        CHECK(double(report.patches) > 0.8 * double(report.manifolds));
        // Those that lean keep the points that bear the load, which may span less.
        CHECK(double(report.short_patches) <= 0.003 * double(report.patches));
    }
}

TEST_CASE("manifold: a box on the ground keeps its corners' ids while it rocks", "[manifold][halfspace]") {
    std::set<std::uint32_t> first;
    for (int i = -20; i <= 20; ++i) {
        Ground ground;
        const float angle = 1e-3f * float(i), half = angle / 2;
        ground.put(ground.shapes.add_box({0.5f, 0.25f, 0.5f}), {0, 0.25f, 0},
                   {half, 0, -half, std::sqrt(1 - 2 * half * half)});
        const std::vector<Contact> contacts = ground.contacts(0.05f);
        CHECK(contacts.size() == 4);
        if (first.empty()) first = ids_of(contacts);
        CHECK(ids_of(contacts) == first);
    }
}

TEST_CASE("manifold: a hull scaled by axis stands on all its corners", "[manifold][halfspace]") {
    Ground ground;
    const ShapeId cube = *ground.shapes.add_hull(cube_points());
    ground.put(ground.shapes.add_instance(cube, {.scale = {2, 0.5f, 1}}), {0, 0.25f, 0});
    const std::vector<Contact> contacts = ground.contacts();
    REQUIRE(contacts.size() == 4);
    for (const Contact& c : contacts) {
        CHECK(std::fabs(std::fabs(c.position.x) - 1) < 1e-5f);
        CHECK(std::fabs(std::fabs(c.position.z) - 0.5f) < 1e-5f);
    }
}

TEST_CASE("manifold: a plate thinner than the margin touches with its underside", "[manifold][halfspace]") {
    for (const float tilt : {0.0f, 1e-3f, 5e-3f}) {
        Ground ground;
        const ShapeId cube = *ground.shapes.add_hull(cube_points());
        ground.put(ground.shapes.add_instance(cube, {.scale = {1, 0.01f, 1}}), {0, 0.005f, 0}, {tilt / 2, 0, 0, 1});
        const std::vector<Contact> contacts = ground.contacts();
        REQUIRE(contacts.size() == 4);
        for (const Contact& c : contacts) CHECK(c.separation < 0.51f * tilt + 1e-5f);
    }
}

TEST_CASE("manifold: rounded shapes touch along the edge that they stand on", "[manifold][halfspace]") {
    const float s = std::sqrt(0.5f), sine = std::sin(0.125f * 3.14159265f);
    const Quat eighth{0, 0, sine, std::sqrt(1 - sine * sine)};
    for (const bool is_hull : {false, true}) {
        Ground ground;
        const Expected<ShapeId> hull = ground.shapes.add_hull(cube_points(), {.rounding = 0.1f});
        ground.put(is_hull ? hull : ground.shapes.add_box({0.5f, 0.5f, 0.5f}, {.rounding = 0.1f}), {0, s + 0.1f, 0},
                   eighth);
        const std::vector<Contact> contacts = ground.contacts();
        REQUIRE(contacts.size() == 2);
        for (const Contact& c : contacts) {
            CHECK(std::fabs(c.separation) < 1e-5f);
            CHECK(std::fabs(c.position.x) < 1e-5f);
            CHECK(std::fabs(std::fabs(c.position.z) - 0.5f) < 1e-5f);
        }
    }
}

TEST_CASE("half-space: a grain within the margin has its contact however far that is for it", "[halfspace]") {
    for (const float size : {1e-7f, 1e-5f, 1e-3f}) {
        ShapeStore shapes;
        const ShapeId ground = *shapes.add_halfspace({1e-3f, 1, 0}, 0);
        const std::vector<Vec3> point = {{0, 0, 0}}, rod = {{-size, 0, 0}, {size, 0, 0}};
        const ShapeId grains[] = {*shapes.add_hull(point, {.rounding = size}),
                                  *shapes.add_hull(rod),
                                  *shapes.add_hull(rod, {.rounding = size}),
                                  *shapes.add_box({size, size, size}),
                                  *shapes.add_cylinder(size, size),
                                  *shapes.add_cone(size, size)};
        NarrowPhase narrow({.speculative_margin = kMargin});
        scenes::Random random(29);
        for (int i = 0; i < 200; ++i) {
            const float height = float(random.uniform(0, 0.9)) * kMargin;
            for (const ShapeId grain : grains) {
                const Body bodies[] = {{{0, 0, 0}, ground, {}}, {{0, height, 0}, grain, random.orientation()}};
                const Pair pairs[] = {{1, 0}};
                Manifolds m;
                REQUIRE(narrow.collide({&shapes, std::span<const Body>(bodies), std::span<const Pair>(pairs)}, m));
                INFO(to_string(grain.kind()) << " of " << size << ", " << height << " over the plane");
                REQUIRE(m.manifolds.size() == 1);
                CHECK(std::fabs(m.contacts[0].separation - height) < 4 * size + 1e-6f * kMargin);
            }
        }
    }
}
