// A robot in many configurations: the answers are those of one frame per configuration.
#include <abut/d2.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "support/count.hpp"
#include "support/failing_memory.hpp"

using namespace abut;

namespace {

// A robot of two bodies among obstacles of all kinds.
struct Scene {
    d2::ShapeStore shapes;
    std::vector<d2::Body> robot, obstacles;
    std::vector<d2::DVec2> robot_positions, obstacle_positions;
    std::vector<Pair> pairs;
    static constexpr std::uint32_t kObstacles = 150;

    explicit Scene(std::size_t configurations, double far = 0) {
        std::mt19937 random(9);
        const auto in = [&](double low, double high) { return low + (high - low) * double(random()) / 4294967296.0; };
        const auto put =
            [&](std::vector<d2::Body>& to, std::vector<d2::DVec2>& positions, d2::ShapeId id, double span) {
            const double x = in(-span, span), y = in(-span, span);
            positions.push_back({far + x, -far + y});
            to.push_back({{float(x), float(y)}, d2::rotation_of(in(-3, 3)), id});
        };
        const auto base = *shapes.add_box({0.6f, 0.3f}), arm = *shapes.add_capsule(0.1f, 0.5f);
        for (std::size_t c = 0; c < configurations; ++c)
            put(robot, robot_positions, base, 20), put(robot, robot_positions, arm, 20);
        const d2::Vec2 ring[] = {{0, 1}, {-1, 0}, {0, -1}, {1, 0}};
        const auto box = *shapes.add_box({0.5f, 0.5f}), circle = *shapes.add_circle(0.4f);
        const d2::CompoundChild children[] = {{box, {}}, {circle, {{1, 0}, {}}}};
        const d2::ShapeId kinds[] = {box, circle, *shapes.add_polygon(ring), *shapes.add_chain(ring, true),
                                     *shapes.add_compound(children)};
        for (std::uint32_t i = 0; i < kObstacles; ++i) put(obstacles, obstacle_positions, kinds[i % 5], 20);
        for (std::uint32_t i = 0; i < kObstacles; ++i) pairs.push_back({0, 2 + i}), pairs.push_back({2 + i, 1});
        pairs.push_back({0, 1});
    }
    d2::Configurations all() const {
        return {&shapes, columns(robot, robot_positions), 2, columns(obstacles, obstacle_positions), pairs};
    }
    static d2::Bodies columns(const std::vector<d2::Body>& of, const std::vector<d2::DVec2>& positions) {
        if (positions.empty()) return of;
        d2::BodyColumns out = d2::Bodies(of).columns();
        out.positions = {}, out.double_positions = positions;
        return out;
    }
};

}  // namespace

