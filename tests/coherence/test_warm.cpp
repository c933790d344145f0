// Warm-start caches: what they hold may save work, never change what is right; and given equal caches, the bits are
// equal.
#include "support/catch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "scenes/random.hpp"
#include "scenes/resting.hpp"
#include "support/count.hpp"
#include "support/walked.hpp"
#include "support/warm_calls.hpp"

using namespace abut;
using test::Caches, test::check_right, test::Still;

namespace {

constexpr std::size_t kPairs = test::kWarmPairs;

WarmCache random_cache(scenes::Random& random) {
    WarmCache cache;
    for (std::byte& byte : cache.opaque) byte = std::byte(random.below(256));
    return cache;
}

// Every query of the scene with these caches, which the queries hand on to one another.
judge::Answers ask(const scenes::Scene& scene, Caches& caches, const Settings& settings = {}) {
    Frame frame = scene.frame();
    frame.caches = caches;
    return judge::ask(frame, settings);
}

bool same_contact(const Contact& a, const Contact& b) {
    return a.position == b.position && a.separation == b.separation && a.feature == b.feature;
}

}  // namespace

TEST_CASE("warm: equal caches give equal bits", "[warm]") {
    const std::size_t slots = 100;
    const scenes::Scene walk =
        scenes::make_walk(scenes::make_resting_medley(slots, 13), {.frames = 30, .step = 1e-2, .teleport_every = 10});
    const test::Walked expected = test::ask_frames(walk, test::in_order(slots), {.executor = serial_executor()});
    std::vector<std::size_t> reversed = test::in_order(slots);
    std::ranges::reverse(reversed);
    const auto differing = [&](const std::vector<std::size_t>& order, const Settings& settings) {
        const test::Walked walked = test::ask_frames(walk, order, settings);
        std::size_t count = 0;
        for (std::size_t f = 0; f < walked.answers.size(); ++f)
            for (std::size_t i = 0; i < slots; ++i)
                count += test::words_of(walked.answers[f], i) != test::words_of(expected.answers[f], order[i]);
        for (std::size_t i = 0; i < slots; ++i) count += !test::same(walked.caches[i], expected.caches[i]);
        return count;
    };
    for (const Isa isa : test::usable_isas()) {
        for (const unsigned threads : {1u, 3u}) {
            INFO(to_string(isa) << ", " << threads << " threads");
            CHECK(differing(test::in_order(slots), {.threads = threads, .isa = isa}) == 0);
            CHECK(differing(reversed, {.threads = threads, .isa = isa}) == 0);
        }
    }
}

TEST_CASE("warm: caches in a pool, with an index for each pair, are those in the order of the pairs", "[warm]") {
    const std::size_t slots = 100, pool_size = 128;
    const scenes::Scene walk =
        scenes::make_walk(scenes::make_resting_medley(slots, 13), {.frames = 12, .step = 1e-4, .teleport_every = 10});
    std::vector<std::uint32_t> indices;
    for (std::uint32_t i = 0; i < slots; ++i) indices.push_back((37 * i + 11) % pool_size);
    for (const Isa isa : test::usable_isas()) {
        for (const unsigned threads : {1u, 3u}) {
            INFO(to_string(isa) << ", " << threads << " threads");
            Caches in_order(slots), pool(pool_size);
            for (std::size_t first = 0; first < walk.pairs.size(); first += slots) {
                Frame frame = walk.frame();
                frame.pairs = Strided<Pair>(walk.pairs).subspan(first, slots),
                frame.margins = Strided<float>(walk.margins).subspan(first, slots);
                frame.caches = in_order;
                const judge::Answers expected = judge::ask(frame, {.threads = threads, .isa = isa});
                frame.caches = pool, frame.cache_indices = indices;
                CHECK(judge::same_bits(judge::ask(frame, {.threads = threads, .isa = isa}), expected));
            }
            std::size_t written = 0;
            test::Count differing;
            for (std::size_t i = 0; i < slots; ++i) differing += !test::same(pool[indices[i]], in_order[i]);
            for (const WarmCache& cache : pool) written += !test::same(cache, WarmCache{});
            CHECK(differing == 0);
            CHECK((written > slots / 2 && written <= slots));
        }
    }
}

