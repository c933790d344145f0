// The promises of pairs of two surfaces: right, the same bits, symmetric, contained.
#include <algorithm>
#include <cstring>
#include <limits>

#include <abut/configurations.hpp>

#include "support/any_company.hpp"
#include "support/catch.hpp"
#include "support/configuration_checks.hpp"
#include "support/count.hpp"
#include "support/pair_answer.hpp"
#include "support/surface_scenes.hpp"
#include "surfaces/distances/pairs.hpp"

using namespace abut;
using surfaces::Placing;
using surfaces::SurfacePairs;

namespace {

constexpr std::size_t kPairs = 400;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Answers {
    Overlaps overlaps;
    Distances distances, separations;
};

Answers ask(const Frame& frame, const Settings& settings = {}) {
    NarrowPhase narrow(settings);
    Answers answers;
    REQUIRE(narrow.overlap(frame, answers.overlaps));
    REQUIRE(narrow.distance(frame, answers.distances));
    REQUIRE(narrow.distance(frame, answers.separations, {.separation_only = true}));
    return answers;
}

test::Words words_of(const Answers& answers, std::size_t pair) {
    test::Words words{std::uint32_t(answers.overlaps.hit(pair)), std::uint32_t(answers.overlaps.status[pair])};
    test::append(words, answers.distances, pair);
    test::append(words, answers.separations, pair);
    return words;
}

const SurfacePairs& scene() {
    static const SurfacePairs made = surfaces::make_pairs(kPairs, 11);
    return made;
}

void check_right(const SurfacePairs& pairs) {
    const Answers answers = ask(pairs.frame());
    std::size_t hits = 0;
    for (const surfaces::Tally& tally : surfaces::judge(pairs, answers.overlaps, answers.distances)) {
        for (const std::string& example : tally.examples) UNSCOPED_INFO(example);
        CHECK(tally.wrong == 0);
        hits += tally.hits;
    }
    CHECK(double(hits) > 0.25 * double(pairs.pairs.size()));
    CHECK(double(hits) < 0.75 * double(pairs.pairs.size()));
}

// Two meshes in the poses of a list.
struct Posed {
    ShapeStore store;
    ShapeId ids[2];
    std::vector<Body> bodies;
    std::vector<Pair> pairs;

    Posed(const test::TestMesh& a, const test::TestMesh& b)
        : ids{*store.add_mesh(a.vertices, a.triangles), *store.add_mesh(b.vertices, b.triangles)} {}
    void add(Vec3 position, Quat orientation = {}) {
        const auto next = std::uint32_t(bodies.size());
        bodies.push_back({{}, ids[0], {}});
        bodies.push_back({position, ids[1], orientation});
        pairs.push_back({next, next + 1});
    }
    Frame frame() const { return {.shapes = &store, .bodies = bodies, .pairs = pairs}; }
};

}  // namespace

TEST_CASE("two surfaces, right: the nearest of all pairs of triangles", "[surfaces]") {
    check_right(surfaces::make_pairs(300, 1));
}

TEST_CASE("two surfaces, right: small and huge", "[surfaces]") {
    for (const double scale : {1e-6, 1e6, 1e15}) {
        INFO(scale);
        check_right(surfaces::make_pairs(60, 2, scale));
    }
}

