// Configurations: the bits of a call for each of them, whatever the blocks, and reductions that agree with all pairs.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <abut/abut.h>
#include <abut/abut.hpp>

#include "api/c/handles.hpp"
#include "queries/configurations/arms.hpp"
#include "support/configuration_checks.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using test::ConfigurationAnswers, test::differing, test::is_answered, test::wrongly_reduced;

namespace {

#ifdef NDEBUG
constexpr std::size_t kConfigurations = 150;
#else
constexpr std::size_t kConfigurations = 30;
#endif

}  // namespace

TEST_CASE("configurations: the bits of separate calls, on every instruction set and number of threads",
          "[configurations]") {
    for (const robots::Samples samples : {robots::Samples::random, robots::Samples::path}) {
        const robots::Arms arms = robots::make_arms(kConfigurations, samples, 4);
        for (const Isa isa : test::usable_isas()) {
            for (const unsigned threads : {1u, 3u}) {
                NarrowPhase narrow({.threads = threads, .isa = isa});
                ConfigurationAnswers answers;
                CHECK(differing(narrow, arms.all(), {}, answers) == 0);
                CHECK(wrongly_reduced(narrow, arms.all(), {}, answers) == 0);
                // Random samples show both.
                if (samples == robots::Samples::random) CHECK(answers.overlaps.hits.size() > kConfigurations / 10);
                CHECK(answers.overlaps.hits.size() < arms.size() * arms.pairs.size() / 10);
            }
        }
    }
}

// Where pairs and configurations together fill the lanes, no answer takes another one's place.
TEST_CASE("configurations: few pairs in few configurations", "[configurations]") {
    ShapeStore shapes;
    const ShapeId ball = *shapes.add_sphere(0.4f), box = *shapes.add_box({0.3f, 0.4f, 0.5f});
    for (const ShapeId shape : {ball, box}) {
        for (std::uint32_t pairs = 1; pairs <= 33; ++pairs) {
            for (std::size_t count = 2; count <= 5; ++count) {
                const std::vector<ShapeId> bodies(pairs + 1, shape);
                std::vector<Pair> list;
                for (std::uint32_t i = 0; i < pairs; ++i) list.push_back({i, i + 1});
                std::vector<Vec3> positions;
                for (std::size_t i = 0; i < count * bodies.size(); ++i)
                    positions.push_back({float(i % 7) * 0.6f, float(i % 5) * 0.7f, float(i % 3)});
                const std::vector<Quat> orientations(positions.size());
                const Configurations all = {.shapes = &shapes,
                                            .bodies = bodies,
                                            .pairs = list,
                                            .positions = positions,
                                            .orientations = orientations};
                for (const Isa isa : test::usable_isas()) {
                    NarrowPhase narrow({.threads = 1, .isa = isa});
                    ConfigurationAnswers answers;
                    INFO(pairs << " pairs in " << count << " configurations, " << to_string(isa));
                    REQUIRE(differing(narrow, all, {}, answers) == 0);
                    REQUIRE(wrongly_reduced(narrow, all, {}, answers) == 0);
                }
            }
        }
    }
}

TEST_CASE("configurations: limits are one per pair of the list", "[configurations]") {
    const robots::Arms arms = robots::make_arms(kConfigurations, robots::Samples::random, 5);
    std::vector<float> limits;
    for (std::size_t i = 0; i < arms.pairs.size(); ++i) limits.push_back(0.01f * float(i % 50));
    NarrowPhase narrow;
    ConfigurationAnswers answers;
    for (const DistanceOptions& options :
         {DistanceOptions{.max_distance = 0.2f}, DistanceOptions{.max_distances = limits},
          DistanceOptions{.separation_only = true}, DistanceOptions{.max_distance = 0}}) {
        CHECK(differing(narrow, arms.all(), options, answers) == 0);
        CHECK(wrongly_reduced(narrow, arms.all(), options, answers) == 0);
    }
}

