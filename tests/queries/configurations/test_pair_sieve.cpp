// any_overlap and least_distance decide most pairs by outlines of their shapes (queries/configurations/pair_sieve.hpp):
// what they say is what single queries say, for all kinds, apart, overlapping and touching to rounding.
#include "support/catch.hpp"

#include <cmath>
#include <limits>

#include <abut/abut.hpp>

#include "queries/configurations/arms.hpp"
#include "scenes/random.hpp"
#include "support/configuration_checks.hpp"
#include "support/pair_answer.hpp"

using namespace abut;

namespace {

#ifdef NDEBUG
constexpr std::size_t kConfigurations = 96;
#else
constexpr std::size_t kConfigurations = 24;
#endif

// All kinds, some rounded, with a pose, thin or of many parts.
std::vector<ShapeId> add_shapes(ShapeStore& store, scenes::Random& random) {
    // Braces, because the order in which arguments are drawn differs between compilers.
    const auto size = [&] { return float(random.uniform(0.05, 1)); };
    const auto sizes = [&] { return Vec3{size(), size(), size()}; };
    const auto posed = [&](float rounding) {
        return InstanceOptions{.rounding = rounding, .pose = {{size(), -size(), size()}, random.orientation()}};
    };
    const Vec3 capsule = sizes(), box = sizes(), rounded_box = sizes(), cylinder = sizes(), cone = sizes(),
               ellipsoid = sizes();
    const InstanceOptions ball_pose = posed(0.1f), needle_pose = posed(0), plate_pose = posed(0),
                          box_pose = posed(0.2f), cone_pose = posed(0.05f), compound_pose = posed(0.03f);
    std::vector<Vec3> points;
    for (int i = 0; i < 20; ++i) {
        const auto d = random.direction();
        points.push_back({float(0.3 + 0.5 * d.x), float(0.4 * d.y), float(0.6 * d.z)});
    }
    const std::vector<MeshTriangle> triangles = {{{0, 1, 2}}, {{2, 1, 3}}, {{4, 5, 6}}};
    const std::vector<float> heights(25, 0.1f);
    std::vector<ShapeId> out = {*store.add_sphere(size()),
                                *store.add_sphere(0.02f, ball_pose),
                                *store.add_sphere(0),
                                *store.add_capsule(capsule.x, capsule.y),
                                *store.add_capsule(0.02f, 2, needle_pose),
                                *store.add_box(box),
                                *store.add_box({1, 0.001f, 0.6f}, plate_pose),
                                *store.add_box(rounded_box, box_pose),
                                *store.add_cylinder(cylinder.x, cylinder.y),
                                *store.add_cone(cone.x, cone.y, cone_pose),
                                *store.add_ellipsoid(ellipsoid),
                                *store.add_hull(points),
                                *store.add_halfspace({1, 2, -1}, 0.3f, {.rounding = 0.1f}),
                                *store.add_halfspace({0, 1, 0}, -0.2f),
                                *store.add_mesh(points, triangles),
                                *store.add_heightfield(heights, 5, 5)};
    std::vector<CompoundChild> children;
    for (const std::size_t i : {0, 1, 3, 5, 8})
        children.push_back({out[i], {size(), size(), -size()}, random.orientation()});
    out.push_back(*store.add_compound(children));
    out.push_back(*store.add_compound(children, compound_pose));
    std::vector<Vec3> cloud;
    std::vector<CompoundChild> many;
    for (int i = 0; i < 80; ++i) {
        const auto d = random.direction();
        cloud.push_back({float(0.5 * d.x), float(0.7 * d.y), float(d.z)});
        many.push_back({out[i % 5], {size(), 2 * size(), -size()}, random.orientation()});
    }
    out.push_back(*add_point_cloud(store, cloud, 0.05f, compound_pose));
    out.push_back(*store.add_compound(many, {.scale = {0.5f, 0.5f, 0.5f}}));
    return out;
}

struct Scene {
    ShapeStore store;
    std::vector<ShapeId> shapes;
    std::vector<Vec3> positions;
    std::vector<DVec3> doubles;
    std::vector<Quat> orientations;
};

// Configurations of two bodies whose distance is 0 to rounding in a third, else up to half a metre about it.
void place(Scene& scene, ShapeId a, ShapeId b, scenes::Random& random, NarrowPhase& narrow) {
    scene.positions.clear(), scene.doubles.clear(), scene.orientations.clear();
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    for (std::uint32_t c = 0; c < kConfigurations; ++c) {
        const auto d = random.direction();
        const bool is_plain = c % 4 == 0;
        bodies.push_back({{float(random.uniform(-3, 3)), 0, 0}, a, is_plain ? Quat() : random.orientation()});
        bodies.push_back(
            {{float(4 * d.x), float(4 * d.y), float(4 * d.z)}, b, is_plain ? Quat() : random.orientation()});
        pairs.push_back({2 * c, 2 * c + 1});
    }
    for (int round = 0; round < 3; ++round) {
        Distances found;
        REQUIRE(narrow.distance(Frame{&scene.store, bodies, pairs}, found));
        for (std::size_t c = 0; c < kConfigurations; ++c) {
            const float gap = c % 3 == 0 || round < 2 ? 0 : float(random.uniform(-0.5, 0.5));
            const float by = std::isfinite(found.signed_distance[c]) ? found.signed_distance[c] - gap : 0;
            Vec3& at = bodies[2 * c + 1].position;
            const Vec3 n = found.normal[c];
            at = {at.x - by * n.x, at.y - by * n.y, at.z - by * n.z};
        }
    }
    // Bad poses, which no answer may take for good ones.
    for (std::size_t i = 5; i < bodies.size(); i += 24) bodies[i].orientation = {0, 0, 0, i % 48 == 5 ? 1.1f : 0.0f};
    for (const Body& body : bodies) {
        scene.positions.push_back(body.position), scene.orientations.push_back(body.orientation);
        scene.doubles.push_back({body.position.x + 2e6, body.position.y - 1e6, body.position.z});
    }
}

}  // namespace

