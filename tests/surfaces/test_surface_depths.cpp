// Bodies of all kinds that overlap ridges and slopes by little and by much: the deepest contact is as deep as the
// signed distance, and stays as deep as that of a call without caches where contacts follow the body.
#include <algorithm>
#include <cmath>
#include <vector>

#include <abut/narrow_phase.hpp>

#include "scenes/random.hpp"
#include "scenes/turning.hpp"
#include "support/catch.hpp"
#include "support/count.hpp"
#include "support/surface_scenes.hpp"

using namespace abut;

namespace {

using scenes::Random;

enum class Ground { ridges, valley, slopes, waves, kinds };

test::TestMesh make_ground(Random& random, Ground ground) {
    const float cell = float(random.uniform(0.2, 0.6)), rise = float(std::tan(random.uniform(0.3, 0.9))) * cell;
    return test::grid_mesh(8, 8, cell, [&](float x, float z) {
        const int column = int(std::lround(x / cell));
        switch (ground) {
            case Ground::ridges: return column % 2 != 0 ? rise : 0.0f;
            case Ground::valley: return rise * float(std::abs(column - 4));
            case Ground::slopes: return rise * float(random.uniform(-0.5, 0.5));
            default: return 0.2f * rise * std::sin(2 * x / cell) * std::cos(z / cell);
        }
    });
}

ShapeId make_body(ShapeStore& store, Random& random, std::uint32_t kind) {
    const float x = float(random.uniform(0.1, 0.6)), y = float(random.uniform(0.1, 0.6)),
                z = float(random.uniform(0.1, 0.6));
    switch (kind) {
        case 0: return *store.add_box({x, y, z});
        case 1: return *store.add_box({x, y, z}, {.rounding = 0.3f * x, .pose = {}});
        case 2: return *store.add_capsule(0.5f * x, y);
        case 3: return *store.add_cylinder(x, y);
        case 4: return *store.add_cone(x, 0.3f * x);
        case 5: return *store.add_ellipsoid({x, y, z});
        default: break;
    }
    std::vector<Vec3> points;
    for (int i = 0; i < 12; ++i) {
        const oracle::Vec3d at = random.direction();
        points.push_back({float(x * at.x), float(y * at.y), float(z * at.z)});
    }
    return *store.add_hull(points);
}

// One body above the middle of some ground, lowered until it is as deep as wanted.
struct Scene {
    ShapeStore store;
    std::vector<Body> bodies;
    Pair pair[1] = {{0, 1}};
    std::vector<WarmCache> caches = std::vector<WarmCache>(1);
    Random random;
    double step;  // metres per frame

    Scene(std::uint64_t seed, NarrowPhase& narrow) : random(seed), step(std::pow(10.0, random.uniform(-4, -2.3))) {
        const auto ground = Ground(random.below(std::uint32_t(Ground::kinds)));
        const test::TestMesh mesh = make_ground(random, ground);
        const ShapeId body = make_body(store, random, random.below(7));
        const float middle = 0.5f * mesh.vertices.back().x, x = middle * float(random.uniform(0.7, 1.3)),
                    z = middle * float(random.uniform(0.7, 1.3));
        bodies = {{{x, 2.5f, z}, body, random.chance(0.3) ? Quat{} : random.orientation()},
                  {{}, *store.add_mesh(mesh.vertices, mesh.triangles), {}}};
        const double wanted = random.chance(0.5) ? random.uniform(-0.02, 0.02) : random.uniform(-0.2, 0);
        Distances distances;
        for (int i = 0; i < 100; ++i) {
            REQUIRE(narrow.distance(frame(), distances));
            const double left = double(distances.signed_distance[0]) - wanted;
            if (left <= 2e-3) break;
            bodies[0].position.y -= float(std::max(0.4 * left, 1e-3));
        }
    }
    Frame frame() const { return {&store, bodies, pair}; }
    void move() {
        const oracle::Vec3d way = random.direction() * step;
        Vec3& at = bodies[0].position;
        at = {at.x + float(way.x), at.y + float(way.y), at.z + float(way.z)};
        bodies[0].orientation = scenes::slightly_turned(bodies[0].orientation, random.direction() * step);
    }
};

double deepest(const Manifolds& manifolds) {
    double least = INFINITY;
    for (const Contact& contact : manifolds.contacts) least = std::min(least, double(contact.separation));
    return least;
}

}  // namespace

