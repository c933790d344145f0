// Scale after cooking: what cooking drops of a plate or a needle shows once the short side is scaled up. The oracle
// takes the points as they were given, times the scale.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <abut/cooking.hpp>

#include "scenes/placing.hpp"
#include "scenes/random.hpp"
#include "support/failing_memory.hpp"
#include "support/hull_checks.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using oracle::Vec3d;
using test::kPairsAKind;

namespace {

constexpr float kMargin = 0.02f;

// +-0.5, +-0.5, +-1e-5, and a roof of 2e-7.
std::vector<Vec3> plate_with_roof() {
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i) points.push_back({i & 1 ? 0.5f : -0.5f, i & 2 ? 0.5f : -0.5f, i & 4 ? 1e-5f : -1e-5f});
    points.push_back({0.1f, 0.1f, 1.02e-5f});
    return points;
}

// A rough ball, flattened along one or two axes by up to 1e-6, here and there with points that only a scale shows; and
// the scale that makes it round again, more or less.
oracle::Shape flattened(scenes::Random& random) {
    oracle::Shape shape;
    shape.kind = ShapeKind::hull;
    const int axis = int(random.below(3)), other = random.chance(0.4) ? int(random.below(3)) : axis;
    double by[3] = {1, 1, 1};
    const double flat = std::pow(10.0, -random.uniform(2, 6));
    by[axis] = by[other] = flat;
    const int count = 8 + int(random.below(30));
    std::vector<Vec3d> points;
    for (int i = 0; i < count; ++i)
        points.push_back(random.chance(0.3) ? Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}
                                            : random.direction());
    if (random.chance(0.5))  // nearly a box: flat faces with bumps
        for (int i = 0; i < 8; ++i) points.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
    const double size = std::pow(10.0, random.uniform(-2, 2));
    for (const Vec3d& p : points)
        shape.points.push_back({float(size * p.x * by[0]), float(size * p.y * by[1]), float(size * p.z * by[2])});
    const auto scale = [&](int i) { return float(random.uniform(0.5, 2) / (by[i] == 1 ? 1 : by[i])); };
    shape.scale = {scale(0), scale(1), scale(2)};
    if (random.chance(0.5))  // the long sides made short instead
        shape.scale = {float(shape.scale.x * flat), float(shape.scale.y * flat), float(shape.scale.z * flat)};
    return shape;
}

oracle::Shape beside(ShapeKind kind, double size, scenes::Random& random) {
    oracle::Shape shape;
    const auto length = [&] { return float(size * random.uniform(0.02, 1)); };
    shape.kind = kind;
    shape.radius = length(), shape.half_height = length();
    shape.half_extents.x = length(), shape.half_extents.y = length(), shape.half_extents.z = length();
    return shape;
}

scenes::Scene scaled_plates(ShapeKind kind, std::size_t pairs) {
    scenes::Scene scene;
    scene.name = std::string("hull scaled along its short sides, ") + to_string(kind);
    scenes::Random random(21, std::uint64_t(kind));
    for (std::size_t i = 0; i < pairs; ++i) {
        const std::uint32_t hull = scene.add_solid(flattened(random));
        const double size = scene.solids[hull].size;
        const std::uint32_t other =
            scene.add_solid(kind == ShapeKind::hull ? flattened(random) : beside(kind, size, random));
        const Quat q = random.orientation(), p = random.orientation();
        const Vec3d way = random.direction();
        const double most =
            std::min(size, scene.solids[other].form == oracle::Form::halfspace ? size : scene.solids[other].size);
        const double along =
            scenes::place(scene.solids[hull], q, scene.solids[other], p, way, most * random.uniform(-0.2, 0.1));
        if (along < 0) continue;
        const std::uint32_t a = scene.add_body(hull, {}, q), b = scene.add_body(other, way * along, p);
        random.chance(0.5) ? scene.add_pair(a, b) : scene.add_pair(b, a);
        scene.margins.push_back(float(0.02 * most));
    }
    scene.compute_reference();
    return scene;
}

}  // namespace

