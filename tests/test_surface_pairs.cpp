// The promises of pairs with a mesh or a height field: right, the same bits, symmetric, contained. A triangle is a flat convex shape, and the oracle
// is asked for each.
#include <algorithm>
#include <limits>

#include "catch.hpp"
#include "pair_answer.hpp"
#include "surface_pairs.hpp"

using namespace abut;
using test::NearestTriangles;
using test::SurfaceScene;
using test::words_of;

namespace {

constexpr std::uint32_t kPairs = 1200;

oracle::Claim claim_of(const Distances& d, std::size_t pair) { return {d.signed_distance[pair], d.normal[pair], d.point_a[pair], d.point_b[pair]}; }

// Of the part and triangle that attain the claim: the points and the normal hold, too.
bool is_witness(const SurfaceScene& scene, std::size_t pair, std::size_t part, std::size_t triangle, oracle::Claim claim, double known) {
    const std::uint32_t body = scene.pairs()[pair].a;
    const oracle::Pose pose = scene.others.pose(body, part);
    const oracle::Vec3d shift = pose.position - oracle::Vec3d(scene.others.bodies[body].position);
    for (Vec3* p : {&claim.point_a, &claim.point_b}) {
        const oracle::Vec3d moved = oracle::Vec3d(*p) - shift;
        *p = {float(moved.x), float(moved.y), float(moved.z)};
    }
    return oracle::check_answer(scene.others.solid(body, part), pose, scene.ground(pair).triangles[triangle], scene.ground_pose(pair), claim, known)
        .right();
}

void check_right(const SurfaceScene& scene) {
    const judge::Answers answers = judge::ask(scene.frame(), {});
    std::size_t wrong = 0, wrong_hits = 0, wrong_points = 0, hits = 0, none = 0;
    for (std::size_t i = 0; i < scene.pairs().size(); ++i) {
        const NearestTriangles nearest = test::nearest_triangles(scene, i);
        const float got = answers.distances.signed_distance[i];
        const double low = nearest.maybe.distance - nearest.maybe.allowed, high = nearest.surely.distance + nearest.surely.allowed;
        CAPTURE(i, scene.ground_of[i], got, nearest.surely.distance, nearest.maybe.distance, nearest.surely.allowed);
        CAPTURE(int(scene.others.bodies[scene.pairs()[i].a].shape.kind()));
        const bool is_right = answers.distances.status[i] == Status::ok && (nearest.surely.distance == INFINITY ? true : got <= high) && got >= low;
        CHECK(is_right);
        wrong += !is_right;
        if (nearest.surely.distance == INFINITY) {
            ++none;
            continue;
        }
        const bool is_sure = nearest.maybe.triangle == nearest.surely.triangle && nearest.maybe.part == nearest.surely.part;
        hits += nearest.surely.distance <= 0;
        if (is_sure && std::fabs(nearest.surely.distance) > nearest.surely.allowed)
            wrong_hits += answers.overlaps.hit(i) != (nearest.surely.distance <= 0);
        if (is_sure && std::fabs(got - nearest.surely.distance) <= nearest.surely.allowed) {
            // Where another triangle is as near, its points may have been taken.
            bool found = is_witness(scene, i, nearest.surely.part, nearest.surely.triangle, claim_of(answers.distances, i), nearest.surely.distance);
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

// How many pairs of the scene, in this order and company, differ from the scene as it is?
std::size_t differing(const std::vector<std::size_t>& which, const Settings& settings) {
    static const judge::Answers expected = judge::ask(scene().frame(), {.executor = serial_executor()});
    std::vector<Pair> pairs;
    for (const std::size_t i : which) pairs.push_back(scene().pairs()[i]);
    Frame frame = scene().frame();
    frame.pairs = pairs;
    const judge::Answers answers = judge::ask(frame, settings);
    std::size_t count = 0;
    for (std::size_t i = 0; i < which.size(); ++i) count += words_of(answers, i) != words_of(expected, which[i]);
    return count;
}

}  // namespace

TEST_CASE("surfaces, right: the nearest of all triangles that take part", "[surfaces]") { check_right(test::make_surface_scene(kPairs, 2)); }

TEST_CASE("surfaces, right: compounds, child by child", "[surfaces]") { check_right(test::make_surface_scene(kPairs / 2, 3, true)); }

TEST_CASE("surfaces, right: far from the origin", "[surfaces]") { check_right(test::make_surface_scene(kPairs / 4, 4, true, {4096, -8192, 2048})); }

TEST_CASE("surfaces, same bits: every instruction set, any threads, any order, any company", "[surfaces]") {
    std::vector<std::size_t> order(kPairs), odd;
    for (std::size_t i = 0; i < kPairs; ++i) order[i] = i;
    std::vector<std::size_t> backwards(order.rbegin(), order.rend());
    for (std::size_t i = 1; i < kPairs; i += 7) odd.insert(odd.end(), {i, i, i / 2});
    for (const Isa isa : test::usable_isas()) {
        INFO(to_string(isa));
        CHECK(differing(order, {.isa = isa}) == 0);
        CHECK(differing(backwards, {.threads = 3, .isa = isa}) == 0);
        CHECK(differing(odd, {.threads = 1, .isa = isa}) == 0);
    }
    for (std::size_t i = 0; i < kPairs; i += 20) CHECK(differing({i}, {}) == 0);
}

TEST_CASE("surfaces, symmetric: swapping A and B mirrors every answer", "[surfaces]") {
    std::vector<Pair> pairs = scene().pairs();
    for (const Pair& pair : scene().pairs()) pairs.push_back({pair.b, pair.a});
    Frame frame = scene().frame();
    frame.pairs = pairs;
    const judge::Answers answers = judge::ask(frame, {});
    const Distances& d = answers.distances;
    const Manifolds& m = answers.manifolds;
    const auto negated = [](Vec3 v) { return Vec3{-v.x, -v.y, -v.z}; };
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const std::size_t j = i + kPairs;
        const Vec3 a = scene().others.bodies[pairs[i].a].position, b = scene().others.bodies[pairs[i].b].position;
        const auto mirrored = [&](Vec3 from_a, Vec3 from_b) {
            const Vec3 off = {from_a.x - (b.x - a.x) - from_b.x, from_a.y - (b.y - a.y) - from_b.y, from_a.z - (b.z - a.z) - from_b.z};
            return std::max({std::fabs(off.x), std::fabs(off.y), std::fabs(off.z)}) <= 1e-6f;
        };
        wrong += !test::same(d.signed_distance[i], d.signed_distance[j]) || answers.overlaps.hit(i) != answers.overlaps.hit(j);
        if (d.signed_distance[i] != std::numeric_limits<float>::infinity())
            wrong += !test::same(d.normal[j], negated(d.normal[i])) || !mirrored(d.point_a[i], d.point_b[j]) || !mirrored(d.point_b[i], d.point_a[j]);
        const std::uint32_t count = m.first_manifold[i + 1] - m.first_manifold[i];
        REQUIRE(m.first_manifold[j + 1] - m.first_manifold[j] == count);
        for (std::uint32_t k = 0; k < count; ++k) {
            const Manifold &x = m.manifolds[m.first_manifold[i] + k], &y = m.manifolds[m.first_manifold[j] + k];
            wrong += x.child_a != y.child_b || x.child_b != y.child_a || !test::same(x.normal, negated(y.normal));
            REQUIRE(x.contact_count == y.contact_count);
            for (std::uint32_t c = 0; c < x.contact_count; ++c) {
                const Contact &p = m.contacts[x.first_contact + c], &q = m.contacts[y.first_contact + c];
                wrong +=
                    !test::same(p.separation, q.separation) || p.feature != (q.feature << 16 | q.feature >> 16) || !mirrored(p.position, q.position);
            }
        }
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
        std::size_t harmed = 0, wrong = 0;
        for (std::size_t i = 0; i < kPairs; ++i) {
            if (i % 9 != 3)
                harmed += words_of(answers, i) != words_of(expected, i);
            else
                wrong += answers.distances.status[i] != status || answers.overlaps.status[i] != status || answers.manifolds.status[i] != status;
        }
        CHECK(harmed == 0);
        CHECK(wrong == 0);
    }
}