TEST_CASE("configurations: any_overlap and least_distance say what single queries say, for all kinds",
          "[configurations]") {
    scenes::Random random(11);
    Scene scene;
    scene.shapes = add_shapes(scene.store, random);
    const std::vector<Pair> pairs = {{0, 1}}, swapped = {{1, 0}};
    std::size_t hits = 0, asked = 0;
    NarrowPhase placing;
    for (const Isa isa : test::usable_isas()) {
        NarrowPhase narrow({.threads = 1, .isa = isa});
        for (std::size_t i = 0; i < scene.shapes.size(); ++i) {
            for (std::size_t k = 0; k <= i; ++k) {
                const std::vector<ShapeId> bodies = {scene.shapes[i], scene.shapes[k]};
                place(scene, bodies[0], bodies[1], random, placing);
                Configurations all = {.shapes = &scene.store,
                                      .bodies = bodies,
                                      .pairs = random.chance(0.5) ? pairs : swapped,
                                      .positions = scene.positions,
                                      .orientations = scene.orientations};
                for (const bool is_double : {false, true}) {
                    if (is_double) all.positions = {}, all.double_positions = scene.doubles;
                    const DistanceOptions options = {.max_distance = k % 3 == 0 ? 0.2f : HUGE_VALF,
                                                     .separation_only = k % 2 == 0};
                    test::ConfigurationAnswers answers;
                    REQUIRE(narrow.overlap_configurations(all, answers.overlaps));
                    REQUIRE(narrow.distance_configurations(all, answers.distances, options));
                    hits += answers.overlaps.hits.size(), asked += kConfigurations;
                    INFO(to_string(bodies[0].kind()) << ' ' << i << ", " << to_string(bodies[1].kind()) << ' ' << k);
                    CHECK(test::wrongly_reduced(narrow, all, options, answers) == 0);
                }
            }
        }
    }
    CHECK(hits > asked / 5);
    CHECK(hits < asked * 4 / 5);
}

TEST_CASE("configurations: reductions of a list of all kinds", "[configurations]") {
    scenes::Random random(12);
    ShapeStore store;
    const std::vector<ShapeId> bodies = add_shapes(store, random);
    std::vector<Pair> pairs;
    for (int i = 0; i < 70; ++i)
        pairs.push_back({std::uint32_t(random.below(bodies.size())), std::uint32_t(random.below(bodies.size()))});
    for (const double spread : {1.0, 5.0, 40.0}) {
        std::vector<Vec3> positions;
        std::vector<Quat> orientations;
        for (std::size_t i = 0; i < kConfigurations * bodies.size(); ++i) {
            const auto d = random.direction();
            positions.push_back({float(spread * d.x), float(spread * d.y), float(spread * d.z)});
            orientations.push_back(random.orientation());
        }
        const Configurations all = {
            .shapes = &store, .bodies = bodies, .pairs = pairs, .positions = positions, .orientations = orientations};
        for (const Isa isa : test::usable_isas()) {
            NarrowPhase narrow({.threads = 2, .isa = isa});
            for (const DistanceOptions& options :
                 {DistanceOptions{}, DistanceOptions{.max_distance = 0.3f}, DistanceOptions{.separation_only = true}}) {
                test::ConfigurationAnswers answers;
                CHECK(test::differing(narrow, all, options, answers) == 0);
                CHECK(test::wrongly_reduced(narrow, all, options, answers) == 0);
            }
        }
    }
}

