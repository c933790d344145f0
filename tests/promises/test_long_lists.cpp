// Pairs of compounds with many pairs of children: in bounded memory and time, and the same answers however many are
// computed together.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "batch/child_runs.hpp"
#include "support/compound_scene.hpp"
#include "support/count.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using test::words_of;

namespace {

constexpr float kHalf = 0.5f;
const Quat kEighth = {0, 0, 0.38268343f, 0.92387953f};

// Boxes about one place, each moved by up to `spread`. Of `balls` + 1 of them all but the first are balls, whose seams
// cost nothing.
ShapeId add_cluster(ShapeStore& store, std::size_t count, double spread, Quat turn = {}, std::uint64_t seed = 1,
                    std::size_t balls = 0) {
    const ShapeId box = *store.add_box({kHalf, kHalf, kHalf}), ball = *store.add_sphere(kHalf);
    scenes::Random random(seed);
    std::vector<CompoundChild> children;
    for (std::size_t i = 0; i < count; ++i) {
        const oracle::Vec3d p = random.direction() * (spread * random.uniform());
        const ShapeId shape = i % (balls + 1) == 0 ? box : ball;
        children.push_back({shape, {float(p.x), float(p.y), float(p.z)}, turn});
    }
    return *store.add_compound(children);
}

struct TwoBodies {
    ShapeStore store;
    std::vector<Body> bodies;
    std::vector<Pair> pairs{{0, 1}};
    Frame frame() const { return {.shapes = &store, .bodies = bodies, .pairs = pairs}; }
};

TwoBodies coincident(std::size_t count, float apart, Quat turn = {}) {
    TwoBodies two;
    const ShapeId compound = add_cluster(two.store, count, 0, turn);
    two.bodies = {{{}, compound, {}}, {{0, apart, 0}, compound, {}}};
    return two;
}

}  // namespace

TEST_CASE("long lists: of equally near children the lowest has the answer, whatever the order of their bounds",
          "[compounds]") {
    ShapeStore store;
    const ShapeId ball = *store.add_sphere(0.5f);
    // Both are 5 from the middle; the box of the ball off the axes is nearer. Only children as near are listed.
    const Vec3 on_axis = {5, 0, 0}, off_axis = {3, 4, 0};
    for (const bool axis_first : {true, false}) {
        std::vector<CompoundChild> children = {{ball, axis_first ? on_axis : off_axis, {}},
                                               {ball, axis_first ? off_axis : on_axis, {}}};
        for (std::uint32_t i = 0; i <= kLongList; ++i) children.push_back({ball, on_axis, {}});
        const std::vector<Body> bodies = {{{}, *store.add_compound(children), {}}, {{}, ball, {}}};
        const std::vector<Pair> pairs = {{0, 1}};
        Distances d;
        NarrowPhase narrow;
        REQUIRE(narrow.distance({&store, bodies, pairs}, d));
        CHECK(narrow.counters().child_pairs >= kLongList);
        CHECK(d.signed_distance[0] == 4);
        const Vec3 p = children[0].position;
        CHECK(d.normal[0] == Vec3{-p.x / 5, -p.y / 5, 0});
    }
}

TEST_CASE("long lists: thousands of coincident children have an answer or a status, in bounded memory", "[compounds]") {
    const TwoBodies two = coincident(3000, 0.25f);
    NarrowPhase narrow;
    Overlaps o;
    REQUIRE(narrow.overlap(two.frame(), o));
    CHECK(o.hit(0));
    CHECK(o.status[0] == Status::ok);
    CHECK(narrow.counters().child_pairs <= kLongList);
    Distances d;
    REQUIRE(narrow.distance(two.frame(), d));
    CHECK(d.status[0] == Status::ok);
    CHECK(std::fabs(d.signed_distance[0] + 0.75f) < 1e-5f);
    CHECK(narrow.counters().child_pairs <= 3 * kLongList);
    Manifolds m;
    REQUIRE(narrow.collide(two.frame(), m));
    CHECK(m.status[0] == Status::no_room);
    CHECK(m.manifolds.empty());
    CHECK(narrow.counters().most_child_pairs == 9000000);
    CHECK(narrow.reserve(0) < 64u << 20);
}