TEST_CASE("configurations: compounds, surfaces, bad indices and bad poses", "[configurations][contained]") {
    robots::Arms arms = robots::make_arms(kConfigurations, robots::Samples::random, 6);
    ShapeStore& store = arms.shapes;
    const ShapeId box = *store.add_box({0.1f, 0.1f, 0.1f});
    const std::vector<CompoundChild> children = {{box, {0.2f, 0, 0}, {}}, {arms.bodies[3], {}, {}}};
    const ShapeId compound = *store.add_compound(children);
    const std::vector<float> heights(16, 0.02f);
    const ShapeId ground = *store.add_heightfield(heights, 4, 4);
    const ShapeId plane = *store.add_halfspace({0, 1, 0}, 0);
    const ShapeId removed = *store.add_sphere(1);
    REQUIRE(store.remove(removed));
    // Bodies in place of some of the arms'.
    arms.bodies[2] = compound, arms.bodies[20] = compound, arms.bodies[29] = ground, arms.bodies[28] = plane,
    arms.bodies[27] = plane;
    arms.bodies[26] = removed, arms.bodies[25] = ground;
    arms.pairs.insert(
        arms.pairs.begin() + 7,
        {{25, 29}, {27, 28}, {2, 20}, {5, 5}, {1, 30}, {0xffffffff, 0}, {26, 1}, {8, 2}, {2, 29}, {29, 20}});
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (std::size_t c = 0; c < arms.size(); c += 3) arms.positions[c * 30 + c % 30].x = nan;
    for (std::size_t c = 1; c < arms.size(); c += 3) arms.orientations[c * 30 + 27] = {};
    for (std::size_t c = 2; c < arms.size(); c += 3) arms.orientations[c * 30 + 28] = {0, 0, 0, 0};
    NarrowPhase narrow;
    ConfigurationAnswers answers;
    CHECK(differing(narrow, arms.all(), {.max_distance = 0.5f}, answers) == 0);
    CHECK(wrongly_reduced(narrow, arms.all(), {.max_distance = 0.5f}, answers) == 0);
    std::size_t of[8] = {};
    for (const Status status : answers.distances.status) ++of[int(status)];
    for (const Status status : {Status::ok, Status::bad_index, Status::bad_pose, Status::unsupported})
        CHECK(of[int(status)] > 0);
}

TEST_CASE("configurations: the least distance from a surface computes the triangles of the nearest bodies only",
          "[configurations]") {
    robots::Arms arms = robots::make_arms(kConfigurations, robots::Samples::random, 8);
    std::vector<float> heights;
    for (int i = 0; i < 65 * 65; ++i)
        heights.push_back(0.05f * std::sin(0.5f * float(i % 65)) * std::cos(float(i / 65)));
    constexpr std::uint32_t kGround = 29;
    arms.bodies[kGround] = *arms.shapes.add_heightfield(heights, 65, 65, {}, {.spacing_x = 0.1f, .spacing_z = 0.1f});
    for (std::size_t c = 0; c < arms.size(); ++c) {
        arms.positions[c * 30 + kGround] = {-3.2f, -1.0f, -3.2f};
        arms.orientations[c * 30 + kGround] = {};
    }
    if (GENERATE(false, true)) {
        const std::vector<Vec3> corners = {{0.1f, 0, 0}, {0, 0.1f, 0}, {0, 0, 0.1f}, {-0.1f, -0.1f, -0.1f}};
        const std::vector<MeshTriangle> triangles = {{{0, 1, 2}}, {{0, 3, 1}}, {{1, 3, 2}}, {{2, 3, 0}}};
        std::fill_n(arms.bodies.begin(), kGround, *arms.shapes.add_mesh(corners, triangles));
    }
    arms.pairs.clear();
    for (std::uint32_t body = 0; body < kGround; ++body) arms.pairs.push_back({body, kGround});
    NarrowPhase narrow;
    Distances all;
    REQUIRE(narrow.distance_configurations(arms.all(), all));
    const std::size_t of_all = narrow.counters().child_pairs;
    LeastDistances least;
    REQUIRE(narrow.least_distance(arms.all(), least));
    const std::size_t of_least = narrow.counters().child_pairs;
    CHECK(of_all >= arms.size() * arms.pairs.size());
    CHECK(of_least < of_all / 4);
    ConfigurationAnswers answers;
    CHECK(differing(narrow, arms.all(), {}, answers) == 0);
    CHECK(wrongly_reduced(narrow, arms.all(), {}, answers) == 0);
}