TEST_CASE("warm: caches of any content do no harm", "[warm]") {
    for (const scenes::Scene& scene : {scenes::make_polytope_medley(kPairs), scenes::make_resting_medley(kPairs)}) {
        scenes::Random random(17);
        Caches noise, ones(kPairs), own(kPairs), others, spoilt;
        for (WarmCache& cache : ones) std::fill_n(cache.opaque, sizeof cache.opaque, std::byte(0xff));
        ask(scene, own);
        for (std::size_t i = 0; i < kPairs; ++i) {
            noise.push_back(random_cache(random));
            others.push_back(own[random.below(std::uint32_t(kPairs))]);
            spoilt.push_back(own[i]);
            spoilt.back().opaque[random.below(sizeof(WarmCache))] ^= std::byte(1 << random.below(8));
        }
        for (Caches* caches : {&own, &others, &spoilt, &noise, &ones}) {
            const Caches before = *caches;
            const judge::Answers first = ask(scene, *caches);
            check_right(scene, judge::judge(scene, first, Settings().speculative_margin));
            // On any instruction set the same, harm or not.
            for (const Isa isa : test::usable_isas()) {
                *caches = before;
                INFO(to_string(isa));
                CHECK(judge::same_bits(ask(scene, *caches, {.isa = isa}), first));
            }
        }
    }
}

// What random bytes hardly ever are: caches with their mark, of a search's vertices or of a far pair.
TEST_CASE("warm: vertices of any names do no harm, nor do statements without their seal", "[warm]") {
    scenes::Random random(23);
    const auto forged = [&](std::uint32_t mark, std::uint32_t mask) {
        std::uint32_t words[sizeof(WarmCache) / 4];
        for (std::uint32_t& word : words) word = (random.below(1u << 16) << 16 | random.below(1u << 16)) & mask;
        words[0] = mark;
        return std::bit_cast<WarmCache>(words);
    };
    constexpr std::uint32_t kVertices = 0x31747562, kFar = 0x7f006166, kAnyName = ~0u, kSmallNames = 0x000f000f;
    for (const scenes::Scene& scene : {scenes::make_polytope_medley(kPairs), scenes::make_resting_medley(kPairs)}) {
        for (const auto& [mark, mask] :
             {std::pair{kVertices, kAnyName}, std::pair{kVertices, kSmallNames}, std::pair{kFar, kAnyName}}) {
            Caches caches(kPairs);
            Frame frame = scene.frame();
            frame.caches = caches;
            const auto forge = [&, mark = mark, mask = mask] {
                std::generate(caches.begin(), caches.end(), [&] { return forged(mark, mask); });
            };
            NarrowPhase narrow;
            judge::Answers answers;
            forge();
            REQUIRE(narrow.distance(frame, answers.distances));
            forge();
            REQUIRE(narrow.distance(frame, answers.separations, {.separation_only = true}));
            forge();
            REQUIRE(narrow.overlap(frame, answers.overlaps));
            forge();
            REQUIRE(narrow.collide(frame, answers.manifolds));
            check_right(scene, judge::judge(scene, answers, Settings().speculative_margin));
        }
    }
}