TEST_CASE("long lists: a distance that cannot be proved says so, and is a bound", "[compounds]") {
    // Boxes on edge fill half of their bounds: no bound tells which pair is deepest.
    const TwoBodies two = coincident(150, 0.25f, kEighth);
    NarrowPhase all, few({.max_child_pairs = kLongList});
    Distances d, bound;
    REQUIRE(all.distance(two.frame(), d));
    CHECK(all.counters().child_pairs == 150 * 150);
    CHECK(d.status[0] == Status::ok);
    REQUIRE(few.distance(two.frame(), bound));
    CHECK(few.counters().child_pairs == kLongList);
    CHECK(bound.status[0] == Status::not_converged);
    CHECK(bound.signed_distance[0] >= d.signed_distance[0]);
    CHECK(std::isfinite(bound.signed_distance[0]));

    // Balls whose bounds overlap and that do not.
    TwoBodies balls;
    const ShapeId ball = *balls.store.add_sphere(0.5f);
    const ShapeId cluster = *balls.store.add_compound(std::vector<CompoundChild>(150, CompoundChild{ball, {}, {}}));
    balls.bodies = {{{}, cluster, {}}, {{0.7f, 0.7f, 0.7f}, cluster, {}}};
    Overlaps o;
    REQUIRE(few.overlap(balls.frame(), o));
    CHECK(o.status[0] == Status::not_converged);
    CHECK_FALSE(o.hit(0));
    REQUIRE(all.overlap(balls.frame(), o));
    CHECK(o.status[0] == Status::ok);
    CHECK_FALSE(o.hit(0));
    // One that overlaps settles it, however many there are.
    balls.bodies[1].position = {0.5f, 0.5f, 0.5f};
    REQUIRE(few.overlap(balls.frame(), o));
    CHECK(o.status[0] == Status::ok);
    CHECK(o.hit(0));
}

TEST_CASE("long lists: more contacts than max_child_pairs are refused, as many are not", "[compounds]") {
    const TwoBodies two = coincident(20, 0.25f);
    Manifolds m;
    NarrowPhase none({.max_child_pairs = 399}), all({.max_child_pairs = 400});
    REQUIRE(none.collide(two.frame(), m));
    CHECK(m.status[0] == Status::no_room);
    CHECK(m.first_manifold == std::vector<std::uint32_t>{0, 0});
    CHECK(none.counters().most_child_pairs == 400);
    REQUIRE(all.collide(two.frame(), m));
    CHECK(m.status[0] == Status::ok);
    CHECK(m.manifolds.size() == 400);
    CHECK(all.counters().most_child_pairs == 0);
}