TEST_CASE("configurations: doubles and transforms", "[configurations]") {
    const robots::Arms arms = robots::make_arms(kConfigurations / 3, robots::Samples::random, 7);
    std::vector<DVec3> doubles;
    std::vector<Mat44> transforms;
    for (std::size_t i = 0; i < arms.positions.size(); ++i) {
        const Vec3 p = arms.positions[i];
        const Quat q = arms.orientations[i];
        doubles.push_back({p.x + 1e6, p.y, p.z - 3e5});
        transforms.push_back(
            {{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z), 2 * (q.x * q.z - q.w * q.y), 0,
              2 * (q.x * q.y - q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.w * q.x), 0,
              2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y), 0, p.x, p.y,
              p.z, 1}});
    }
    NarrowPhase narrow;
    ConfigurationAnswers answers;
    Configurations all = arms.all();
    all.positions = {}, all.double_positions = doubles;
    CHECK(differing(narrow, all, {}, answers) == 0);
    CHECK(wrongly_reduced(narrow, all, {}, answers) == 0);
    all.double_positions = {}, all.orientations = {}, all.transforms = transforms;
    CHECK(differing(narrow, all, {}, answers) == 0);
    CHECK(wrongly_reduced(narrow, all, {}, answers) == 0);
}

TEST_CASE("configurations: a call that is refused names the argument", "[configurations][contained]") {
    const robots::Arms arms = robots::make_arms(3, robots::Samples::random, 8);
    NarrowPhase narrow;
    Distances d;
    const auto refusal = [&](const Configurations& all) {
        const CallResult result = narrow.distance_configurations(all, d);
        CHECK(!narrow.overlap_configurations(all, *std::make_unique<Overlaps>()));
        REQUIRE(!result);
        return std::string(result.error().message.c_str());
    };
    const auto with = [&](auto change) {
        Configurations all = arms.all();
        change(all);
        return refusal(all);
    };
    CHECK(with([](Configurations& c) { c.shapes = nullptr; }) == "Configurations::shapes is null");
    CHECK(with([](Configurations& c) { c.positions = {}; }).find("no positions") != std::string::npos);
    CHECK(with([](Configurations& c) { c.orientations = {}; }).find("neither orientations nor transforms") !=
          std::string::npos);
    CHECK(with([](Configurations& c) { c.positions = c.positions.subspan(0, 89); }).find("positions has 89 poses") !=
          std::string::npos);
    CHECK(with([](Configurations& c) {
              c.positions = c.positions.subspan(0, 89);
              c.orientations = c.orientations.subspan(0, 89);
          }).find("a multiple of its 30 bodies") != std::string::npos);
    CHECK(with([](Configurations& c) { c.bodies = {}; }).find("a multiple of its 0 bodies") != std::string::npos);
    CHECK(with([](Configurations& c) {
              c.pairs = {static_cast<const Pair*>(nullptr), 5};
          }).find("Configurations::pairs is null") != std::string::npos);
    CHECK(with([](Configurations& c) {
              c.pairs = {c.pairs.address(0) ? reinterpret_cast<const Pair*>(c.pairs.address(0)) : nullptr, 5, 6};
          }).find("stride") != std::string::npos);
    CHECK(with([](Configurations& c) {
              static const Mat44 one;
              c.transforms = {&one, 1};
          }).find("both orientations and transforms") != std::string::npos);
    const Vec3 one_position;
    const std::vector<ShapeId> shapes(2, arms.bodies[0]);
    CHECK(with(
              [&](Configurations& c) {
        c.obstacles = BodyColumns{.shapes = shapes, .positions = {&one_position, 1}, .orientations = c.orientations};
    }).starts_with("Configurations::obstacles"));
    CHECK(with([&](Configurations& c) {
              c.obstacles = BodyColumns{.shapes = shapes, .positions = c.positions};
          }).starts_with("Configurations::obstacles"));
    CHECK(with([&](Configurations& c) { c.obstacles = Bodies(static_cast<const Body*>(nullptr), 2); }) ==
          "Configurations::obstacles is null, with a count of 2");
    CHECK(with([&](Configurations& c) {
              c.obstacles = BodyColumns{.shapes = {shapes.data(), std::size_t(0x7fffffff)},
                                        .positions = {&one_position, std::size_t(0x7fffffff)},
                                        .orientations = {&arms.orientations[0], std::size_t(0x7fffffff)}};
          }).find("30 bodies and 2147483647 obstacles") != std::string::npos);
    CHECK(!narrow.distance_configurations(arms.all(), d, {.max_distance = -1}));
    std::vector<float> one(1);
    DistanceColumns distances{one};
    CHECK(!narrow.distance_configurations(arms.all(), distances));
    LeastDistanceColumns least{one};
    CHECK(!narrow.least_distance(arms.all(), least));
    std::vector<std::uint32_t> pair(1);
    AnyOverlapColumns any{pair};
    CHECK(!narrow.any_overlap(arms.all(), any));
}

