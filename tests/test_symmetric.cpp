// Promise 3, "Symmetric": (b, a) gives (a, b)'s bits mirrored.
#include "catch.hpp"

#include <algorithm>

#include "pair_answer.hpp"
#include "scenes/resting.hpp"

using namespace abut;

namespace {

constexpr std::size_t kPairs = test::kPairsAKind;

Vec3 negated(Vec3 v) { return {-v.x, -v.y, -v.z}; }
Vec3 plus(Vec3 v, Vec3 w) { return {v.x + w.x, v.y + w.y, v.z + w.z}; }
float largest(Vec3 v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

// The same point from a's position and from b's: equal but for the roundings of the difference and the sum.
bool same_point(Vec3 from_a, Vec3 from_b, Vec3 b_from_a) {
    const Vec3 there = plus(from_b, b_from_a);
    const float limit = 4 * 0x1p-24f * (largest(from_a) + largest(from_b) + largest(b_from_a));
    return largest(plus(there, negated(from_a))) <= limit;
}

// How many answers of a query are not mirrored.
struct Unmirrored {
    std::size_t distances = 0, normals = 0, points = 0, hits = 0, manifolds = 0, statuses = 0;
};

bool mirrored(const Contact& c, const Contact& other, Vec3 b_from_a) {
    return test::same(c.separation, other.separation) && c.feature == (other.feature << 16 | other.feature >> 16) &&
           same_point(c.position, other.position, b_from_a);
}

// Contacts are mirrored one by one, in the same order.
bool mirrored(const Manifolds& m, std::size_t i, std::size_t j, Vec3 b_from_a) {
    const std::span<const Contact> contacts = test::contacts_of(m, i), others = test::contacts_of(m, j);
    if (contacts.size() != others.size()) return false;
    if (contacts.empty()) return m.first_manifold[i] == m.first_manifold[i + 1] && m.first_manifold[j] == m.first_manifold[j + 1];
    return test::same(m.manifolds[m.first_manifold[j]].normal, negated(m.manifolds[m.first_manifold[i]].normal)) &&
           std::ranges::equal(contacts, others, [&](const Contact& c, const Contact& other) { return mirrored(c, other, b_from_a); });
}

// Pair j is pair i with its bodies swapped.
void compare(const judge::Answers& answers, std::size_t i, std::size_t j, Vec3 b_from_a, Unmirrored& count) {
    const Distances& d = answers.distances;
    count.distances += !test::same(d.signed_distance[i], d.signed_distance[j]);
    count.normals += !test::same(d.normal[j], negated(d.normal[i]));
    count.points += !same_point(d.point_a[i], d.point_b[j], b_from_a) || !same_point(d.point_b[i], d.point_a[j], b_from_a);
    count.hits += answers.overlaps.hit(i) != answers.overlaps.hit(j);
    count.statuses += d.status[i] != d.status[j];
    count.manifolds += !mirrored(answers.manifolds, i, j, b_from_a);
}

void check_mirrored(const scenes::Scene& scene) {
    // Both orders within one frame, far enough apart to fall into different chunks and lanes.
    std::vector<Pair> pairs = scene.pairs;
    for (const Pair& pair : scene.pairs) pairs.push_back({pair.b, pair.a});
    std::vector<float> margins = scene.margins;
    margins.insert(margins.end(), scene.margins.begin(), scene.margins.end());
    Frame frame = scene.frame();
    frame.pairs = pairs;
    frame.margins = margins;
    for (const Isa isa : test::usable_isas()) {
        const judge::Answers answers = judge::ask(frame, {.isa = isa});
        Unmirrored count;
        for (std::size_t i = 0; i < scene.pairs.size(); ++i)
            compare(answers, i, i + scene.pairs.size(), plus(scene.body_b(i).position, negated(scene.body_a(i).position)), count);
        INFO(to_string(isa));
        CHECK(count.distances == 0);
        CHECK(count.normals == 0);
        CHECK(count.points == 0);
        CHECK(count.hits == 0);
        CHECK(count.manifolds == 0);
        CHECK(count.statuses == 0);
    }
}

}  // namespace

TEST_CASE("symmetric: swapping A and B mirrors every answer", "[symmetric]") { check_mirrored(scenes::make_medley(kPairs)); }

TEST_CASE("symmetric: swapping A and B mirrors manifolds of many contacts", "[symmetric]") {
    check_mirrored(scenes::make_resting_medley(kPairs));
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
    for (std::uint32_t i = 0; i < medley.bodies.size(); ++i)
        if (medley.bodies[i].shape.kind() != ShapeKind::halfspace) pairs.push_back({i, i});
    Frame frame = medley.frame();
    frame.pairs = pairs;
    const judge::Answers answers = judge::ask(frame, {});
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const Distances& d = answers.distances;
        const oracle::Solid& solid = medley.solids[medley.solid_of[pairs[i].a]];
        const oracle::Pose pose = oracle::pose_of(medley.bodies[pairs[i].a]);
        const bool ok = d.status[i] == Status::ok && answers.overlaps.hit(i) &&
                        oracle::check_answer(solid, pose, solid, pose, {d.signed_distance[i], d.normal[i], d.point_a[i], d.point_b[i]}).right();
        wrong += !ok;
    }
    CHECK(wrong == 0);
}