// The pairs of a frame are answered with each other and one by one, on one thread and on several.
TEST_CASE("long lists: the same bits whatever else is computed", "[compounds][same_bits]") {
    constexpr std::size_t kLongBoxes = 150;  // longer lists of boxes alone take a minute
    TwoBodies many;
    std::vector<ShapeId> clusters;
    for (const std::size_t count : {3, 60, 150, 260, 370})
        clusters.push_back(
            add_cluster(many.store, count, 0.4, count % 2 ? Quat{} : kEighth, count, count > kLongBoxes ? 7 : 0));
    many.pairs.clear();
    scenes::Random random(8);
    for (std::uint32_t i = 0; i < 12; ++i) {
        const oracle::Vec3d p = random.direction() * (i % 5 == 4 ? 0.1 : i % 3 == 0 ? 1.9 : 0.6);
        many.bodies.push_back(
            {{float(p.x), float(p.y), float(p.z)}, clusters[i % clusters.size()], random.orientation()});
        if (i != 0) many.pairs.push_back(i % 2 ? Pair{i - 1, i} : Pair{i, i - 1});
    }
    many.bodies.push_back({{}, *many.store.add_halfspace({0, 1, 0}, 0.1f), {}});
    many.pairs.push_back({12, 4});
    many.pairs.push_back({9, 4});  // more than a block by itself
    for (const Isa isa : test::usable_isas()) {
        const Settings serial = {.executor = serial_executor(), .isa = isa};
        const judge::Answers together = judge::ask(many.frame(), serial);
        CHECK(judge::same_bits(together, judge::ask(many.frame(), {.threads = 3, .isa = isa})));
        // More than a block, so that manifolds are kept from block to block.
        REQUIRE(together.manifolds.manifolds.size() > kBlockChildPairs);
        test::Count different;
        for (std::size_t i = 0; i < many.pairs.size(); ++i) {
            Frame alone = many.frame();
            alone.pairs = {&many.pairs[i], 1};
            different += words_of(judge::ask(alone, serial), 0) != words_of(together, i);
            // Mirrored, too.
            const Pair turned = {many.pairs[i].b, many.pairs[i].a};
            alone.pairs = {&turned, 1};
            const judge::Answers back = judge::ask(alone, serial);
            different += back.distances.signed_distance[0] != together.distances.signed_distance[i] ||
                         back.overlaps.hit(0) != together.overlaps.hit(i) ||
                         back.manifolds.manifolds.size() !=
                             together.manifolds.first_manifold[i + 1] - together.manifolds.first_manifold[i];
        }
        CHECK(different == 0);
    }
}

TEST_CASE("long lists: each answer is that of the children one by one", "[compounds]") {
    // 300 x 300 child pairs; the same boxes in compounds of 60, whose lists are short.
    constexpr std::size_t kCount = 300, kPart = 60;
    for (const float apart : {0.3f, 1.2f, 2.5f}) {
        TwoBodies whole, parts;
        scenes::Random random(3);
        std::vector<CompoundChild> children;
        for (std::size_t i = 0; i < kCount; ++i) {
            const oracle::Vec3d p = random.direction() * (0.6 * random.uniform());
            children.push_back({{}, {float(p.x), float(p.y), float(p.z)}, random.orientation()});
        }
        const auto add = [&](TwoBodies& two, std::size_t first, std::size_t count) {
            const ShapeId box = *two.store.add_box({kHalf, 0.1f, 0.3f});
            std::vector<CompoundChild> some(children.begin() + std::ptrdiff_t(first),
                                            children.begin() + std::ptrdiff_t(first + count));
            for (CompoundChild& child : some) child.shape = box;
            return *two.store.add_compound(some);
        };
        const ShapeId all = add(whole, 0, kCount);
        whole.bodies = {{{}, all, {}}, {{0, apart, 0}, all, kEighth}};
        parts.pairs.clear();
        constexpr std::uint32_t kParts = kCount / kPart;
        std::vector<ShapeId> ids;
        for (std::size_t i = 0; i < kCount; i += kPart) ids.push_back(add(parts, i, kPart));
        for (const ShapeId id : ids) parts.bodies.push_back({{}, id, {}});
        for (const ShapeId id : ids) parts.bodies.push_back({{0, apart, 0}, id, kEighth});
        for (std::uint32_t a = 0; a < kParts; ++a)
            for (std::uint32_t b = 0; b < kParts; ++b) parts.pairs.push_back({a, kParts + b});
        const judge::Answers answers = judge::ask(whole.frame(), {}), expected = judge::ask(parts.frame(), {});
        const float nearest =
            *std::min_element(expected.distances.signed_distance.begin(), expected.distances.signed_distance.end());
        CHECK(std::fabs(answers.distances.signed_distance[0] - nearest) <= 0.3f * 1.1e-5f * 0.6f);
        CHECK(answers.overlaps.hit(0) == !expected.overlaps.hits.empty());
        REQUIRE(answers.manifolds.manifolds.size() == expected.manifolds.manifolds.size());
        // In the order of the children; each the very one of the parts.
        test::Count different;
        std::uint64_t before = 0;
        for (const Manifold& m : answers.manifolds.manifolds) {
            const std::uint64_t key = std::uint64_t(m.child_a) << 32 | m.child_b;
            different += &m != answers.manifolds.manifolds.data() && key <= before;
            before = key;
            const std::uint32_t pair = std::uint32_t(m.child_a / kPart * kParts + m.child_b / kPart);
            const auto from = expected.manifolds.manifolds.begin() + expected.manifolds.first_manifold[pair];
            const auto to = expected.manifolds.manifolds.begin() + expected.manifolds.first_manifold[pair + 1];
            const auto found = std::find_if(from, to, [&](const Manifold& x) {
                return x.child_a == m.child_a % kPart && x.child_b == m.child_b % kPart;
            });
            different += found == to || found->normal != m.normal || found->contact_count != m.contact_count ||
                         !test::same(expected.manifolds.contacts[found->first_contact],
                                     answers.manifolds.contacts[m.first_contact]);
        }
        CHECK(different == 0);
    }
}