TEST_CASE("two surfaces, scale-free: all lengths times a power of two", "[surfaces]") {
    const Answers expected = ask(scene().frame());
    for (const double scale : {0x1p-60, 0x1p60}) {
        const auto times = [&](float x) { return float(x * scale); };
        SurfacePairs scaled = surfaces::make_pairs(0, 11, scale);
        std::vector<Body> bodies = scene().bodies;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            Vec3& p = bodies[i].position;
            p = {times(p.x), times(p.y), times(p.z)}, bodies[i].shape = scaled.grounds[scene().ground_of[i]].id;
        }
        const Answers answers = ask({.shapes = &scaled.shapes, .bodies = bodies, .pairs = scene().pairs});
        test::Count wrong;
        for (std::size_t i = 0; i < kPairs; ++i) {
            if (scene().placings[i] == Placing::far) continue;  // some would be out of range
            wrong += answers.overlaps.hit(i) != expected.overlaps.hit(i);
            wrong += answers.distances.signed_distance[i] != times(expected.distances.signed_distance[i]);
            wrong += !test::same(answers.distances.normal[i], expected.distances.normal[i]);
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("two surfaces, same bits: every instruction set, any threads, any order, any company", "[surfaces]") {
    test::check_any_company(scene().frame(),
                            [](const Frame& frame, const Settings& settings) { return ask(frame, settings); });
}

TEST_CASE("two surfaces, symmetric: swapping A and B mirrors every answer", "[surfaces]") {
    std::vector<Pair> pairs = scene().pairs;
    for (const Pair& pair : scene().pairs) pairs.push_back({pair.b, pair.a});
    Frame frame = scene().frame();
    frame.pairs = pairs;
    const Answers answers = ask(frame);
    const Distances& d = answers.distances;
    test::Count wrong;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const std::size_t j = i + kPairs;
        const Vec3 a = frame.bodies[pairs[i].a].position, b = frame.bodies[pairs[i].b].position, n = d.normal[i];
        const auto is_mirrored = [&](Vec3 from_a, Vec3 from_b) {
            const Vec3 off = {from_a.x - (b.x - a.x) - from_b.x, from_a.y - (b.y - a.y) - from_b.y,
                              from_a.z - (b.z - a.z) - from_b.z};
            const double far = 1 + std::fabs(b.x - a.x) + std::fabs(b.y - a.y) + std::fabs(b.z - a.z);
            return std::max({std::fabs(off.x), std::fabs(off.y), std::fabs(off.z)}) <= 4e-7 * far;
        };
        wrong += !test::same(d.signed_distance[i], d.signed_distance[j]) ||
                 answers.overlaps.hit(i) != answers.overlaps.hit(j);
        wrong += !test::same(d.normal[j], Vec3{-n.x, -n.y, -n.z});
        wrong += !is_mirrored(d.point_a[i], d.point_b[j]) || !is_mirrored(d.point_b[i], d.point_a[j]);
    }
    CHECK(wrong == 0);
}

TEST_CASE("two surfaces, contained: a bad pose or id gets its status and harms no other", "[surfaces]") {
    const Answers expected = ask(scene().frame());
    const ShapeId mesh = scene().grounds[0].id;
    const std::vector<std::pair<Body, Status>> bad = {
        {{{kNan, 0, 0}, mesh, {}}, Status::bad_pose},
        {{{0, 3e27f, 0}, mesh, {}}, Status::bad_pose},
        {{{0, 0, 0}, mesh, {0, 0, 0, 0}}, Status::bad_pose},
        {{{0, 0, 0}, ShapeId::make(ShapeKind::mesh, 1, 9), {}}, Status::bad_index},
    };
    for (const auto& [body, status] : bad) {
        std::vector<Body> bodies = scene().bodies;
        for (std::size_t i = 3; i < kPairs; i += 9) bodies[2 * i + 1] = body;
        Frame frame = scene().frame();
        frame.bodies = bodies;
        const Answers answers = ask(frame);
        test::Count harmed, wrong;
        for (std::size_t i = 0; i < kPairs; ++i) {
            if (i % 9 != 3)
                harmed += words_of(answers, i) != words_of(expected, i);
            else
                wrong += answers.distances.status[i] != status || answers.overlaps.status[i] != status ||
                         answers.overlaps.hit(i) || answers.distances.signed_distance[i] != 0;
        }
        CHECK(harmed == 0);
        CHECK(wrong == 0);
    }
}

TEST_CASE("two surfaces, distance: beyond the greatest distance there is none, within it the bits are those without",
          "[surfaces]") {
    const Answers all = ask(scene().frame());
    for (const float most : {0.0f, 0.01f, 0.3f}) {
        Distances some;
        REQUIRE(NarrowPhase().distance(scene().frame(), some, {.max_distance = most}));
        std::size_t beyond = 0;
        test::Count wrong;
        for (std::size_t i = 0; i < kPairs; ++i) {
            test::Words expected, found;
            test::append(expected, all.distances, i), test::append(found, some, i);
            const float distance = all.distances.signed_distance[i];
            beyond += distance > most;
            wrong +=
                distance > most ? some.signed_distance[i] != std::numeric_limits<float>::infinity() : expected != found;
        }
        CHECK(wrong == 0);
        CHECK(beyond > kPairs / 20);
    }
}

TEST_CASE("two surfaces, distance: each pair has a greatest distance of its own, by the oracle", "[surfaces]") {
    for (const std::uint64_t seed : {21, 22, 23}) {
        INFO(seed);
        SurfacePairs some = surfaces::make_pairs(120, seed);
        // Pairs of other kinds, repeated and swapped pairs lie between, so that the number of a pair is not its number
        // among pairs of surfaces.
        const auto ball = std::uint32_t(some.bodies.size());
        some.bodies.push_back({{0.5f, 0, 0}, *some.shapes.add_sphere(0.25f), {}});
        scenes::Random random(seed);
        std::vector<Pair> pairs;
        std::vector<double> exact, doubt;
        for (std::size_t i = 0; i < some.pairs.size(); ++i) {
            const surfaces::NearestPair nearest = surfaces::nearest_pair(some, i);
            const Pair pair = some.pairs[i];
            for (std::uint32_t others = random.below(3); others > 0; --others)
                pairs.push_back({ball, random.below(ball)}), exact.push_back(NAN), doubt.push_back(0);
            pairs.push_back(random.chance(0.5) ? pair : Pair{pair.b, pair.a});
            exact.push_back(nearest.distance), doubt.push_back(2 * nearest.tolerance);
        }
        std::vector<float> most;
        for (const double distance : exact) {
            const double below = random.chance(0.5) ? random.uniform(0.2, 0.9) : random.uniform(1.1, 3);
            most.push_back(random.chance(0.05) ? std::numeric_limits<float>::infinity()
                                               : float(std::max(0.0, distance * below)));
            if (std::isnan(distance)) most.back() = float(random.uniform(0, 2));
        }
        const Frame frame = {.shapes = &some.shapes, .bodies = some.bodies, .pairs = pairs};
        NarrowPhase narrow;
        for (const bool separation_only : {false, true}) {
            Distances all, limited;
            REQUIRE(narrow.distance(frame, all, {.separation_only = separation_only}));
            REQUIRE(narrow.distance(frame, limited, {.max_distances = most, .separation_only = separation_only}));
            std::size_t beyond = 0, within = 0;
            test::Count wrong;
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                if (std::isnan(exact[i])) continue;
                const double distance = separation_only ? std::max(exact[i], 0.0) : exact[i];
                const bool is_beyond = exact[i] > double(most[i]) + doubt[i];
                if (!is_beyond && exact[i] > double(most[i]) - doubt[i]) continue;  // rounding decides
                if (is_beyond) {
                    wrong += limited.signed_distance[i] != std::numeric_limits<float>::infinity() ||
                             limited.normal[i] != Vec3{};
                } else {
                    test::Words expected, found;
                    test::append(expected, all, i), test::append(found, limited, i);
                    wrong += std::fabs(double(limited.signed_distance[i]) - distance) > doubt[i] || expected != found;
                }
                wrong += limited.status[i] != Status::ok;
                (is_beyond ? beyond : within) += 1;
            }
            CHECK(wrong == 0);
            CHECK(beyond > 15);
            CHECK(within > 30);
        }
    }
}

