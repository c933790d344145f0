// Hulls that are boxes: found out, and added as boxes where the caller asks for it.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <abut/cooking.hpp>

#include "base/double_math.hpp"
#include "scenes/random.hpp"
#include "support/judge.hpp"

using namespace abut;

namespace {

std::vector<Vec3> corners(Vec3 half, Vec3 centre = {}) {
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i)
        points.push_back({centre.x + (i & 1 ? -half.x : half.x), centre.y + (i & 2 ? -half.y : half.y),
                          centre.z + (i & 4 ? -half.z : half.z)});
    return points;
}

HullReport report_of(const std::vector<Vec3>& points) {
    const Expected<CookedHull> hull = cook_hull(points);
    REQUIRE(hull);
    std::vector<std::byte> bytes(hull->byte_count());
    hull->write(bytes);
    const Expected<CookedHull> read = CookedHull::read(bytes);
    REQUIRE(read);
    CHECK(read->report().is_box == hull->report().is_box);
    CHECK(read->report().box_half_extents == hull->report().box_half_extents);
    CHECK(read->report().box_centre == hull->report().box_centre);
    return hull->report();
}

ShapeId add(ShapeStore& store, const std::vector<Vec3>& points, const InstanceOptions& options = {}) {
    const Expected<ShapeId> id = store.add_hull(points, options, {.recognise_box = true});
    REQUIRE(id);
    return *id;
}

}  // namespace

TEST_CASE(
    "hulls that are boxes: along the axes, wherever they are, with points inside and on their faces, and rounded a "
    "little",
    "[boxes]") {
    scenes::Random random(8);
    for (int i = 0; i < 200; ++i) {
        const auto length = [&] { return float(random.uniform(0.01, 3)); };
        const Vec3 half = {length(), length(), length()},
                   centre = i % 2 == 0 ? Vec3{} : Vec3{length(), -length(), length()};
        std::vector<Vec3> points = corners(half, centre);
        points.push_back(centre);
        points.push_back({centre.x + half.x, centre.y, centre.z});
        std::shuffle(points.begin(), points.end(), std::minstd_rand(unsigned(i)));
        const HullReport report = report_of(points);
        REQUIRE(report.is_box);
        CHECK(report.box_half_extents.x == Approx(half.x).epsilon(1e-5));
        CHECK(report.box_half_extents.y == Approx(half.y).epsilon(1e-5));
        CHECK(report.box_half_extents.z == Approx(half.z).epsilon(1e-5));
        CHECK(report.box_centre.y == Approx(centre.y).margin(1e-6));
        ShapeStore store;
        const ShapeId id = add(store, points);
        CHECK(id.kind() == (i % 2 == 0 ? ShapeKind::box : ShapeKind::hull));
        CHECK(store.view(id).hull.is_box == (i % 2 != 0));
        if (i % 2 == 0) CHECK(store.view(id).half_extents == half);
    }
}

TEST_CASE("hulls that are boxes: what is not a box stays a hull", "[boxes]") {
    const auto is_box = [](std::vector<Vec3> points) {
        ShapeStore store;
        const bool is = report_of(points).is_box;
        CHECK((add(store, points).kind() == ShapeKind::box) == is);
        return is;
    };
    std::vector<Vec3> points = corners({1, 1, 1});
    CHECK(is_box(points));
    points[0].x += 1e-4f;
    CHECK_FALSE(is_box(points));  // a corner stands out
    points = corners({1, 1, 1});
    points[0].x -= 1e-4f;
    CHECK_FALSE(is_box(points));
    points.pop_back();
    CHECK_FALSE(is_box(points));  // a corner is missing
    points = corners({1, 1, 0});
    CHECK_FALSE(is_box(points));  // flat
    points = {{1, 0, 1}, {0, 1, 1}, {-1, 0, 1}, {0, -1, 1}, {1, 0, -1}, {0, 1, -1}, {-1, 0, -1}, {0, -1, -1}};
    CHECK_FALSE(is_box(points));  // turned about z
    points = corners({1, 1, 1});
    for (int i = 0; i < 4; ++i) points[std::size_t(i)].x *= i % 2 == 0 ? 1.5f : 1;
    CHECK_FALSE(is_box(points));
    // A plate whose corners are off by as much as it is thick.
    points = corners({1, 1, 1e-6f});
    points[0].z *= 1.5f;
    CHECK_FALSE(is_box(points));
}

