// Gradients: right where they exist, zeros where there is nothing to differentiate, and never a byte written by a call
// that is refused.
#include "support/catch.hpp"

#include <cstring>
#include <limits>

#include <abut/abut.h>
#include <abut/abut.hpp>

#include "queries/configurations/gradient_checks.hpp"
#include "scenes/random.hpp"

using namespace abut;

namespace {

#ifdef NDEBUG
constexpr std::size_t kPairs = 290;  // of each of 35 rows
#else
constexpr std::size_t kPairs = 20;
#endif

Gradients gradients_of(const Frame& frame, const DistanceOptions& options = {}) {
    NarrowPhase narrow;
    Distances distances;
    REQUIRE(narrow.distance(frame, distances, options));
    Gradients gradients;
    REQUIRE(distance_gradients(frame, distances, gradients));
    return gradients;
}

bool are_zeros(const Gradients& g, std::size_t i) {
    return g.position_a[i] == Vec3() && g.rotation_a[i] == Vec3() && g.position_b[i] == Vec3() &&
           g.rotation_b[i] == Vec3();
}

}  // namespace

TEST_CASE("gradients: central differences of the oracle, every two convex kinds", "[gradients][right]") {
    robots::GradientTally all;
    for (const std::string& row : robots::gradient_rows()) {
        const scenes::Scene scene = scenes::make_row(row, kPairs, 77, scenes::Keep::no);
        robots::GradientTally tally = robots::judge_gradients(scene, gradients_of(scene.frame()));
        INFO(row << ": " << tally.smooth << " smooth of " << tally.pairs << ", worst " << tally.worst);
        for (const std::string& example : tally.examples) UNSCOPED_INFO(example);
        CHECK(tally.wrong == 0);
        CHECK(double(tally.smooth) > 0.5 * double(tally.pairs));
        all.add(tally);
    }
    CHECK(double(all.smooth) > 0.8 * double(all.pairs));
}

TEST_CASE("gradients: a worse gradient is found out", "[gradients]") {
    const scenes::Scene scene = scenes::make_row("box-hull", 100, 5, scenes::Keep::no);
    const Gradients right = gradients_of(scene.frame());
    const std::size_t smooth = robots::judge_gradients(scene, right).smooth;
    for (auto column :
         {&Gradients::position_a, &Gradients::rotation_a, &Gradients::position_b, &Gradients::rotation_b}) {
        Gradients worse = right;
        for (Vec3& v : worse.*column) v.x += 2e-3f;
        CHECK(robots::judge_gradients(scene, worse).wrong > smooth * 9 / 10);
    }
}

TEST_CASE("gradients: relative poses give those of the same bodies, along A's axes", "[gradients]") {
    const scenes::Scene scene = scenes::make_row("box-cylinder", 100, 6, scenes::Keep::no);
    // A stands at the origin, unturned.
    std::vector<Body> bodies = scene.bodies;
    std::vector<RelativePose> poses;
    for (const Pair pair : scene.pairs) {
        Body &a = bodies[pair.a], &b = bodies[pair.b];
        b.position = {b.position.x - a.position.x, b.position.y - a.position.y, b.position.z - a.position.z};
        a.position = {}, a.orientation = {};
        poses.push_back({b.position, b.orientation});
    }
    Frame frame{&scene.shapes, bodies, scene.pairs};
    const Gradients world = gradients_of(frame);
    frame.relative_poses = poses;
    const Gradients relative = gradients_of(frame);
    CHECK(world.position_b == relative.position_b);
    CHECK(world.rotation_b == relative.rotation_b);
    CHECK(world.rotation_a == relative.rotation_a);
}

TEST_CASE("gradients: double positions far from the origin change nothing", "[gradients]") {
    const scenes::Scene scene = scenes::make_row("box-cone", 200, 8, scenes::Keep::no);
    std::vector<DVec3> near, far;
    std::vector<Quat> orientations;
    std::vector<ShapeId> shapes;
    for (const Body& body : scene.bodies) {
        const DVec3 at = {std::ldexp(std::round(std::ldexp(body.position.x, 20)), -20),
                          std::ldexp(std::round(std::ldexp(body.position.y, 20)), -20),
                          std::ldexp(std::round(std::ldexp(body.position.z, 20)), -20)};
        near.push_back(at);
        far.push_back({at.x + 0x1p20, at.y - 0x1p21, at.z + 0x1p19});
        orientations.push_back(body.orientation), shapes.push_back(body.shape);
    }
    const auto frame = [&](const std::vector<DVec3>& positions) {
        return Frame{&scene.shapes,
                     BodyColumns{.shapes = shapes, .double_positions = positions, .orientations = orientations},
                     scene.pairs};
    };
    const Gradients here = gradients_of(frame(near)), there = gradients_of(frame(far));
    CHECK(here.rotation_a == there.rotation_a);
    CHECK(here.rotation_b == there.rotation_b);
    CHECK(here.position_a == there.position_a);
}

