// Promise 3, "Symmetric": (b, a) gives (a, b)'s bits mirrored.
#include "catch.hpp"

#include <algorithm>

#include "pair_answer.hpp"

using namespace abut;

namespace {

constexpr std::size_t kPairs = test::kPairsAKind;

Vec3 negated(Vec3 v) { return {-v.x, -v.y, -v.z}; }
bool same(Vec3 v, Vec3 w) { return std::memcmp(&v, &w, sizeof v) == 0; }
Vec3 plus(Vec3 v, Vec3 w) { return {v.x + w.x, v.y + w.y, v.z + w.z}; }
float largest(Vec3 v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

// The same point from a's position and from b's: equal but for the roundings of the difference and the sum.
bool same_point(Vec3 from_a, Vec3 from_b, Vec3 b_from_a) {
    const Vec3 there = plus(from_b, b_from_a);
    const float limit = 4 * 0x1p-24f * (largest(from_a) + largest(from_b) + largest(b_from_a));
    return largest(plus(there, negated(from_a))) <= limit;
}

}  // namespace

TEST_CASE("symmetric: swapping A and B mirrors every answer", "[symmetric]") {
    const scenes::Scene scene = scenes::make_medley(kPairs);
    // Both orders within one frame, far enough apart to fall into different chunks and lanes.
    std::vector<Pair> pairs = scene.pairs;
    for (const Pair& pair : scene.pairs) pairs.push_back({pair.b, pair.a});
    Frame frame = scene.frame();
    frame.pairs = pairs;
    for (const Isa isa : test::usable_isas()) {
        const judge::Answers answers = judge::ask(frame, {.isa = isa});
        const Distances& d = answers.distances;
        const Manifolds& m = answers.manifolds;
        std::size_t distances = 0, normals = 0, points = 0, hits = 0, contacts = 0, statuses = 0;
        for (std::size_t i = 0; i < kPairs; ++i) {
            const std::size_t j = i + kPairs;
            const Vec3 p = scene.body_a(i).position, q = scene.body_b(i).position, b_from_a = plus(q, negated(p));
            distances += std::memcmp(&d.signed_distance[i], &d.signed_distance[j], sizeof(float)) != 0;
            normals += !same(d.normal[j], negated(d.normal[i]));
            points += !same_point(d.point_a[i], d.point_b[j], b_from_a) || !same_point(d.point_b[i], d.point_a[j], b_from_a);
            hits += answers.overlaps.hit(i) != answers.overlaps.hit(j);
            statuses += d.status[i] != d.status[j];
            const std::uint32_t at = m.first_manifold[i], mirrored = m.first_manifold[j];
            const std::uint32_t count = m.first_manifold[i + 1] - at;
            if (count != m.first_manifold[j + 1] - mirrored) {
                ++contacts;
                continue;
            }
            if (count == 0) continue;
            const Manifold &manifold = m.manifolds[at], &other = m.manifolds[mirrored];
            contacts += !same(other.normal, negated(manifold.normal)) || other.contact_count != manifold.contact_count;
            for (std::uint32_t k = 0; k < std::min(manifold.contact_count, other.contact_count); ++k) {
                const Contact &c = m.contacts[manifold.first_contact + k], &e = m.contacts[other.first_contact + k];
                contacts += c.separation != e.separation || c.feature != (e.feature << 16 | e.feature >> 16) ||
                            !same_point(c.position, e.position, b_from_a);
            }
        }
        INFO(to_string(isa));
        CHECK(distances == 0);
        CHECK(normals == 0);
        CHECK(points == 0);
        CHECK(hits == 0);
        CHECK(contacts == 0);
        CHECK(statuses == 0);
    }
}

TEST_CASE("symmetric: the mirrored pair alone gives the same as beside its twin", "[symmetric]") {
    const scenes::Scene scene = scenes::make_medley(kPairs / 4);
    std::vector<Pair> swapped, both;
    for (const Pair& pair : scene.pairs) {
        swapped.push_back({pair.b, pair.a});
        both.insert(both.end(), {pair, {pair.b, pair.a}});
    }
    Frame frame = scene.frame();
    frame.pairs = swapped;
    const judge::Answers alone = judge::ask(frame, {});
    frame.pairs = both;
    const judge::Answers beside = judge::ask(frame, {});
    std::size_t different = 0;
    for (std::size_t i = 0; i < swapped.size(); ++i) different += test::words_of(alone, i) != test::words_of(beside, 2 * i + 1);
    CHECK(different == 0);
}

TEST_CASE("symmetric: a body against itself is the deepest overlap", "[symmetric]") {
    const scenes::Scene medley = scenes::make_medley(kPairs / 4);
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < medley.bodies.size(); ++i) pairs.push_back({i, i});
    Frame frame = medley.frame();
    frame.pairs = pairs;
    const judge::Answers answers = judge::ask(frame, {});
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const Distances& d = answers.distances;
        const oracle::Solid& solid = medley.solids[medley.solid_of[i]];
        const oracle::Pose pose = oracle::pose_of(medley.bodies[i]);
        const bool ok = d.status[i] == Status::ok && answers.overlaps.hit(i) &&
                        oracle::check_answer(solid, pose, solid, pose, {d.signed_distance[i], d.normal[i], d.point_a[i], d.point_b[i]}).right();
        wrong += !ok;
    }
    CHECK(wrong == 0);
}
