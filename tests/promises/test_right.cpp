// Promise 1, "Right": every answer of every query against the independent oracle, every kind of pair, every usable
// instruction set.
#include "support/catch.hpp"

#include <cmath>
#include <limits>

#include "scenes/random.hpp"
#include "support/count.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using test::kPairsAKind;

namespace {

constexpr float kMargin = 0.02f;

void check_scene(const scenes::Scene& scene, Settings settings = {}) {
    settings.speculative_margin = kMargin;
    judge::Answers judged;
    for (const Isa isa : test::usable_isas()) {
        settings.isa = isa;
        const judge::Answers answers = judge::ask(scene.frame(), settings);
        // Equal bits need no second trial; other bits are a failure of their own, in test_same_bits.
        if (!judged.distances.status.empty() && judge::same_bits(judged, answers)) continue;
        const judge::Report report = judge::judge(scene, answers, kMargin);
        INFO(to_string(isa) << ", " << judge::summary(scene, report));
        CHECK(report.wrong == 0);
        // Else the scene no longer tries both halves of the code.
        CHECK(double(report.hits) > 0.3 * double(report.pairs));
        CHECK(double(report.hits) < 0.7 * double(report.pairs));
        judged = answers;
    }
}

}  // namespace

#define ABUT_KIND(a, b)                                                          \
    TEST_CASE("right: random pairs of " #a " and " #b, "[right]") {              \
        check_scene(scenes::make_row(#a "-" #b, kPairsAKind));                   \
    }                                                                            \
    TEST_CASE("right: hard pairs of " #a " and " #b, "[right]") {                \
        check_scene(scenes::make_hard(ShapeKind::a, ShapeKind::b, kPairsAKind)); \
    }

ABUT_EACH_KIND_OF_PAIR(ABUT_KIND)

TEST_CASE("right: the benchmark's rows", "[right]") {
    for (const char* name : {"hull8-hull8", "hull64-hull64", "hull256-hull256", "mixed"})
        check_scene(scenes::make_row(name, kPairsAKind / 10));
}

TEST_CASE("right: the exact path alone", "[right]") {
    check_scene(scenes::make_polytope_medley(kPairsAKind / 5), {.depth = DepthPath::exact});
    check_scene(scenes::make_medley(kPairsAKind / 5), {.depth = DepthPath::exact});
}

TEST_CASE("right: pairs past max_distance say so and nothing else", "[right]") {
    const scenes::Scene scene = scenes::make_polytope_medley(kPairsAKind / 2);
    NarrowPhase narrow;
    Distances all;
    REQUIRE(narrow.distance(scene.frame(), all));
    for (const float max_distance : {0.0f, 0.01f, 1.0f, 100.0f}) {
        Distances near;
        REQUIRE(narrow.distance(scene.frame(), near, {.max_distance = max_distance}));
        std::size_t beyond = 0;
        test::Count wrong;
        for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
            const bool left_out = near.signed_distance[i] == std::numeric_limits<float>::infinity();
            beyond += left_out;
            if (left_out) {
                const Vec3 zero;
                if (near.normal[i] != zero || near.point_a[i] != zero || near.point_b[i] != zero) ++wrong;
                if (scene.reference[i] < max_distance - scene.tolerance(i)) ++wrong;
            } else {
                if (scene.reference[i] > max_distance + scene.tolerance(i)) ++wrong;
                if (near.signed_distance[i] > max_distance) ++wrong;
                if (!scene.check(i, {near.signed_distance[i], near.normal[i], near.point_a[i], near.point_b[i]})
                         .right())
                    ++wrong;
            }
            if (near.status[i] != Status::ok) ++wrong;
        }
        INFO("max_distance " << max_distance);
        CHECK(wrong == 0);
        CHECK(beyond > 0);
        CHECK(beyond < scene.pairs.size());
    }
}

TEST_CASE("right: each pair has the margin given for it", "[right]") {
    const scenes::Scene scene = scenes::make_row("mixed", kPairsAKind / 2);
    std::vector<float> margins;
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) margins.push_back(0.01f * float(i % 30));
    Frame frame = scene.frame();
    frame.margins = margins;
    NarrowPhase narrow({.speculative_margin = 5});
    Manifolds manifolds;
    REQUIRE(narrow.collide(frame, manifolds));
    test::Count wrong;
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
        const bool found = manifolds.first_manifold[i + 1] > manifolds.first_manifold[i];
        if (std::fabs(scene.reference[i] - margins[i]) > scene.tolerance(i) &&
            found != (scene.reference[i] < margins[i]))
            ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("right: a point in the world is A's position and the answer", "[right]") {
    const scenes::Scene scene = scenes::make_row("mixed", 100);
    NarrowPhase narrow;
    Distances d;
    REQUIRE(narrow.distance(scene.frame(), d));
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
        const Vec3 a = scene.body_a(i).position, p = d.point_b[i];
        CHECK(world_point(scene.frame(), i, p) == Vec3{a.x + p.x, a.y + p.y, a.z + p.z});
    }
}