TEST_CASE("plane: configurations answer as one frame each", "[d2]") {
    for (const double far : {0.0, 1e8}) {
        Scene scene(300, far);
        if (far == 0) scene.robot_positions.clear(), scene.obstacle_positions.clear();
        scene.robot[2 * 7].rotation = {NAN, 0};  // no answer but for pairs of body 1
        scene.pairs.push_back({1, 2 + Scene::kObstacles}), scene.pairs.push_back({~0u, 0});
        d2::NarrowPhase narrow({.threads = 2}), one;
        d2::AnyOverlaps hits;
        d2::LeastDistances least, limited;
        REQUIRE(narrow.any_overlap(scene.all(), hits));
        REQUIRE(narrow.least_distance(scene.all(), least));
        REQUIRE(narrow.least_distance(scene.all(), limited, {.max_distance = 0.5f}));
        test::Count wrong, free, unlimited;
        for (std::uint32_t c = 0; c < 300; ++c) {
            std::vector<d2::Body> bodies(scene.robot.begin() + 2 * c, scene.robot.begin() + 2 * c + 2);
            bodies.insert(bodies.end(), scene.obstacles.begin(), scene.obstacles.end());
            std::vector<d2::DVec2> positions;
            if (far != 0) {
                positions.assign(scene.robot_positions.begin() + 2 * c, scene.robot_positions.begin() + 2 * c + 2);
                positions.insert(positions.end(), scene.obstacle_positions.begin(), scene.obstacle_positions.end());
            }
            const d2::Frame frame = {&scene.shapes, Scene::columns(bodies, positions), scene.pairs};
            d2::Overlaps overlaps;
            d2::Distances distances;
            REQUIRE(one.overlap(frame, overlaps));
            REQUIRE(one.distance(frame, distances));
            const std::uint32_t first = overlaps.hits.empty() ? kNoPair : overlaps.hits[0];
            std::uint32_t nearest = kNoPair, unanswered = 0, before = 0;
            float distance = std::numeric_limits<float>::infinity();
            for (std::uint32_t i = 0; i < scene.pairs.size(); ++i) {
                const bool has_none = distances.status[i] != Status::ok;
                unanswered += has_none, before += has_none && i < first;
                if (!has_none && distances.signed_distance[i] < distance)
                    distance = distances.signed_distance[i], nearest = i;
            }
            wrong += hits.pair[c] != first || hits.unanswered[c] != before;
            wrong +=
                least.signed_distance[c] != distance || least.pair[c] != nearest || least.unanswered[c] != unanswered;
            if (nearest != kNoPair)
                wrong += least.normal[c] != distances.normal[nearest] ||
                         least.point_a[c] != distances.point_a[nearest] ||
                         least.point_b[c] != distances.point_b[nearest];
            const bool is_near = distance <= 0.5f;
            wrong += limited.pair[c] != (is_near ? nearest : kNoPair);
            wrong += is_near ? limited.signed_distance[c] != distance : !std::isinf(limited.signed_distance[c]);
            free += first == kNoPair, unlimited += !is_near;
        }
        CHECK(wrong == 0);
        CHECK(free > 30);
        CHECK(free < 270);
        CHECK(unlimited > 3);
    }
}

TEST_CASE("plane: configurations leave early and allocate nothing when warm", "[d2][quiet]") {
    Scene scene(2000);
    d2::NarrowPhase narrow({.executor = serial_executor()});
    d2::AnyOverlaps hits;
    d2::LeastDistances least;
    REQUIRE(narrow.any_overlap(scene.all(), hits));
    CHECK(narrow.counters().pairs < 2000 * scene.pairs.size() * 9 / 10);
    REQUIRE(narrow.least_distance(scene.all(), least));
    CHECK(narrow.counters().pairs == 2000 * scene.pairs.size());
    const std::size_t before = test::allocations();
    const bool first = bool(narrow.any_overlap(scene.all(), hits)),
               second = bool(narrow.least_distance(scene.all(), least));
    CHECK(test::allocations() == before);
    CHECK((first && second));
}

TEST_CASE("plane: configurations refuse bad arguments", "[d2][contained]") {
    Scene scene(4);
    d2::NarrowPhase narrow;
    d2::AnyOverlaps hits;
    d2::LeastDistances least;
    d2::Configurations all = scene.all();
    all.robot_bodies = 3;
    CHECK(narrow.any_overlap(all, hits).error().code == ErrorCode::bad_size);
    all.robot_bodies = 0;
    CHECK(narrow.any_overlap(all, hits).error().code == ErrorCode::bad_size);
    all = scene.all(), all.shapes = nullptr;
    CHECK(narrow.least_distance(all, least).error().code == ErrorCode::bad_argument);
    all = scene.all(), all.obstacles = d2::BodyColumns{.shapes = {&scene.obstacles[0].shape, 1}};
    CHECK(narrow.any_overlap(all, hits).error().code == ErrorCode::bad_argument);
    CHECK(narrow.least_distance(scene.all(), least, {.max_distance = -1}).error().code == ErrorCode::bad_argument);
    float distances[3];
    d2::LeastDistanceColumns few = {distances};
    CHECK(narrow.least_distance(scene.all(), few).error().code == ErrorCode::bad_size);
    all = scene.all(), all.robot = {};
    REQUIRE(narrow.any_overlap(all, hits));
    CHECK(hits.pair.empty());
    all = scene.all(), all.pairs = {};
    REQUIRE(narrow.least_distance(all, least));
    CHECK(least.pair == std::vector<std::uint32_t>(4, kNoPair));
}