TEST_CASE("gradients: zeros where there is nothing to differentiate", "[gradients][contained]") {
    ShapeStore store;
    const ShapeId box = *store.add_box({1, 1, 1});
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Body> bodies = {
        {{0, 0, 0}, box, {}}, {{1.5f, 0, 0}, box, {}}, {{9, 0, 0}, box, {}}, {{nan, 0, 0}, box, {}}};
    const std::vector<Pair> pairs = {{0, 1}, {0, 2}, {0, 3}, {3, 1}, {0, 4}, {0xffffffff, 0}};
    const Frame frame{&store, bodies, pairs};
    Gradients g = gradients_of(frame, {.max_distance = 1.0f});
    CHECK(g.position_a[0] == Vec3{-1, 0, 0});
    CHECK(g.position_b[0] == Vec3{1, 0, 0});
    for (const std::size_t i : {1u, 2u, 3u, 4u, 5u}) CHECK(are_zeros(g, i));
    g = gradients_of(frame, {.max_distance = 1.0f, .separation_only = true});
    CHECK(are_zeros(g, 0));
    g = gradients_of(frame);
    CHECK(g.position_b[1] == Vec3{1, 0, 0});
}

TEST_CASE("gradients: a call that is refused names the argument and writes nothing", "[gradients][contained]") {
    const scenes::Scene scene = scenes::make_row("box-box", 10, 1, scenes::Keep::no);
    const Vec3 mark = {7, 7, 7};
    std::vector<Vec3> column(10, mark), short_one(9, mark), given(10, Vec3{0, 1, 0});
    const auto refusal = [&](const DistanceWitnesses& of, GradientColumns out) {
        const CallResult result = distance_gradients(scene.frame(), of, out);
        REQUIRE(!result);
        for (const Vec3& v : column) CHECK(v == mark);
        return std::string(result.error().message.c_str());
    };
    const DistanceWitnesses of = {given, given, given};
    CHECK(refusal({{}, given, given}, {.position_a = column}).find("DistanceWitnesses::normal") != std::string::npos);
    CHECK(refusal({given, {}, given}, {.position_a = column}).find("DistanceWitnesses::point_a") != std::string::npos);
    CHECK(refusal({given, given, std::span(given).first(9)}, {.position_a = column}).find("point_b has room for 9") !=
          std::string::npos);
    CHECK(refusal(of, {.position_a = column, .rotation_a = short_one}).find("GradientColumns::rotation_a") !=
          std::string::npos);
    CHECK(refusal(of, {.position_a = column, .position_b = short_one}).find("GradientColumns::position_b") !=
          std::string::npos);
    CHECK(refusal(of, {.position_a = column, .rotation_b = {static_cast<Vec3*>(nullptr), 10}}).find("null") !=
          std::string::npos);
    Frame none = scene.frame();
    none.shapes = nullptr;
    GradientColumns out{.position_a = column};
    CHECK(!distance_gradients(none, of, out));
    out = {};
    CHECK(distance_gradients(scene.frame(), of, out));
    CHECK(distance_gradients({}, {}, out));
    out = {.position_b = column};
    REQUIRE(distance_gradients(scene.frame(), of, out));
    CHECK(column == given);
}

TEST_CASE("gradients: C has the bits of C++", "[gradients]") {
    abut_store* store = nullptr;
    abut_narrow_phase* narrow = nullptr;
    REQUIRE(abut_store_create(&store, nullptr) == ABUT_OK);
    REQUIRE(abut_narrow_phase_create(nullptr, &narrow, nullptr) == ABUT_OK);
    ShapeStore same;
    abut_shape_id id = 0;
    REQUIRE(abut_store_add_box(store, {0.5f, 0.25f, 1.0f}, nullptr, &id, nullptr) == ABUT_OK);
    const ShapeId box = *same.add_box({0.5f, 0.25f, 1.0f});
    REQUIRE(box.bits() == id);
    scenes::Random random(3);
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < 50; ++i) {
        const oracle::Vec3d at = random.direction() * 1.2;
        bodies.push_back({{float(at.x), float(at.y), float(at.z)}, box, random.orientation()});
        pairs.push_back({i, (i + 7) % 50});
    }
    const Gradients right = gradients_of({&same, bodies, pairs});
    abut_frame frame = abut_frame_default();
    frame.shapes = store;
    frame.bodies = abut_body_records(reinterpret_cast<const abut_body*>(bodies.data()), bodies.size());
    frame.pairs = abut_array(pairs.data(), pairs.size());
    std::vector<float> distance(50);
    std::vector<abut_vec3> normal(50), point_a(50), point_b(50), out[4];
    for (auto& column : out) column.resize(50);
    const abut_distance_columns d{sizeof d,       50,     distance.data(), normal.data(), point_a.data(),
                                  point_b.data(), nullptr};
    REQUIRE(abut_narrow_phase_distance(narrow, &frame, &d, nullptr, nullptr) == ABUT_OK);
    const abut_gradient_columns g{sizeof g, 50, out[0].data(), out[1].data(), out[2].data(), out[3].data()};
    REQUIRE(abut_distance_gradients(&frame, &d, &g, nullptr, nullptr) == ABUT_OK);
    const std::vector<Vec3>* const columns[] = {&right.position_a, &right.rotation_a, &right.position_b,
                                                &right.rotation_b};
    for (int i = 0; i < 4; ++i) CHECK(std::memcmp(columns[i]->data(), out[i].data(), 50 * sizeof(Vec3)) == 0);
    abut_error error = {};
    abut_distance_columns without = d;
    without.point_b = nullptr;
    CHECK(abut_distance_gradients(&frame, &without, &g, nullptr, &error) == ABUT_BAD_ARGUMENT);
    CHECK(std::string(error.message).find("point_b") != std::string::npos);
    CHECK(abut_distance_gradients(&frame, &d, nullptr, nullptr, &error) == ABUT_BAD_ARGUMENT);
    CHECK(std::string(error.message).find("out") != std::string::npos);
    abut_narrow_phase_destroy(narrow);
    abut_store_destroy(store);
}