TEST_CASE("settings: whether they are usable is known before the first call", "[configurations][contained]") {
    CHECK(NarrowPhase().usable());
    for (const Settings& bad :
         {Settings{.speculative_margin = -1}, Settings{.threads = 5000}, Settings{.depth = DepthPath(9)}}) {
        NarrowPhase narrow(bad);
        const CallResult result = narrow.usable();
        REQUIRE(!result);
        Overlaps o;
        const CallResult same = narrow.overlap({}, o);
        REQUIRE(!same);
        CHECK(std::string(result.error().message.c_str()) == same.error().message.c_str());
    }
    CHECK(std::string(NarrowPhase({.depth = DepthPath(9)}).usable().error().message.c_str()).find("depth is 9") !=
          std::string::npos);
    NarrowPhase from, to(std::move(from));
    CHECK(!from.usable());
}

TEST_CASE("configurations: C has the bits of C++", "[configurations]") {
    robots::Arms arms = robots::make_arms(20, robots::Samples::random, 9);
    const Configurations cpp = arms.all();
    NarrowPhase narrow;
    Distances d;
    AnyOverlaps any;
    LeastDistances least;
    REQUIRE(narrow.distance_configurations(cpp, d));
    REQUIRE(narrow.any_overlap(cpp, any));
    REQUIRE(narrow.least_distance(cpp, least));
    abut_store* store = nullptr;
    abut_narrow_phase* in_c = nullptr;
    REQUIRE(abut_store_create(&store, nullptr) == ABUT_OK);
    REQUIRE(abut_narrow_phase_create(nullptr, &in_c, nullptr) == ABUT_OK);
    store->store = std::move(arms.shapes);
    abut_configurations all = {};
    all.size = sizeof all;
    all.shapes = store;
    all.bodies = abut_array(arms.bodies.data(), arms.bodies.size());
    all.pairs = abut_array(arms.pairs.data(), arms.pairs.size());
    all.positions = abut_array(arms.positions.data(), arms.positions.size());
    all.orientations = abut_array(arms.orientations.data(), arms.orientations.size());
    const std::size_t pairs = d.signed_distance.size();
    std::vector<float> distance(pairs), nearest(20);
    std::vector<abut_vec3> normal(pairs), point(20);
    std::vector<std::uint32_t> pair(20), which(20), missing(20), bits((pairs + 31) / 32);
    const abut_distance_columns columns{sizeof columns, pairs,   distance.data(), normal.data(),
                                        nullptr,        nullptr, nullptr};
    REQUIRE(abut_narrow_phase_distance_configurations(in_c, &all, &columns, nullptr, nullptr) == ABUT_OK);
    CHECK(std::memcmp(distance.data(), d.signed_distance.data(), pairs * sizeof(float)) == 0);
    CHECK(std::memcmp(normal.data(), d.normal.data(), pairs * sizeof(Vec3)) == 0);
    const abut_any_overlap_columns any_columns{sizeof any_columns, 20, pair.data(), missing.data()};
    REQUIRE(abut_narrow_phase_any_overlap(in_c, &all, &any_columns, nullptr) == ABUT_OK);
    CHECK(pair == any.pair);
    const std::vector<std::uint32_t> ends = {7, 20};
    PathOverlaps paths;
    REQUIRE(narrow.any_overlap({cpp, ends}, paths));
    std::uint32_t configuration[2] = {}, of_path[2] = {};
    const abut_path_overlap_columns path_columns{sizeof path_columns, 2, configuration, of_path, nullptr};
    const abut_column path_ends = abut_array(ends.data(), 2);
    REQUIRE(abut_narrow_phase_any_path_overlap(in_c, &all, path_ends, &path_columns, nullptr) == ABUT_OK);
    CHECK(std::equal(configuration, configuration + 2, paths.configuration.begin()));
    CHECK(std::equal(of_path, of_path + 2, paths.pair.begin()));
    const abut_least_distance_columns least_columns{
        sizeof least_columns, 20, nearest.data(), which.data(), nullptr, nullptr, point.data(), nullptr};
    REQUIRE(abut_narrow_phase_least_distance(in_c, &all, &least_columns, nullptr, nullptr) == ABUT_OK);
    CHECK(nearest == least.signed_distance);
    CHECK(which == least.pair);
    CHECK(std::memcmp(point.data(), least.point_b.data(), 20 * sizeof(Vec3)) == 0);
    abut_overlap_columns o = {};
    o.size = sizeof o, o.bits = bits.data(), o.bit_words = bits.size();
    REQUIRE(abut_narrow_phase_overlap_configurations(in_c, &all, &o, nullptr) == ABUT_OK);
    // The last body as an obstacle, where the first configuration has it, and a struct that ends before it.
    const test::RestingBodies resting(cpp, 29);
    Configurations once = resting.once();
    once.shapes = &store->store;
    abut_configurations of_29 = all;
    of_29.bodies.count = 29;
    of_29.positions = abut_array(once.positions.address(0), once.positions.size());
    of_29.orientations = abut_array(once.orientations.address(0), once.orientations.size());
    const Body last = once.obstacles[0];
    of_29.obstacles = abut_body_records(reinterpret_cast<const abut_body*>(&last), 1);
    REQUIRE(abut_narrow_phase_least_distance(in_c, &of_29, &least_columns, nullptr, nullptr) == ABUT_OK);
    REQUIRE(narrow.least_distance(once, least));
    CHECK(nearest == least.signed_distance);
    of_29.obstacles.reserved[0].count = 1;
    CHECK(abut_narrow_phase_least_distance(in_c, &of_29, &least_columns, nullptr, nullptr) == ABUT_BAD_ARGUMENT);
    all.size = offsetof(abut_configurations, obstacles);
    all.obstacles.reserved[0].count = 1;
    REQUIRE(abut_narrow_phase_any_overlap(in_c, &all, &any_columns, nullptr) == ABUT_OK);
    CHECK(pair == any.pair);
    all.size = sizeof all, all.obstacles = {};
    all.orientations.count -= 1;
    abut_error error = {};
    CHECK(abut_narrow_phase_least_distance(in_c, &all, &least_columns, nullptr, &error) == ABUT_BAD_SIZE);
    CHECK(std::string(error.message).find("Configurations::positions") != std::string::npos);
    CHECK(abut_narrow_phase_any_overlap(in_c, nullptr, &any_columns, &error) == ABUT_BAD_ARGUMENT);
    abut_narrow_phase_destroy(in_c);
    abut_store_destroy(store);
}

TEST_CASE("configurations: none, no pairs, no bodies", "[configurations][contained]") {
    const robots::Arms arms = robots::make_arms(3, robots::Samples::random, 8);
    NarrowPhase narrow;
    Distances d;
    LeastDistances least;
    AnyOverlaps any;
    Configurations all = arms.all();
    all.pairs = {};
    REQUIRE(narrow.distance_configurations(all, d));
    CHECK(d.signed_distance.empty());
    REQUIRE(narrow.least_distance(all, least));
    REQUIRE(narrow.any_overlap(all, any));
    CHECK(least.signed_distance == std::vector<float>(3, std::numeric_limits<float>::infinity()));
    CHECK(any.pair == std::vector<std::uint32_t>(3, kNoPair));
    all = arms.all();
    all.positions = {}, all.orientations = {};
    REQUIRE(narrow.distance_configurations(all, d));
    REQUIRE(narrow.least_distance(all, least));
    CHECK(least.pair.empty());
    all.bodies = {}, all.pairs = {};
    REQUIRE(narrow.any_overlap(all, any));
}
