// The promises of pairs with a mesh or a height field: right, the same bits, symmetric, contained. A triangle is a flat
// convex shape, and the oracle is asked for each.
#include <algorithm>
#include <cmath>
#include <limits>

#include "support/any_company.hpp"
#include "support/catch.hpp"
#include "support/count.hpp"
#include "support/pair_answer.hpp"
#include "support/surface_pairs.hpp"

using namespace abut;
using test::NearestTriangles;
using test::SurfaceScene;
using test::words_of;

namespace {

constexpr std::uint32_t kPairs = 1200;

oracle::Claim claim_of(const Distances& d, std::size_t pair) {
    return {d.signed_distance[pair], d.normal[pair], d.point_a[pair], d.point_b[pair]};
}

// Of the part and triangle that attain the claim: the points and the normal hold, too.
bool is_witness(const SurfaceScene& scene, std::size_t pair, std::size_t part, std::size_t triangle,
                oracle::Claim claim, double known) {
    const std::uint32_t body = scene.pairs()[pair].a;
    const oracle::Pose pose = scene.others.pose(body, part);
    const oracle::Vec3d shift = pose.position - oracle::Vec3d(scene.others.bodies[body].position);
    for (Vec3* p : {&claim.point_a, &claim.point_b}) {
        const oracle::Vec3d moved = oracle::Vec3d(*p) - shift;
        *p = {float(moved.x), float(moved.y), float(moved.z)};
    }
    return oracle::check_answer(scene.others.solid(body, part), pose, scene.ground(pair).triangles[triangle],
                                scene.ground_pose(pair), claim, known)
        .right();
}

void check_right(const SurfaceScene& scene) {
    const judge::Answers answers = judge::ask(scene.frame(), {});
    std::size_t hits = 0, none = 0;
    test::Count wrong, wrong_hits, wrong_points;
    for (std::size_t i = 0; i < scene.pairs().size(); ++i) {
        const NearestTriangles nearest = test::nearest_triangles(scene, i);
        const float got = answers.distances.signed_distance[i];
        const double low = nearest.maybe.distance - nearest.maybe.allowed,
                     high = nearest.surely.distance + nearest.surely.allowed;
        CAPTURE(i, scene.ground_of[i], got, nearest.surely.distance, nearest.maybe.distance, nearest.surely.allowed);
        CAPTURE(int(scene.others.bodies[scene.pairs()[i].a].shape.kind()));
        const bool is_right = answers.distances.status[i] == Status::ok &&
                              (nearest.surely.distance == INFINITY ? true : got <= high) && got >= low;
        CHECK(is_right);
        wrong += !is_right;
        if (nearest.surely.distance == INFINITY) {
            ++none;
            continue;
        }
        const bool is_sure =
            nearest.maybe.triangle == nearest.surely.triangle && nearest.maybe.part == nearest.surely.part;
        hits += nearest.surely.distance <= 0;
        if (is_sure && std::fabs(nearest.surely.distance) > nearest.surely.allowed)
            wrong_hits += answers.overlaps.hit(i) != (nearest.surely.distance <= 0);
        if (is_sure && std::fabs(got - nearest.surely.distance) <= nearest.surely.allowed) {
            // Where another triangle is as near, its points may have been taken.
            bool found = is_witness(scene, i, nearest.surely.part, nearest.surely.triangle,
                                    claim_of(answers.distances, i), nearest.surely.distance);
            const std::uint32_t body = scene.pairs()[i].a;
            for (std::size_t part = 0; part < scene.others.parts[body].size() && !found; ++part)
                for (std::size_t t = 0; t < scene.ground(i).triangles.size() && !found; ++t) {
                    const double distance = scene.distance(i, part, t);
                    if (distance <= nearest.surely.distance + 2 * nearest.surely.allowed)
                        found = is_witness(scene, i, part, t, claim_of(answers.distances, i), distance);
                }
            wrong_points += !found;
        }
    }
    CHECK(wrong == 0);
    CHECK(wrong_hits == 0);
    CHECK(wrong_points == 0);
    CHECK(double(hits) > 0.25 * double(scene.pairs().size()));
    CHECK(double(hits) < 0.85 * double(scene.pairs().size()));
    CHECK(none < scene.pairs().size() / 10);
}

const SurfaceScene& scene() {
    static const SurfaceScene made = test::make_surface_scene(kPairs, 1, true);
    return made;
}

}  // namespace