TEST_CASE("warm: what is known of far pairs is of these shapes alone, and whole", "[warm]") {
    const std::vector<Vec3> tetrahedron = {{-1, -1, -1}, {1, -1, -1}, {0, 1, -1}, {0, 0, 1}};
    std::vector<Vec3> larger = tetrahedron;
    for (Vec3& v : larger) v.x *= 2, v.y *= 2, v.z *= 2;
    const auto add_all = [&](ShapeStore& store, const std::vector<Vec3>& points, float size) {
        return std::vector<ShapeId>{*store.add_hull(points), *store.add_box({size, size, size}),
                                    *store.add_capsule(size, size), *store.add_cylinder(size, size)};
    };
    ShapeStore store, others;
    const std::vector<ShapeId> shapes = add_all(store, tetrahedron, 1), elsewhere = add_all(others, larger, 2);
    REQUIRE(shapes == elsewhere);
    NarrowPhase narrow;
    Manifolds manifolds;
    const auto touch = [&](const ShapeStore& in, ShapeId a, ShapeId b, float apart, WarmCache& cache) {
        const Body bodies[] = {{{0, 0, 0}, a, {}}, {{0, 0, apart}, b, {}}};
        const Pair pairs[] = {{0, 1}};
        Frame frame = {&in, std::span<const Body>(bodies), std::span<const Pair>(pairs), {}, {&cache, 1}};
        REQUIRE(narrow.collide(frame, manifolds));
        return !manifolds.manifolds.empty();
    };
    for (const ShapeId a : shapes) {
        for (const ShapeId b : shapes) {
            INFO(to_string(a.kind()) << " and " << to_string(b.kind()));
            WarmCache known;
            CHECK(!touch(store, a, b, 3.5f, known));
            WarmCache same = known;
            CHECK(!touch(store, a, b, 3.4f, same));
            CHECK(test::same(same, known));
            // Another store's shapes of the same ids are larger.
            WarmCache foreign = known;
            CHECK(touch(others, a, b, 3.5f, foreign));
            CHECK(touch(store, a, b, 1.0f, same));
            for (std::size_t bit = 0; bit < 8 * sizeof(WarmCache); ++bit) {
                WarmCache spoilt = known;
                spoilt.opaque[bit / 8] ^= std::byte(1 << bit % 8);
                CHECK(touch(store, a, b, 1.0f, spoilt));
            }
        }
    }
}

TEST_CASE("warm: zero bytes are an empty cache", "[warm]") {
    const scenes::Scene scene = scenes::make_resting_medley(kPairs);
    NarrowPhase narrow;
    Distances without, with_empty;
    REQUIRE(narrow.distance(scene.frame(), without));
    Caches caches(kPairs);
    Frame frame = scene.frame();
    frame.caches = caches;
    REQUIRE(narrow.distance(frame, with_empty));
    CHECK(without.signed_distance == with_empty.signed_distance);
    CHECK(without.normal == with_empty.normal);
    CHECK(without.point_a == with_empty.point_a);
}

TEST_CASE("warm: a pair that is refused leaves its neighbours' caches alone", "[warm]") {
    const scenes::Scene scene = scenes::make_resting_medley(kPairs);
    Caches good(kPairs), beside(kPairs);
    const judge::Answers expected = ask(scene, good);
    std::vector<Body> bodies = scene.bodies;
    for (std::size_t i = 4; i < kPairs; i += 9)
        bodies[scene.pairs[i].a].position.x = std::numeric_limits<float>::quiet_NaN();
    Frame frame = scene.frame();
    frame.bodies = bodies;
    frame.caches = beside;
    const judge::Answers answers = judge::ask(frame, {});
    test::Count harmed;
    for (std::size_t i = 0; i < kPairs; ++i)
        if (i % 9 != 4)
            harmed += test::words_of(answers, i) != test::words_of(expected, i) || !test::same(good[i], beside[i]);
    CHECK(harmed == 0);
}

TEST_CASE("warm: contacts are kept while a pair rests, and under the same conditions only", "[warm]") {
    const scenes::Scene scene = scenes::make_resting_medley(kPairs, 31);
    Still still(scene.pairs.size());
    still.collide(scene.frame());
    CHECK(still.kept() == 0);
    still.collide(scene.frame());
    CHECK(still.kept() == 0);
    const Manifolds before = still.manifolds;
    still.collide(scene.frame());
    CHECK(still.kept() > 0.5);  // not of spheres, half-spaces and other closed forms
    REQUIRE(before.contacts.size() == still.manifolds.contacts.size());
    test::Count changed;
    for (const Manifold& m : before.manifolds)
        for (std::uint32_t k = m.first_contact; k < m.first_contact + m.contact_count; ++k)
            changed +=
                still.traces[m.pair].count == 0 && !same_contact(before.contacts[k], still.manifolds.contacts[k]);
    CHECK(changed == 0);
    const Caches resting = still.caches;

    std::vector<float> margins = scene.margins;
    for (float& margin : margins) margin *= 1.01f;
    Frame wider = scene.frame();
    wider.margins = margins;
    still.collide(wider);
    CHECK(still.kept() == 0);
    still.caches = resting;
    still.collide(scene.frame(), {.contact_slack = Settings().contact_slack / 2});
    CHECK(still.kept() == 0);
    still.caches = resting;
    std::vector<Body> bodies = scene.bodies;
    for (Body& body : bodies) body.position = {body.position.x * 1.001f, body.position.y, body.position.z};
    Frame moved = scene.frame();
    moved.bodies = bodies;
    still.collide(moved);
    CHECK(still.kept() < 0.05);
}