TEST_CASE("right: a plate's roof of 2e-7 under a scale of 1000", "[right][hull][scaled]") {
    ShapeStore store;
    const InstanceOptions tall = {.rounding = 0, .scale = {1, 1, 1000}};
    const auto cooked = cook_hull(plate_with_roof());
    REQUIRE(cooked);
    std::vector<std::byte> bytes(cooked->byte_count());
    REQUIRE(cooked->write(bytes) == bytes.size());
    const auto read = CookedHull::read(bytes);
    REQUIRE(read);
    const ShapeId plain = *store.add_hull(plate_with_roof()), changed = *store.add_hull(plate_with_roof());
    REQUIRE(store.set_instance(changed, tall));
    const ShapeId ball = *store.add_sphere(0.01f);
    const CompoundChild child = {plain, {}, {}};
    // Compounds are scaled alike along all axes: a child brings its own scale.
    const CompoundChild tall_child = {changed, {}, {}};
    const ShapeId hulls[] = {*store.add_hull(plate_with_roof(), tall),
                             *store.add_instance(plain, tall),
                             changed,
                             *store.add_hull(*cooked, tall),
                             *store.add_hull(*read, tall),
                             *store.add_compound({&tall_child, 1}),
                             *store.add_instance(changed, tall)};
    REQUIRE(store.add_compound({&child, 1}));
    CHECK(store.view(plain).hull.vertices == 8);
    NarrowPhase narrow;
    Distances d;
    const double exact = double(0.0302f) - double(1.02e-5f) * 1000 - double(0.01f);
    for (const ShapeId hull : hulls) {
        const std::vector<Body> bodies = {{{}, hull, {}}, {{0.1f, 0.1f, 0.0302f}, ball, {}}};
        const std::vector<Pair> pairs = {{0, 1}, {1, 0}};
        REQUIRE(narrow.distance({&store, bodies, pairs, {}, {}}, d));
        for (const float distance : d.signed_distance) CHECK(std::fabs(distance - exact) < 5e-8);
        if (hull.kind() != ShapeKind::hull) continue;
        const HullReport report = store.view(hull).hull;
        CHECK(report.vertices == 9);
        CHECK(report.dropped_points == 0);
        CHECK(report.deviation < 1e-7f);  // rounding of the vertices, from their centroid
    }
}

TEST_CASE("right: plates and needles scaled into shape", "[right][hull][scaled]") {
    for (const ShapeKind kind : {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box, ShapeKind::hull,
                                 ShapeKind::cylinder, ShapeKind::ellipsoid, ShapeKind::halfspace}) {
        const scenes::Scene scene = scaled_plates(kind, kPairsAKind / 10);
        for (const Isa isa : test::usable_isas()) {
            const judge::Report report = judge::judge(scene, judge::ask(scene.frame(), {.isa = isa}), kMargin);
            INFO(to_string(isa) << ", " << judge::summary(scene, report));
            CHECK(report.wrong == 0);
            CHECK(report.wrong_signs == 0);
            CHECK(double(report.hits) > 0.3 * double(report.pairs));
            CHECK(double(report.hits) < 0.95 * double(report.pairs));
            CHECK(double(report.exact_path) <
                  0.15 * double(report.pairs));  // sizes of 1 to a million, flat ones among them
        }
    }
}

TEST_CASE("a hull cooked again for a scale: right within its report, one for all instances, and gone with them",
          "[hull][scaled]") {
    scenes::Random random(3);
    std::size_t cooked_again = 0, more_vertices = 0;
    for (int i = 0; i < 300; ++i) {
        const oracle::Shape shape = flattened(random);
        ShapeStore store;
        const ShapeId plain = *store.add_hull(shape.points),
                      id = *store.add_instance(plain, {.rounding = 0, .scale = shape.scale});
        const ShapeId other = *store.add_instance(id, {.rounding = 1, .scale = shape.scale});
        const auto& tables = tables_of(store);
        const std::uint32_t place = tables.record(id).geometry, first = tables.record(plain).geometry;
        CHECK(place == tables.record(other).geometry);
        const HullReport report = store.view(id).hull;
        CHECK(report.vertices + report.dropped_points == shape.points.size());
        // No point is farther outside the hull than the report says, and scaled not by more than cooking may leave.
        std::vector<Vec3> vertices(report.vertices), scaled;
        store.hull_vertices(id, vertices);
        oracle::Shape cooked = shape;
        cooked.points = vertices, cooked.scale = {1, 1, 1};
        const oracle::Solid unscaled = oracle::prepare(cooked);
        cooked.scale = shape.scale;
        const oracle::Solid solid = oracle::prepare(cooked);
        const double side = 2 * double(store.view(id).size);
        for (const Vec3 p : shape.points) {
            const Vec3d at(p), there = {at.x * shape.scale.x, at.y * shape.scale.y, at.z * shape.scale.z};
            const oracle::Rotation none = oracle::rotation_of(Quat{});
            // hull_vertices rounds once more.
            CHECK(oracle::signed_distance_to_point(unscaled, {{}, none}, at) <=
                  report.deviation * 1.01 + 1.2e-7 * length(at));
            CHECK(oracle::signed_distance_to_point(solid, {{}, none}, there) <= 6e-7 * side);
        }
        cooked_again += place != first;
        more_vertices += report.vertices > store.view(plain).hull.vertices;
        // Back to its first scale it has its first hull, and nobody has the other any more.
        REQUIRE(store.set_instance(other, {}));
        CHECK(tables.record(other).geometry == first);
        REQUIRE(store.remove(plain));
        REQUIRE(store.remove(id));
        if (place != first) CHECK(tables.hulls[place].empty());
        CHECK_FALSE(tables.hulls[first].empty());
        REQUIRE(store.remove(other));
        CHECK(tables.hulls[first].empty());
        CHECK(tables.hulls.free.size() == tables.hulls.size());
    }
    CHECK(cooked_again > 50);
    CHECK(more_vertices > 30);
}