TEST_CASE("two surfaces, configurations: the bits of separate calls", "[surfaces]") {
    // A configuration is the scene with its bodies 0 to 5 in other poses.
    constexpr std::size_t kBodies = 12, kConfigurations = 40;
    std::vector<ShapeId> shapes;
    std::vector<Vec3> positions;
    std::vector<Quat> orientations;
    for (std::size_t i = 0; i < kBodies; ++i) shapes.push_back(scene().bodies[i].shape);
    scenes::Random random(3);
    for (std::size_t i = 0; i < kBodies * kConfigurations; ++i) {
        const oracle::Vec3d at = random.direction() * random.uniform(0, 3);
        positions.push_back({float(at.x), float(at.y), float(at.z)});
        orientations.push_back(random.orientation());
    }
    std::vector<Pair> pairs;
    for (std::uint32_t a = 0; a < kBodies; ++a)
        for (std::uint32_t b = a + 1; b < kBodies; ++b) pairs.push_back({b, a});
    const Configurations wanted = {.shapes = &scene().shapes,
                                   .bodies = shapes,
                                   .pairs = pairs,
                                   .positions = positions,
                                   .orientations = orientations};
    NarrowPhase narrow;
    test::ConfigurationAnswers answers;
    CHECK(test::differing(narrow, wanted, {}, answers) == 0);
    CHECK(test::wrongly_reduced(narrow, wanted, {}, answers) == 0);
}