TEST_CASE("warm: no bit of kept contacts is believed on its own", "[warm]") {
    ShapeStore store;
    const ShapeId box = *store.add_box({1, 1, 1});
    const Body bodies[] = {{{0, 0, 0}, box, {}}, {{0.3f, 1.99f, 0.2f}, box, {}}};
    const Pair pairs[] = {{0, 1}};
    NarrowPhase narrow;
    Manifolds manifolds;
    PairTrace trace;
    WarmCache cache;
    const auto collide = [&](WarmCache& with) {
        Frame frame = {&store, bodies, pairs};
        frame.caches = {&with, 1};
        frame.traces = {&trace, 1};
        REQUIRE(narrow.collide(frame, manifolds));
    };
    for (int i = 0; i < 3; ++i) collide(cache);
    REQUIRE(trace.count == 0);
    const Manifolds expected = manifolds;
    for (std::size_t bit = 0; bit < 8 * sizeof(WarmCache); ++bit) {
        WarmCache spoilt = cache;
        spoilt.opaque[bit / 8] ^= std::byte(1 << bit % 8);
        collide(spoilt);
        INFO(bit);
        REQUIRE(manifolds.manifolds.size() == 1);
        CHECK(manifolds.manifolds[0].normal == expected.manifolds[0].normal);
        CHECK(manifolds.contacts.size() == expected.contacts.size());
        CHECK(
            std::equal(manifolds.contacts.begin(), manifolds.contacts.end(), expected.contacts.begin(), same_contact));
    }
}

TEST_CASE("warm: contacts of faces follow while a pair hardly moves, and no bit of it is believed on its own",
          "[warm]") {
    ShapeStore store;
    std::vector<Vec3> prism;
    for (int i = 0; i < 12; ++i) {
        const float angle = 0.5235988f * float(i);
        prism.push_back({std::cos(angle), -1, std::sin(angle)}), prism.push_back({std::cos(angle), 1, std::sin(angle)});
    }
    const ShapeId shapes[] = {*store.add_box({1, 1, 1}), *store.add_hull(prism), *store.add_cylinder(1, 1)};
    NarrowPhase narrow;
    Manifolds manifolds;
    PairTrace trace;
    // B on A, lowered and tilted by so much.
    const auto collide = [&](ShapeId a, ShapeId b, float by, WarmCache* with) {
        const Body bodies[] = {{{0, 0, 0}, a, {}}, {{0.3f, 1.9995f - by, 0.2f}, b, {by, 0, by, 1}}};
        const Pair pairs[] = {{0, 1}};
        Frame frame = {&store, std::span<const Body>(bodies), std::span<const Pair>(pairs)};
        if (with != nullptr) frame.caches = {with, 1};
        frame.traces = {&trace, 1};
        REQUIRE(narrow.collide(frame, manifolds));
        REQUIRE(manifolds.manifolds.size() == 1);
        return manifolds.contacts[0].separation;
    };
    constexpr float kMoved = 1e-5f, kSlack = 0.004f;
    for (const ShapeId a : shapes) {
        for (const ShapeId b : shapes) {
            INFO(to_string(b.kind()) << " on " << to_string(a.kind()));
            const float exact = collide(a, b, kMoved, nullptr), exact_far = collide(a, b, 0.01f, nullptr);
            const std::size_t contacts = (collide(a, b, kMoved, nullptr), manifolds.contacts.size());
            WarmCache known;
            collide(a, b, 0, &known);
            const auto spoil = [&](std::size_t bit) {
                WarmCache spoilt = known;
                spoilt.opaque[bit / 8] ^= std::byte(1 << bit % 8);
                return spoilt;
            };
            WarmCache cache = known;
            CHECK(std::fabs(collide(a, b, kMoved, &cache) - exact) <= kSlack);
            CHECK(trace.count == 0);
            CHECK(manifolds.contacts.size() == contacts);
            // A second time in one place it counts as new, as a pair at rest; then its contacts are kept.
            for (int i = 0; i < 3; ++i) collide(a, b, kMoved, &cache);
            CHECK(trace.count == 0);
            cache = known;
            CHECK(std::fabs(collide(a, b, 0.01f, &cache) - exact_far) <= kSlack);
            for (std::size_t bit = 0; bit < 8 * sizeof(WarmCache); ++bit) {
                cache = spoil(bit);
                CHECK(std::fabs(collide(a, b, kMoved, &cache) - exact) <= kSlack);
                cache = spoil(bit);
                CHECK(std::fabs(collide(a, b, 0.01f, &cache) - exact_far) <= kSlack);
            }
        }
    }
}

