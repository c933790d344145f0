// d2::NarrowPhase against the oracle, on families of hard pairs: the promises in the plane.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include <abut/d2.hpp>

#include "support/catch.hpp"
#include "support/count.hpp"
#include "support/judge_2d.hpp"

using namespace abut;
using plane::Family;

namespace {

constexpr std::size_t kPairs = 1500;

const std::vector<Isa> kIsas = [] {
    std::vector<Isa> isas;
    for (const Isa isa : kAllIsas)
        if (is_supported(isa)) isas.push_back(isa);
    return isas;
}();

// The cases of a scene that check() finds wrong; a failing test names the first mistake.
template <class Check>
test::Count wrong_cases(const plane::Scene& scene, Check check) {
    test::Count wrong;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const plane::Mistakes mistakes = check(plane::Case(scene.given[i]), i);
        if (!mistakes.empty() && wrong == 0) UNSCOPED_INFO(mistakes[0].what << ": " << mistakes[0].details);
        wrong += !mistakes.empty();
    }
    return wrong;
}

}  // namespace

TEST_CASE("plane: right: distances, normals and points of hard pairs", "[d2][right]") {
    const auto family = static_cast<Family>(GENERATE(range(0, plane::kFamilies)));
    INFO(plane::to_string(family));
    const DepthPath depth = GENERATE(DepthPath::automatic, DepthPath::exact);
    const plane::Scene scene(family, kPairs, 1);
    const plane::Answers answers = ask(scene, Isa::best, 0, depth);
    CHECK(wrong_cases(scene, [&](const plane::Case& one, std::size_t i) { return check_distance(one, answers, i); }) ==
          0);
}

TEST_CASE("plane: right: contacts lie on both surfaces, the deepest at the distance", "[d2][right]") {
    const auto family = static_cast<Family>(GENERATE(range(0, plane::kFamilies)));
    INFO(plane::to_string(family));
    const float slack = GENERATE(0.0f, Settings().contact_slack);
    const plane::Scene scene(family, kPairs, 2);
    const plane::Answers answers = ask(scene, Isa::best, slack);
    CHECK(wrong_cases(scene, [&](const plane::Case& one, std::size_t i) {
              return check_manifolds(one, answers, i, scene.margins[i]);
          }) == 0);
}

TEST_CASE("plane: same bits on every instruction set, symmetric, and alone as in a batch",
          "[d2][same-bits][symmetric]") {
    const auto family = static_cast<Family>(GENERATE(range(0, plane::kFamilies)));
    INFO(plane::to_string(family));
    const plane::Scene scene(family, kPairs, 3);
    const plane::Answers first = ask(scene, kIsas[0]);
    for (const Isa isa : kIsas) {
        INFO(to_string(isa));
        CHECK(same_bits(ask(scene, isa), first));
    }
    CHECK(wrong_cases(scene, [&](const plane::Case&, std::size_t i) { return check_mirrored(first, i, kPairs + i); }) ==
          0);
    Settings settings;
    settings.executor = serial_executor();
    d2::NarrowPhase phase(settings);
    test::Count alone;
    for (std::size_t i = 0; i < kPairs; i += 10) {
        d2::Frame frame = scene.frame();
        frame.pairs = frame.pairs.subspan(i, 1), frame.margins = {};
        d2::Distances out;
        REQUIRE(phase.distance(frame, out));
        alone += std::memcmp(&out.signed_distance[0], &first.distances.signed_distance[i], sizeof(float)) != 0;
    }
    CHECK(alone == 0);
}

TEST_CASE("plane: right: two corners that are nearest have their own names", "[d2][right]") {
    // A box up left of another: corner 3 of A and corner 1 of B, also where a normal leans to one face or the other.
    d2::ShapeStore shapes;
    const d2::ShapeId box = *shapes.add_box({0.5f, 0.5f});
    for (const d2::Vec2 at : {d2::Vec2{-1.0070f, 1.0071f}, {-1.0071f, 1.0070f}, {-1.007f, 1.007f}}) {
        const std::vector<d2::Body> bodies = {{{0, 0}, {1, 0}, box}, {at, {1, 0}, box}};
        const std::vector<Pair> pairs = {{0, 1}, {1, 0}};
        d2::Frame frame;
        frame.shapes = &shapes, frame.bodies = bodies, frame.pairs = pairs;
        d2::NarrowPhase phase;
        d2::Manifolds out;
        REQUIRE(phase.collide(frame, out));
        REQUIRE(out.manifolds.size() == 2);
        CHECK(out.manifolds[0].contact_count == 1);
        CHECK(out.manifolds[0].contacts[0].feature == (3u << 16 | 1u));
        CHECK(out.manifolds[1].contacts[0].feature == (1u << 16 | 3u));
    }
}