TEST_CASE("a limit per pair is as good as one for all", "[compounds][distance]") {
    const scenes::Scene convex = scenes::make_medley(test::kPairsAKind / 5);
    const test::CompoundScene compounds = test::make_compounds(test::kPairsAKind / 20, 6, 9);
    constexpr float kLimits[] = {0.0f, 0.01f, 0.3f, std::numeric_limits<float>::infinity()};
    for (const Frame& frame : {convex.frame(), compounds.frame()}) {
        std::vector<float> limits(frame.pairs.size());
        for (std::size_t i = 0; i < limits.size(); ++i) limits[i] = kLimits[i % 4];
        for (const Isa isa : test::usable_isas()) {
            for (const DepthPath depth : {DepthPath::automatic, DepthPath::exact}) {
                NarrowPhase narrow({.isa = isa, .depth = depth});
                Distances mixed, same;
                REQUIRE(narrow.distance(frame, mixed, {.max_distance = 7, .max_distances = limits}));
                std::size_t beyond = 0;
                test::Count different;
                for (std::size_t k = 0; k < 4; ++k) {
                    REQUIRE(narrow.distance(frame, same, {.max_distance = kLimits[k]}));
                    for (std::size_t i = k; i < limits.size(); i += 4) {
                        test::Words x, y;
                        test::append(x, mixed, i);
                        test::append(y, same, i);
                        different += x != y;
                        beyond += std::isinf(mixed.signed_distance[i]);
                    }
                }
                CHECK(different == 0);
                CHECK(beyond > limits.size() / 20);
                CHECK(beyond < limits.size());
            }
        }
    }
    // With caches, which remember what is beyond a pair's own limit.
    std::vector<WarmCache> caches(convex.pairs.size());
    std::vector<float> limits(caches.size());
    for (std::size_t i = 0; i < limits.size(); ++i) limits[i] = kLimits[i % 3];
    Frame warm = convex.frame();
    warm.caches = caches;
    NarrowPhase narrow;
    Distances cold, once, twice;
    REQUIRE(narrow.distance(convex.frame(), cold, {.max_distances = limits}));
    REQUIRE(narrow.distance(warm, once, {.max_distances = limits}));
    REQUIRE(narrow.distance(warm, twice, {.max_distances = limits}));
    test::Count different;
    for (std::size_t i = 0; i < limits.size(); ++i) {
        different += once.signed_distance[i] != cold.signed_distance[i];
        // A distance within promise 1's bound of the limit may be either.
        const bool is_borderline = std::fabs(convex.reference[i] - double(limits[i])) <= convex.tolerance(i);
        different += !is_borderline && std::isinf(twice.signed_distance[i]) != std::isinf(cold.signed_distance[i]);
    }
    CHECK(different == 0);
}