TEST_CASE("warm: contacts at rest of (a, b) are no answer for (b, a)", "[warm]") {
    ShapeStore shapes;
    const ShapeId box = *shapes.add_box({0.5f, 0.5f, 0.5f}), prism = *shapes.add_cylinder(0.4f, 0.5f);
    for (const ShapeId upper : {box, prism}) {
        const std::vector<Body> bodies = {{{0, 0, 0}, box, {}}, {{0.1f, 0.999f, 0.05f}, upper, {}}};
        std::vector<WarmCache> caches(1);
        const auto collide = [&](Pair pair, bool is_warm) {
            const std::vector<Pair> pairs = {pair};
            Frame frame{&shapes, bodies, pairs};
            if (is_warm) frame.caches = caches;
            Manifolds manifolds;
            NarrowPhase narrow_phase;
            REQUIRE(narrow_phase.collide(frame, manifolds));
            REQUIRE(manifolds.manifolds.size() == 1);
            return manifolds;
        };
        for (int frame = 0; frame < 8; ++frame) collide({0, 1}, true);
        for (const Pair pair : {Pair{1, 0}, Pair{0, 1}, Pair{1, 0}})
            for (int frame = 0; frame < 6; ++frame) {
                const Manifolds warm = collide(pair, true), cold = collide(pair, false);
                CHECK(warm.manifolds[0].normal == cold.manifolds[0].normal);
                CHECK(warm.contacts.size() == cold.contacts.size());
                CHECK(warm.contacts[0].feature == cold.contacts[0].feature);
            }
    }
}

TEST_CASE("warm: four vertices of one facet do not make cubes touch that are beside it", "[warm]") {
    // The top of A and the bottom of B are in one plane, and B is beside A by up to a twentieth of a facet of B - A. Of
    // four vertices in that facet the origin is in their plane, but outside them.
    std::vector<Vec3> cube;
    for (int i = 0; i < 8; ++i) cube.push_back({i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f});
    ShapeStore store;
    const ShapeId shape = *store.add_hull(cube);
    REQUIRE(shape.kind() == ShapeKind::hull);
    constexpr std::uint32_t kVertices = 0x31747562, kSome = 20'000;
    scenes::Random random(71);
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    std::vector<double> beside;
    Caches caches(kSome);
    for (std::uint32_t i = 0; i < kSome; ++i) {
        const auto x = float(2 + random.uniform(0.01, 0.2));
        beside.push_back(double(x) - 2);
        bodies.push_back({{}, shape, {}}), bodies.push_back({{x, 2, float(random.uniform(-0.5, 0.5))}, shape, {}});
        pairs.push_back({2 * i, 2 * i + 1});
        std::uint32_t words[sizeof(WarmCache) / 4];
        for (std::uint32_t& word : words) word = random.below(8) << 16 | random.below(8);
        words[0] = kVertices;
        caches[i] = std::bit_cast<WarmCache>(words);
    }
    Frame frame = {&store, bodies, pairs};
    frame.caches = caches;
    Distances d;
    REQUIRE(NarrowPhase().distance(frame, d));
    test::Count wrong;
    for (std::uint32_t i = 0; i < kSome; ++i) wrong += !(std::fabs(d.signed_distance[i] - beside[i]) <= 1e-4);
    CHECK(wrong == 0);
}