TEST_CASE("hulls that are boxes: a box that was a hull answers as a box, and only where it is asked for", "[boxes]") {
    ShapeStore store;
    const Vec3 half = {0.5f, 0.25f, 1};
    const InstanceOptions options{.rounding = 0.1f, .scale = {1, 2, 3}};
    const ShapeId box = *store.add_box(half, options), found = add(store, corners(half), options),
                  hull = *store.add_hull(corners(half), options);
    CHECK(found.kind() == ShapeKind::box);
    CHECK(hull.kind() == ShapeKind::hull);
    CHECK(store.view(hull).hull.is_box);
    CHECK(store.view(found).scale == options.scale);
    CHECK(store.view(found).rounding == options.rounding);
    const ShapeId ball = *store.add_sphere(0.5f);
    scenes::Random random(3);
    std::vector<Body> bodies = {{{}, ball, {}}};
    std::vector<Pair> pairs;
    for (int i = 0; i < 300; ++i) {
        const auto coordinate = [&] { return float(random.uniform(-3, 3)); };
        const Vec3 at = {coordinate(), coordinate(), coordinate()};
        for (const ShapeId id : {box, found}) {
            pairs.push_back({0, std::uint32_t(bodies.size())});
            bodies.push_back({at, id, {}});
        }
    }
    NarrowPhase narrow;
    Distances d;
    REQUIRE(narrow.distance({&store, bodies, pairs}, d));
    for (std::size_t i = 0; i < pairs.size(); i += 2) CHECK(d.signed_distance[i] == d.signed_distance[i + 1]);
}

TEST_CASE("hulls that are boxes: in any orientation, with the pose of the box", "[boxes]") {
    scenes::Random random(9);
    for (int i = 0; i < 300; ++i) {
        const auto length = [&] { return float(random.uniform(0.05, 2)); };
        const Vec3 half = {length(), length(), length()}, centre = {length(), -length(), length()};
        const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1),
                     w = random.uniform(-1, 1);
        const double by = 1 / std::sqrt(x * x + y * y + z * z + w * w);
        const maths::Mat3 axes = maths::rotation({x * by, y * by, z * by, w * by});
        const auto moved = [](const maths::Mat3& m, Vec3 p, Vec3 to) {
            const maths::Vec3d v = m * maths::to_double(p) + maths::to_double(to);
            return Vec3{float(v.x), float(v.y), float(v.z)};
        };
        std::vector<Vec3> points = corners(half);
        for (Vec3& p : points) p = moved(axes, p, centre);
        const Expected<CookedHull> hull = cook_hull(points);
        REQUIRE(hull);
        const std::optional<HullBox> box = hull->box();
        REQUIRE(box);
        CHECK_FALSE(hull->report().is_box);
        CHECK(box->half_extents.x * box->half_extents.y * box->half_extents.z ==
              Approx(half.x * half.y * half.z).epsilon(1e-4));
        // Each corner of the box is one of the points.
        const maths::Mat3 found = maths::rotation(maths::normalised(maths::to_double(box->orientation)));
        for (const Vec3 corner : corners(box->half_extents)) {
            const Vec3 p = moved(found, corner, box->centre);
            const auto is_near = [&](Vec3 q) { return std::hypot(p.x - q.x, p.y - q.y, p.z - q.z) < 4e-6f; };
            CHECK(std::count_if(points.begin(), points.end(), is_near) == 1);
        }
        CHECK(box->orientation.w > 0.853f);  // the nearest to the identity: 62.8 degrees at most
        points[std::size_t(i % 8)].x += 1e-3f;
        const Expected<CookedHull> dented = cook_hull(points);
        REQUIRE(dented);
        CHECK_FALSE(dented->box());
    }
    const Expected<CookedHull> straight = cook_hull(corners({1, 2, 3}, {4, 5, 6}));
    REQUIRE(straight);
    CHECK((straight->box() && straight->box()->orientation == Quat{} && straight->box()->centre == Vec3{4, 5, 6}));
    // A parallelepiped, a frustum.
    std::vector<Vec3> sheared = corners({1, 1, 1}), tapered = sheared;
    for (Vec3& p : sheared) p.x += 2e-4f * p.y;
    for (Vec3& p : tapered) p.x *= p.y > 0 ? 1.0f : 0.99f;
    for (const auto& points : {sheared, tapered}) {
        const Expected<CookedHull> hull = cook_hull(points);
        REQUIRE(hull);
        CHECK_FALSE(hull->box());
    }
}