TEST_CASE("surfaces, contacts: the deepest is as deep as the signed distance, on ridges and slopes", "[surfaces]") {
    NarrowPhase narrow;
    Distances distances;
    Manifolds manifolds;
    test::Count shallow;
    std::size_t overlapping = 0;
    for (std::uint64_t seed = 0; seed < 1200; ++seed) {
        const Scene scene(seed, narrow);
        REQUIRE(narrow.distance(scene.frame(), distances));
        const double distance = double(distances.signed_distance[0]);
        if (distance >= 0) continue;
        ++overlapping;
        REQUIRE(narrow.collide(scene.frame(), manifolds));
        // A tenth above the slack, 0.4% of the size.
        shallow += deepest(manifolds) > distance + 0.0044 * double(scene.store.view(scene.bodies[0].shape).size);
    }
    CHECK(overlapping > 600);
    CHECK(shallow == 0);
}

TEST_CASE("surfaces, contacts: none is beyond the margin, however large the ground is", "[surfaces]") {
    for (const float extent : {5.0f, 500.0f, 5000.0f, 50000.0f}) {
        ShapeStore store;
        const std::vector<Vec3> corners = {
            {-extent, 0, -extent}, {-extent, 0, extent}, {extent, 0, extent}, {extent, 0, -extent}};
        const std::vector<MeshTriangle> triangles = {{{0, 1, 2}}, {{0, 2, 3}}};
        const ShapeId ground = *store.add_mesh(corners, triangles), box = *store.add_box({0.5f, 0.5f, 0.5f});
        const std::vector<CompoundChild> children = {{box, {}, {}, 0}, {box, {2, 0, 0}, {}, 0}};
        const std::vector<Pair> pairs = {{0, 1}};
        for (const ShapeId body : {box, *store.add_capsule(0.25f, 0.25f), *store.add_cylinder(0.3f, 0.5f),
                                   *store.add_ellipsoid({0.3f, 0.5f, 0.4f}), *store.add_compound(children)}) {
            for (const float margin : {0.0f, 0.02f}) {
                NarrowPhase narrow({.speculative_margin = margin});
                Manifolds manifolds;
                for (const float beyond : {-1e-3f, 1e-3f, 1e-2f}) {
                    const std::vector<Body> bodies = {{{0.3f, 0.5f + margin + beyond, 0.1f}, body, {}},
                                                      {{}, ground, {}}};
                    REQUIRE(narrow.collide({&store, bodies, pairs}, manifolds));
                    INFO(extent << " m, kind " << int(body.kind()) << ", margin " << margin << " + " << beyond);
                    CHECK(manifolds.contacts.empty() == (beyond > 0));
                }
            }
        }
    }
}

// Bodies of 0.4 to 2.4 m at a cube of 0.2 m, overlapping or apart.
TEST_CASE("surfaces, contacts: the deepest is as deep as the signed distance, on a surface smaller than the body",
          "[surfaces]") {
    constexpr float kHalf = 0.1f, kLarge = 4;
    NarrowPhase narrow;
    Distances distances;
    Manifolds manifolds;
    test::Count shallow;
    std::size_t near = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        Random random(seed);
        ShapeStore store;
        const test::TestMesh cube = test::cube_mesh();
        const ShapeId small = *store.add_mesh(cube.vertices, cube.triangles, {.scale = {kHalf, kHalf, kHalf}});
        const ShapeId body =
            *store.add_instance(make_body(store, random, 1 + random.below(6)), {.scale = {kLarge, kLarge, kLarge}});
        std::vector<Body> bodies = {{{}, body, random.orientation()}, {{}, small, random.orientation()}};
        const std::vector<Pair> pairs = {{0, 1}};
        const oracle::Vec3d way = random.direction();
        const double wanted = random.uniform(-0.018, 0.018);
        double low = 0, high = 5;
        for (int i = 0; i < 30; ++i) {
            const double at = 0.5 * (low + high);
            bodies[0].position = {float(at * way.x), float(at * way.y), float(at * way.z)};
            REQUIRE(narrow.distance({&store, bodies, pairs}, distances));
            (double(distances.signed_distance[0]) > wanted ? high : low) = at;
        }
        const double distance = double(distances.signed_distance[0]);
        if (std::fabs(distance - wanted) > 1e-4) continue;
        ++near;
        REQUIRE(narrow.collide({&store, bodies, pairs}, manifolds));
        shallow += deepest(manifolds) > distance + 0.0044 * double(kHalf);
    }
    CHECK(near > 1500);
    CHECK(shallow == 0);
}