TEST_CASE("plane: contained: refused pairs have zeros, whatever the columns held, and harm no other",
          "[d2][contained]") {
    d2::ShapeStore shapes;
    const d2::ShapeId box = *shapes.add_box({0.5f, 0.5f}), gone = *shapes.add_circle(1);
    REQUIRE(shapes.remove(gone));
    const float nan = NAN;
    const std::vector<d2::Body> bodies = {{{0, 0}, {1, 0}, box},
                                          {{3, 0}, {1, 0}, box},
                                          {{nan, 0}, {1, 0}, box},
                                          {{0, 0}, {0, 0}, box},
                                          {{0, 0}, {1, 0}, gone}};
    const std::vector<Pair> pairs = {{0, 1}, {0, 2}, {1, 0}, {3, 0}, {0, 4}, {0, 9}, {0, 1}};
    const Status expected[] = {Status::ok,        Status::bad_pose,  Status::ok, Status::bad_pose,
                               Status::bad_index, Status::bad_index, Status::ok};
    d2::Frame frame;
    frame.shapes = &shapes, frame.bodies = bodies, frame.pairs = pairs;
    const d2::Vec2 left = {7, 7};
    std::vector<float> distance(pairs.size(), 7.0f);
    std::vector<d2::Vec2> normal(pairs.size(), left), point_a = normal, point_b = normal;
    std::vector<Status> status(pairs.size(), Status::no_room);
    d2::DistanceColumns columns;
    columns.signed_distance = distance, columns.normal = normal, columns.point_a = point_a, columns.point_b = point_b;
    columns.status = status;
    d2::NarrowPhase phase;
    REQUIRE(phase.distance(frame, columns));
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        INFO(i);
        const bool is_ok = expected[i] == Status::ok;
        CHECK(status[i] == expected[i]);
        CHECK(distance[i] == (is_ok ? 2.0f : 0.0f));
        CHECK(std::fabs(normal[i].x) == (is_ok ? 1.0f : 0.0f));
        CHECK(normal[i].y == 0);
        if (!is_ok) CHECK((point_a[i] == d2::Vec2{} && point_b[i] == d2::Vec2{}));
    }
}

TEST_CASE("plane: contained: pairs from the first that does not fit have no room, those without a manifold are ok",
          "[d2][contained]") {
    d2::ShapeStore shapes;
    const d2::ShapeId box = *shapes.add_box({0.5f, 0.5f});
    const std::vector<d2::Body> bodies = {{{0, 0}, {1, 0}, box}, {{0.9f, 0}, {1, 0}, box}, {{9, 0}, {1, 0}, box}};
    const std::vector<Pair> pairs = {{0, 1}, {0, 2}, {1, 0}, {0, 2}, {0, 1}, {1, 2}};
    d2::Frame frame;
    frame.shapes = &shapes, frame.bodies = bodies, frame.pairs = pairs;
    for (const std::size_t room : {0u, 1u, 2u, 3u}) {
        INFO(room);
        std::vector<d2::Manifold> manifolds(room);
        std::vector<std::uint32_t> first(pairs.size() + 1);
        std::vector<Status> status(pairs.size());
        d2::ManifoldColumns columns;
        columns.manifolds = manifolds, columns.first_manifold = first, columns.status = status;
        REQUIRE(d2::NarrowPhase().collide(frame, columns));
        CHECK(columns.manifolds_needed == 3);
        CHECK(columns.manifold_count == room);
        std::size_t touching = 0;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            INFO(i);
            touching += i % 2 == 0;
            CHECK(status[i] == (i % 2 == 0 && touching > room ? Status::no_room : Status::ok));
            CHECK(first[i + 1] == std::min(touching, room));
        }
    }
}

TEST_CASE("plane: manifolds of pairs of one kind are those of a mixed frame", "[d2]") {
    constexpr d2::ShapeKind kind_a = d2::ShapeKind::box;
    const d2::ShapeKind kind_b = GENERATE(d2::ShapeKind::box, d2::ShapeKind::polygon4);
    const float margin = GENERATE(0.02f, 0.0f);  // with none, some pairs that are uncertain have no contacts
    d2::ShapeStore shapes;
    std::vector<d2::Body> bodies = {{{0, 0}, {1, 0}, *shapes.add_circle(1)}, {{1, 0}, {1, 0}, *shapes.add_circle(1)}};
    std::vector<Pair> pairs, mixed_pairs = {{0, 1}};
    for (const Family family : {Family::mixed, Family::touching, Family::nearly_parallel, Family::slivers,
                                Family::rounded, Family::collinear})
        for (const plane::HardPair& pair : plane::hard_pairs(family, kPairs, 3)) {
            const d2::ShapeId a = *plane::add_to(shapes, pair.a), b = *plane::add_to(shapes, pair.b);
            if (a.kind() != kind_a || b.kind() != kind_b) continue;
            const auto at = static_cast<std::uint32_t>(bodies.size());
            bodies.push_back({pair.position_a, pair.rotation_a, a}),
                bodies.push_back({pair.position_b, pair.rotation_b, b});
            pairs.push_back({at, at + 1}), mixed_pairs.push_back({at, at + 1});
        }
    REQUIRE(pairs.size() > 300);  // of several chunks
    for (const Isa isa : kIsas) {
        INFO(to_string(isa));
        Settings settings;
        settings.isa = isa, settings.speculative_margin = margin;
        d2::NarrowPhase narrow(settings);
        d2::Manifolds alone, mixed;
        REQUIRE(narrow.collide({&shapes, bodies, pairs}, alone));
        if (kind_b == d2::ShapeKind::polygon4) CHECK(narrow.counters().exact > 0);
        REQUIRE(narrow.collide({&shapes, bodies, mixed_pairs}, mixed));
        REQUIRE(mixed.manifolds.size() == alone.manifolds.size() + 1);
        test::Count wrong;
        for (std::size_t i = 0; i < pairs.size(); ++i)
            wrong += mixed.first_manifold[i + 2] != alone.first_manifold[i + 1] + 1;
        for (std::size_t i = 0; i < alone.manifolds.size(); ++i) {
            d2::Manifold manifold = alone.manifolds[i];
            ++manifold.pair;
            wrong += std::memcmp(&manifold, &mixed.manifolds[i + 1], sizeof manifold) != 0;
        }
        CHECK(wrong == 0);
    }
}