TEST_CASE("right, scaled along a side that is next to nothing", "[hull][scaled]") {
    // The exact path's grid was as coarse as if the longest side were scaled as well: 14 bounds off at 1e10.
    scenes::Random random(61);
    scenes::Scene scene;
    scene.name = "short sides scaled";
    for (int i = 0; i < 400; ++i) {
        const float by = float(std::pow(10.0, random.uniform(6, 9.9)));
        oracle::Shape shape;
        shape.kind = ShapeKind::hull;
        shape.scale = {1, i % 3 == 0 ? by : 1, by};
        const int count = i % 2 ? 2 : 6;
        for (int k = 0; k < count; ++k)
            shape.points.push_back({float(random.uniform(-1, 1)), float(random.uniform(-1, 1) / shape.scale.y),
                                    float(random.uniform(-1, 1) / by)});
        const std::uint32_t hull = scene.add_solid(shape),
                            other = scene.add_solid(beside(i % 5 ? ShapeKind::box : ShapeKind::cylinder, 2, random));
        const Vec3d at = random.direction() * random.uniform(0, 0.5);
        const std::uint32_t a = scene.add_body(hull, {}, random.orientation()),
                            b = scene.add_body(other, at, random.orientation());
        scene.add_pair(a, b, "");
        scene.margins.push_back(kMargin);
    }
    scene.compute_reference();
    const judge::Report report = judge::judge(scene, judge::ask(scene.frame(), {}), kMargin);
    INFO(judge::summary(scene, report));
    CHECK(report.wrong == 0);
}

TEST_CASE("scales that show nothing share the hull", "[hull][scaled]") {
    scenes::Random random(4);
    for (int i = 0; i < 200; ++i) {
        std::vector<Vec3> points;
        for (int k = 0; k < 30; ++k) {
            const Vec3d p = random.direction();
            points.push_back({float(p.x), float(p.y * 0.1), float(p.z * 0.5)});
        }
        ShapeStore store;
        const ShapeId plain = *store.add_hull(points);
        const auto factor = [&] { return float(random.uniform(0.2, 5)); };
        const ShapeId id = *store.add_instance(plain, {.rounding = 0, .scale = {factor(), factor(), factor()}});
        const ShapeId even = *store.add_instance(plain, {.rounding = 0, .scale = {1e6f, 1e6f, 1e6f}});
        CHECK(tables_of(store).record(id).geometry == tables_of(store).record(plain).geometry);
        CHECK(tables_of(store).record(even).geometry == tables_of(store).record(plain).geometry);
    }
}

TEST_CASE("what the caller's options dropped stays dropped under any scale", "[hull][scaled]") {
    ShapeStore store;
    const InstanceOptions tall = {.rounding = 0, .scale = {1, 1, 1000}};
    const ShapeId few = *store.add_hull(plate_with_roof(), tall, {.max_vertices = 8});
    const ShapeId coarse = *store.add_hull(plate_with_roof(), tall, {.tolerance = 1e-6f});
    CHECK(store.view(few).hull.vertices <= 8);
    CHECK(store.view(coarse).hull.vertices == 8);
    CHECK(store.view(coarse).hull.deviation >= 1.9e-7f);
}

TEST_CASE("memory that ends while a compound's hulls are cooked again leaves the store as it was", "[hull][scaled]") {
    ShapeStore store;
    ShapeId compound;
    const auto in_use = [&] {
        std::size_t users = 0;
        for (const std::uint32_t count : tables_of(store).hull_users) users += count;
        return users;
    };
    std::size_t before = 0;
    const auto prepare = [&] {
        store = ShapeStore();
        std::vector<Vec3> points = plate_with_roof();
        const ShapeId plate = *store.add_hull(points, {.rounding = 0, .scale = {1, 1, 1000}});
        for (Vec3& p : points) p.x *= 2;
        const ShapeId long_plate = *store.add_hull(points, {.rounding = 0, .scale = {1, 1, 1000}});
        const CompoundChild children[] = {{plate, {}, {}}, {long_plate, {0, 0, 1}, {}}};
        compound = *store.add_compound(children);
        before = in_use();
    };
    const std::size_t failures = test::for_each_failure(
        prepare,
        [&] {
        return store.set_instance(compound, {.rounding = 0.1f, .scale = {3, 3, 3}});
        },
        [&](const CallResult& result) {
        CHECK(result.error().code == ErrorCode::out_of_memory);
        CHECK(in_use() == before);
        REQUIRE(store.remove(compound));
    });
    CHECK(failures > 5);
    CHECK(in_use() > 0);
}