TEST_CASE("surfaces, contacts: the nearest point is a contact, beside corners that are farther", "[surfaces]") {
    ShapeStore store;
    const test::TestMesh cube = test::cube_mesh();
    const ShapeId mesh = *store.add_mesh(cube.vertices, cube.triangles, {.scale = {0.5f, 0.5f, 0.5f}});
    struct Case {
        ShapeId shape;
        Vec3 position;
        Quat orientation;
    };
    // Their corners are farther by up to 11 mm than the point where two edges cross, or face the other way.
    const Case cases[] = {{*store.add_cylinder(0.580601394f, 0.124742828f),
                           {0.969812155f, 0.865772665f, 0.168727145f},
                           {-0.371276528f, -0.297486603f, 0.822767496f, -0.310980946f}},
                          {*store.add_cylinder(0.159039512f, 0.653028429f),
                           {-0.794815004f, 0.389841169f, 1.10869193f},
                           {-0.375962049f, -0.422396988f, -0.627966583f, -0.534687996f}},
                          {*store.add_cone(0.584104896f, 0.398155957f),
                           {0.433063835f, 0.767560482f, -0.191011697f},
                           {0.812528253f, -0.0827860236f, 0.287030846f, 0.500557244f}},
                          {*store.add_cone(0.488749832f, 0.602668524f),
                           {-0.385664225f, -0.877874076f, 0.361670107f},
                           {0.573000073f, -0.175409034f, 0.502795935f, -0.622975767f}}};
    NarrowPhase narrow;
    Distances distances;
    Manifolds manifolds;
    const std::vector<Pair> pairs = {{0, 1}};
    for (const Case& of : cases) {
        const std::vector<Body> bodies = {{of.position, of.shape, of.orientation}, {{}, mesh, {}}};
        REQUIRE(narrow.distance({&store, bodies, pairs}, distances));
        REQUIRE(narrow.collide({&store, bodies, pairs}, manifolds));
        CHECK(deepest(manifolds) < double(distances.signed_distance[0]) + 1e-3);
    }
}

// A box on ridges that is tilted along them: the kernels take the normal of the box's face, which is not perpendicular
// to a ridge, but as near as noise.
TEST_CASE("surfaces, contacts: a face that is almost parallel to ridges lies on them", "[surfaces]") {
    ShapeStore store;
    const test::TestMesh mesh =
        test::grid_mesh(12, 12, 0.25f, [](float x, float) { return std::lround(4 * x) % 2 != 0 ? 0.25f : 0.0f; });
    const std::vector<Body> ground = {{{}, *store.add_box({0.6f, 0.2f, 0.8f}), {}},
                                      {{}, *store.add_mesh(mesh.vertices, mesh.triangles), {}}};
    NarrowPhase narrow;
    Manifolds manifolds;
    for (const double tilt : {0.0, 4e-4, 9e-4, 0.0015, 0.003, 0.006, 0.012, 0.02, 0.026}) {
        INFO(tilt);
        std::vector<Body> bodies = ground;
        bodies[0].position = {1.5f, 0.445f + 0.8f * float(tilt), 1.4f};
        bodies[0].orientation = scenes::slightly_turned({}, {tilt, 0, 0});
        const std::vector<Pair> pairs = {{0, 1}};
        REQUIRE(narrow.collide({&store, bodies, pairs}, manifolds));
        REQUIRE(manifolds.manifolds.size() == 1);
        CHECK(double(manifolds.manifolds[0].normal.y) < -0.999);
        float low = 1, high = -1;
        for (const Contact& contact : manifolds.contacts)
            low = std::min(low, contact.position.x), high = std::max(high, contact.position.x);
        CHECK(high - low > 0.49f);  // both ridges
    }
}

namespace {

// A body that moves in steps, with the answers of calls with caches beside those without.
struct Walk {
    explicit Walk(float follow) : warm({.follow_distance = follow}) {}

    // Returns by how much the deepest contacts differ. Where only one call has contacts, the other's are beyond the
    // margin.
    double off(const Frame& of, std::vector<WarmCache>& caches) {
        Frame frame = of;
        REQUIRE(cold.collide(frame, expected));
        frame.caches = caches;
        REQUIRE(warm.collide(frame, followed));
        const double margin = double(Settings().speculative_margin);
        return std::fabs(std::min(deepest(followed), margin) - std::min(deepest(expected), margin));
    }
    bool has_followed() const { return warm.counters().child_pairs == 0; }