TEST_CASE("surfaces, right: the nearest of all triangles that take part", "[surfaces]") {
    check_right(test::make_surface_scene(kPairs, 2));
}

TEST_CASE("surfaces, right: compounds, child by child", "[surfaces]") {
    check_right(test::make_surface_scene(kPairs / 2, 3, true));
}

TEST_CASE("surfaces, right: far from the origin", "[surfaces]") {
    check_right(test::make_surface_scene(kPairs / 4, 4, true, {4096, -8192, 2048}));
}

TEST_CASE("surfaces, same bits: every instruction set, any threads, any order, any company", "[surfaces]") {
    test::check_any_company(scene().frame(),
                            [](const Frame& frame, const Settings& settings) { return judge::ask(frame, settings); });
}

TEST_CASE("surfaces, symmetric: swapping A and B mirrors every answer", "[surfaces]") {
    std::vector<Pair> pairs = scene().pairs();
    for (const Pair& pair : scene().pairs()) pairs.push_back({pair.b, pair.a});
    Frame frame = scene().frame();
    frame.pairs = pairs;
    const judge::Answers answers = judge::ask(frame, {});
    test::Count wrong;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const Vec3 a = scene().others.bodies[pairs[i].a].position, b = scene().others.bodies[pairs[i].b].position;
        wrong += test::wrongly_mirrored(answers, i, i + kPairs, {b.x - a.x, b.y - a.y, b.z - a.z});
    }
    CHECK(wrong == 0);
}

TEST_CASE("surfaces, contained: a bad pose or id gets its status and harms no other", "[surfaces]") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const judge::Answers expected = judge::ask(scene().frame(), {});
    const ShapeId mesh = scene().grounds[0].id, field = scene().grounds.back().id;
    const std::vector<std::pair<Body, Status>> bad = {
        {{{nan, 0, 0}, mesh, {}}, Status::bad_pose},
        {{{0, 0, 0}, field, {0, 0, 0, 0}}, Status::bad_pose},
        {{{0, 0, 0}, ShapeId::make(ShapeKind::mesh, 1, 9), {}}, Status::bad_index},
        {{{0, 0, 0}, ShapeId::make(ShapeKind::heightfield, 100000, 0), {}}, Status::bad_index},
    };
    for (const auto& [body, status] : bad) {
        std::vector<Body> bodies = scene().others.bodies;
        for (std::size_t i = 3; i < kPairs; i += 9) bodies[2 * i + 1] = body;
        Frame frame = scene().frame();
        frame.bodies = bodies;
        const judge::Answers answers = judge::ask(frame, {});
        test::Count harmed, wrong;
        for (std::size_t i = 0; i < kPairs; ++i) {
            if (i % 9 != 3)
                harmed += words_of(answers, i) != words_of(expected, i);
            else
                wrong += answers.distances.status[i] != status || answers.overlaps.status[i] != status ||
                         answers.manifolds.status[i] != status;
        }
        CHECK(harmed == 0);
        CHECK(wrong == 0);
    }
}

TEST_CASE("surfaces: the depth of a box in a mesh computes the deepest triangles only", "[surfaces]") {
    ShapeStore store;
    const test::TestMesh torus = test::torus_mesh(100, 40);
    const ShapeId mesh = *store.add_mesh(torus.vertices, torus.triangles, {}, {.sides = MeshSides::both}),
                  box = *store.add_box({0.5f, 0.4f, 0.6f});
    scenes::Random random(7);
    std::vector<Body> bodies = {{{}, mesh, {}}};
    std::vector<Pair> pairs;
    for (std::uint32_t i = 1; i <= 64; ++i) {
        const double angle = 0.1 * i;
        bodies.push_back({{float(std::cos(angle)), 0, float(std::sin(angle))}, box, random.orientation()});
        pairs.push_back({0, i});
    }
    NarrowPhase narrow;
    Distances d;
    REQUIRE(narrow.distance({.shapes = &store, .bodies = bodies, .pairs = pairs}, d));
    for (const float depth : d.signed_distance) CHECK(depth < -0.1f);
    // Each box overlaps about a thousand triangles.
    CHECK(narrow.counters().child_pairs < 64 * 40);
}