// The tiny shape sets a bound far below what a large hull's packed supports may fall short by.
TEST_CASE("right: tiny shapes that nearly touch large hulls", "[right]") {
    scenes::Random random(23);
    scenes::Scene scene;
    scene.name = "tiny shapes on large hulls";
    for (const int vertices : {32, 64, 256}) {
        oracle::Shape large;
        large.kind = ShapeKind::hull;
        large.rounding = vertices == 256 ? 0.0f : 1e-3f;
        for (int i = 0; i < vertices; ++i) {
            const oracle::Vec3d p = random.direction();
            large.points.push_back({float(p.x), float(p.y), float(p.z)});
        }
        scene.add_solid(large);
    }
    oracle::Shape tiny;
    tiny.kind = ShapeKind::cylinder;
    tiny.radius = tiny.half_height = 1e-4f;
    const std::uint32_t cylinder = scene.add_solid(tiny);
    tiny.kind = ShapeKind::box;
    tiny.half_extents = {1e-4f, 1e-4f, 1e-4f};
    const std::uint32_t box = scene.add_solid(tiny);
    for (std::uint32_t i = 0; i < 3 * kPairsAKind / 10; ++i) {
        const std::uint32_t large = i % 3, small = i % 2 == 0 ? cylinder : box;
        const Quat turn = random.orientation();
        const oracle::Pose far = {random.direction() * 1.5, oracle::rotation_of(turn)};
        const oracle::Exact apart = oracle::signed_distance(scene.solids[large], {}, scene.solids[small], far);
        // From so far off to a few of the bounds of touching, along the normal.
        const oracle::Vec3d at = far.position - apart.normal * (apart.signed_distance + random.uniform(-6e-6, 6e-6));
        scene.add_pair(scene.add_body(large, {}, {}), scene.add_body(small, at, turn));
    }
    scene.compute_reference();
    check_scene(scene);
}

TEST_CASE("right: shapes that touch to the bit have a normal and contacts", "[right]") {
    ShapeStore store;
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? 1.0f : -1.0f, i & 2 ? 0.5f : -0.5f, i & 4 ? 1.0f : -1.0f});
    const ShapeId shapes[] = {*store.add_sphere(0.5f),
                              *store.add_capsule(0.25f, 0.25f),
                              *store.add_box({1, 0.5f, 1}),
                              *store.add_hull(corners),
                              *store.add_cylinder(0.25f, 0.5f),
                              *store.add_cone(0.25f, 0.5f),
                              *store.add_ellipsoid({0.25f, 0.5f, 0.25f})};
    std::vector<Body> bodies;  // each as low, and each on top of it
    for (const float y : {-0.5f, 0.5f})
        for (const ShapeId shape : shapes) bodies.push_back({{0, y, 0}, shape, {}});
    std::vector<Pair> pairs;
    const std::uint32_t count = std::size(shapes);
    for (std::uint32_t below = 0; below < count; ++below)
        for (std::uint32_t above = 0; above < count; ++above) pairs.push_back({below, count + above});
    const Frame frame{&store, bodies, pairs};
    for (const Isa isa : test::usable_isas()) {
        NarrowPhase narrow({.isa = isa});
        Distances d;
        Manifolds m;
        REQUIRE(narrow.distance(frame, d));
        REQUIRE(narrow.collide(frame, m));
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            INFO(to_string(isa) << ", " << to_string(bodies[pairs[i].a].shape.kind()) << " below "
                                << to_string(bodies[pairs[i].b].shape.kind()));
            CHECK((d.status[i] == Status::ok && m.status[i] == Status::ok));
            CHECK(std::fabs(d.signed_distance[i]) < 1.1e-5f);
            CHECK(d.normal[i].y > 0.999f);
            REQUIRE(m.first_manifold[i + 1] == m.first_manifold[i] + 1);
            CHECK(m.manifolds[m.first_manifold[i]].normal.y > 0.999f);
            for (const Contact& contact : test::contacts_of(m, i))
                CHECK(std::fabs(contact.position.y - 0.5f) < 1.1e-5f);
        }
    }
}