// In every layout, with bad poses, far from the origin, on threads.
TEST_CASE("configurations: obstacles have the bits of bodies that rest", "[configurations]") {
    scenes::Random random(13);
    ShapeStore store;
    std::vector<ShapeId> bodies = add_shapes(store, random);
    const std::size_t moving = bodies.size();
    bodies.insert(bodies.end(), bodies.begin(), bodies.begin() + std::ptrdiff_t(moving));
    std::vector<Pair> pairs = {{3, 3}, {std::uint32_t(moving), std::uint32_t(moving)}, {1, 0xffffffff}};
    for (int i = 0; i < 90; ++i)
        pairs.push_back({std::uint32_t(random.below(bodies.size())), std::uint32_t(random.below(bodies.size()))});
    std::vector<Vec3> positions;
    std::vector<DVec3> doubles;
    std::vector<Quat> orientations;
    std::vector<Mat44> transforms;
    for (std::size_t i = 0; i < 40 * bodies.size(); ++i) {
        const auto d = random.direction();
        const Vec3 p = {float(4 * d.x), float(4 * d.y), float(4 * d.z)};
        positions.push_back(p), doubles.push_back({p.x + 2e6, p.y - 1e6, double(p.z)});
        const bool is_bad = i % 97 == 5 || i == moving + 7;
        const Quat q = random.orientation();
        orientations.push_back(is_bad ? Quat{0, 0, 0, 2} : q);
        transforms.push_back(
            {{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z), 2 * (q.x * q.z - q.w * q.y), 0,
              2 * (q.x * q.y - q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.w * q.x), 0,
              2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y), 0, p.x, p.y,
              is_bad ? std::numeric_limits<float>::quiet_NaN() : p.z, 1}});
    }
    const Configurations given = {.shapes = &store, .bodies = bodies, .pairs = pairs};
    Configurations floats = given, of_doubles = given, of_transforms = given, of_both = given;
    floats.positions = of_both.positions = positions, floats.orientations = of_doubles.orientations = orientations;
    of_doubles.double_positions = doubles, of_transforms.transforms = of_both.transforms = transforms;
    for (const Configurations& all : {floats, of_doubles, of_transforms, of_both}) {
        for (const std::size_t first : {moving, bodies.size(), std::size_t(1)}) {
            const test::RestingBodies resting(all, first);
            for (const Isa isa : test::usable_isas()) {
                for (const unsigned threads : {1u, 3u}) {
                    NarrowPhase narrow({.threads = threads, .isa = isa});
                    CHECK(test::differing_answers(narrow, resting.once(), resting.repeated()) == 0);
                    CHECK(test::differing_answers(narrow, resting.once(), resting.repeated(),
                                                  {.max_distance = 0.3f, .separation_only = true}) == 0);
                }
            }
        }
    }
}

TEST_CASE("configurations: obstacles in another layout than the bodies", "[configurations]") {
    const robots::Arms arms = robots::make_planner(64, 21, true, 4);
    const Configurations all = arms.all();
    REQUIRE(!all.obstacles.empty());
    std::vector<DVec3> positions, of_obstacles;
    for (const Vec3 p : arms.positions) positions.push_back({p.x, p.y, p.z});
    std::vector<Body> records;
    for (std::size_t i = 0; i < all.obstacles.size(); ++i) {
        records.push_back(all.obstacles[i]);
        of_obstacles.push_back(all.obstacles.position(i));
    }
    const Strided<Body> as_records = records;
    BodyColumns in_double = Bodies(as_records).columns();
    in_double.positions = {}, in_double.double_positions = of_obstacles;
    Configurations moving_doubles = all, both_doubles = all, resting_doubles = all, with_records = all;
    moving_doubles.positions = both_doubles.positions = {};
    moving_doubles.double_positions = both_doubles.double_positions = positions;
    both_doubles.obstacles = resting_doubles.obstacles = in_double, with_records.obstacles = records;
    NarrowPhase narrow;
    CHECK(test::differing_answers(narrow, all, with_records) == 0);
    CHECK(test::differing_answers(narrow, both_doubles, moving_doubles) == 0);
    CHECK(test::differing_answers(narrow, both_doubles, resting_doubles) == 0);
}

// Spheres as a planner has them: the sieve decides all but what touches.
TEST_CASE("configurations: pairs of balls, capsules and boxes are seldom left to the queries on pairs",
          "[configurations]") {
    ShapeStore store;
    const std::vector<ShapeId> bodies = {*store.add_sphere(0.3f), *store.add_capsule(0.2f, 0.4f),
                                         *store.add_box({0.3f, 0.2f, 0.4f}), *store.add_halfspace({0, 1, 0}, -3)};
    std::vector<Pair> pairs;
    for (std::uint32_t a = 0; a < 4; ++a)
        for (std::uint32_t b = a + 1; b < 4; ++b) pairs.push_back({a, b});
    scenes::Random random(5);
    std::vector<Vec3> positions;
    std::vector<Quat> orientations;
    for (std::size_t i = 0; i < 4000; ++i) {
        const auto d = random.direction();
        positions.push_back({float(2 * d.x), float(2 * d.y), float(2 * d.z)}),
            orientations.push_back(random.orientation());
    }
    NarrowPhase narrow;
    AnyOverlaps any;
    REQUIRE(narrow.any_overlap(
        {.shapes = &store, .bodies = bodies, .pairs = pairs, .positions = positions, .orientations = orientations},
        any));
    CHECK(narrow.counters().pairs < 60);  // of 6,000
}