TEST_CASE("two surfaces, equal meshes at one pose touch", "[surfaces]") {
    const test::TestMesh torus = test::torus_mesh(60, 40);
    Posed posed(torus, torus);
    posed.add({}), posed.add({1000, 0, 0});
    posed.bodies[2].position = {1000, 0, 0};
    for (std::size_t i = 2; i < 4; ++i) posed.bodies[i].orientation = {0.48f, 0.6f, 0, 0.64f};
    posed.pairs.push_back({0, 0});
    const Answers answers = ask(posed.frame());
    for (std::size_t i = 0; i < posed.pairs.size(); ++i) {
        CHECK(answers.overlaps.hit(i));
        CHECK(answers.distances.status[i] == Status::ok);
        CHECK(std::fabs(answers.distances.signed_distance[i]) < 1e-6f);
    }
}

TEST_CASE("two surfaces, beyond Settings::max_child_pairs: not converged, unless an overlap is proved", "[surfaces]") {
    const test::TestMesh torus = test::torus_mesh(60, 40);
    Posed posed(torus, torus);
    posed.add({0.3f, 0.1f, 0.2f}, {0.48f, 0.6f, 0, 0.64f});
    const Answers few = ask(posed.frame(), {.max_child_pairs = 300}), all = ask(posed.frame());
    CHECK(all.distances.status[0] == Status::ok);
    CHECK(few.distances.status[0] == Status::not_converged);
    CHECK(few.distances.signed_distance[0] < 0);
    CHECK(few.overlaps.status[0] == Status::ok);
    CHECK(few.overlaps.hit(0));
}

TEST_CASE("two surfaces, a surface inside a closed one does not overlap it", "[surfaces]") {
    test::TestMesh small = test::cube_mesh();
    for (Vec3& v : small.vertices) v = {0.25f * v.x, 0.25f * v.y, 0.25f * v.z};
    Posed posed(test::cube_mesh(), small);
    posed.add({});
    const Answers answers = ask(posed.frame());
    CHECK(!answers.overlaps.hit(0));
    CHECK(answers.distances.signed_distance[0] == Approx(0.75f));
}

TEST_CASE("two surfaces, unsupported: contacts and casts", "[surfaces]") {
    ShapeStore store;
    const test::TestMesh cube = test::cube_mesh();
    const ShapeId mesh = *store.add_mesh(cube.vertices, cube.triangles),
                  field = *store.add_heightfield(std::vector<float>(4), 2, 2);
    const std::vector<Body> bodies = {{{}, mesh, {}}, {{}, field, {}}, {{kNan, 0, 0}, field, {}}};
    const std::vector<Pair> pairs = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 2}};
    const Frame frame = {&store, bodies, pairs};
    NarrowPhase narrow;
    Manifolds manifolds;
    Casts casts;
    const Bodies ends[] = {bodies};
    REQUIRE(narrow.collide(frame, manifolds));
    REQUIRE(narrow.cast(frame, {ends}, casts));
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const Status expected = i == 4 ? Status::bad_pose : Status::unsupported;
        CHECK(manifolds.status[i] == expected);
        CHECK(manifolds.first_manifold[i + 1] == 0);
        CHECK(casts.status[i] == expected);
        CHECK(!casts.hit(i));
    }
}