    NarrowPhase cold, warm;
    Manifolds expected, followed;
};

constexpr float kFollow = 0.01f;

}  // namespace

TEST_CASE("surfaces, warm: contacts that follow on ridges and slopes stay as deep as new ones", "[surfaces][warm]") {
    Walk walk(kFollow);
    test::Count wrong;
    std::size_t moved = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Scene scene(seed, walk.cold);
        for (int i = 0; i < 12; ++i, scene.move()) {
            wrong += walk.off(scene.frame(), scene.caches) > 2 * double(kFollow);
            moved += walk.has_followed() && !walk.followed.contacts.empty();
        }
    }
    CHECK(moved > 900);
    CHECK(wrong == 0);
}

namespace {

// Moves a body over two triangles that meet in a ridge along Z, by 1 mm a step. Returns the largest difference.
double walk_on_ridge(Walk& walk, float slope, const Body& body, ShapeStore& store, Vec3 step,
                     std::size_t* follows = nullptr) {
    const std::vector<Vec3> corners = {{-2, -2 * slope, -2}, {-2, -2 * slope, 2}, {0, 0, -2}, {0, 0, 2},
                                       {2, -2 * slope, -2},  {2, -2 * slope, 2}};
    const std::vector<MeshTriangle> triangles = {{{0, 1, 3}}, {{0, 3, 2}}, {{2, 3, 5}}, {{2, 5, 4}}};
    std::vector<Body> bodies = {body, {{}, *store.add_mesh(corners, triangles), {}}};
    const std::vector<Pair> pairs = {{0, 1}};
    std::vector<WarmCache> caches(1);
    double largest = 0;
    for (int i = 0; i < 24; ++i) {
        largest = std::max(largest, walk.off({&store, bodies, pairs}, caches));
        if (follows != nullptr) *follows += walk.has_followed() ? 1 : 0;
        Vec3& at = bodies[0].position;
        at = {at.x + 1e-3f * step.x, at.y + 1e-3f * step.y, at.z + 1e-3f * step.z};
    }
    return largest;
}

}  // namespace

TEST_CASE("surfaces, warm: no contacts follow a body whose centre is about to pass a triangle's plane",
          "[surfaces][warm]") {
    ShapeStore store;
    Walk walk(kFollow);
    // The centre begins behind both slopes, where a body has no contact, and leaves through one.
    const Body box = {{0.1f, -0.104f, 0}, *store.add_box({0.3f, 0.3f, 0.3f}), {}};
    CHECK(walk_on_ridge(walk, 1, box, store, {0.5f, 0.5f, 0}) <= 2 * double(kFollow));
    CHECK(deepest(walk.expected) < -0.2);
}

TEST_CASE("surfaces, warm: a contact does not follow as another point of its name", "[surfaces][warm]") {
    ShapeStore store;
    Walk walk(kFollow);
    // The lowest point of a tilted capsule, and the end of its line of contact, have the name of one end. The lowest
    // point leaves the border at x = 2.
    const Quat tilted = {0, 0, float(std::sin(0.6)), float(std::cos(0.6))};
    const float half = 0.6f, end_x = half * float(std::sin(1.2)), end_y = half * float(std::cos(1.2));
    const Body capsule = {{1.994f - end_x, 0.388f + end_y, 0.1f}, *store.add_capsule(0.4f, half), tilted};
    CHECK(walk_on_ridge(walk, 0, capsule, store, {1, 0, 0}) <= 2 * double(kFollow));
}

TEST_CASE("surfaces, warm: contacts follow a body that touches, but not one that is sunk", "[surfaces][warm]") {
    for (const bool is_sunk : {false, true}) {
        ShapeStore store;
        Walk walk(kFollow);
        const Body box = {{0.3f, is_sunk ? 0.45f : 0.499f, 0.1f}, *store.add_box({0.5f, 0.5f, 0.5f}), {}};
        std::size_t follows = 0;
        CHECK(walk_on_ridge(walk, 0, box, store, {1, 0, 0}, &follows) <= 2 * double(kFollow));
        CHECK((is_sunk ? follows == 0 : follows >= 12));
    }
}
