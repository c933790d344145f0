// Hulls in the plane against a brute force in integers, and the records that are made of them.
#include <abut/d2/shapes_2d.hpp>

#include <cmath>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "d2/shapes/core_corners.hpp"
#include "d2/shapes/polygon_cooking.hpp"
#include "d2/shapes/tables_2d.hpp"
#include "support/catch.hpp"

using namespace abut::d2;

namespace {

__extension__ using Int128 = __int128;
using Point = std::pair<std::int64_t, std::int64_t>;  // multiples of a power of two; below 2^55

Int128 cross(Point a, Point b, Point c) {
    return Int128(b.first - a.first) * (c.second - a.second) - Int128(b.second - a.second) * (c.first - a.first);
}
Int128 dot(Point a, Point b, Point c) {
    return Int128(b.first - a.first) * (c.first - a.first) + Int128(b.second - a.second) * (c.second - a.second);
}
int sign(Int128 x) { return (x > 0) - (x < 0); }

// a to b is an edge if no point is on its right, and none on its line beyond its ends.
bool is_edge(const std::vector<Point>& points, Point a, Point b) {
    if (a == b) return false;
    for (const Point& p : points) {
        const int s = sign(cross(a, b, p));
        if (s < 0 || (s == 0 && (dot(a, b, p) < 0 || dot(b, a, p) < 0))) return false;
    }
    return true;
}

std::vector<Point> brute_hull(const std::vector<Point>& points) {
    Point next = points[0];
    for (const Point& p : points)
        if (std::pair(p.second, p.first) < std::pair(next.second, next.first)) next = p;
    std::vector<Point> hull;
    do {
        hull.push_back(next);
        for (const Point& p : points)
            if (is_edge(points, hull.back(), p)) {
                next = p;
                break;
            }
    } while (next != hull[0] && hull.size() <= points.size());
    return hull;
}

// Coordinates that floats hold exactly: 24 bits, shifted.
std::int64_t coordinate(std::mt19937_64& random, int family) {
    const auto up_to = [&](std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(-most, most)(random);
    };
    switch (family) {
        case 0: return up_to(1 << 24);                                       // any
        case 1: return up_to(3);                                             // a grid: equal and collinear points
        case 2: return up_to(1 << 23) * (std::int64_t{1} << random() % 31);  // far apart exponents
        default: return (1 << 23) + up_to(5);                                // far from the origin
    }
}

std::vector<Point> cloud(std::mt19937_64& random, int family) {
    std::vector<Point> points;
    const int count = 1 + int(random() % 40);
    if (family == 4) {  // on a line, with many equal ones
        const Point step = {coordinate(random, 1) * 1000, coordinate(random, 1) * 7919};
        for (int i = 0; i < count; ++i) {
            const std::int64_t k = coordinate(random, 1);
            points.push_back({step.first * k, step.second * k});
        }
        return points;
    }
    if (family == 5) {  // nearly on a line
        for (int i = 0; i < count; ++i) {
            const std::int64_t x = coordinate(random, 0);
            points.push_back({x, x / 3 + std::int64_t(random() % 3)});
        }
        return points;
    }
    for (int i = 0; i < count; ++i) points.push_back({coordinate(random, family), coordinate(random, family)});
    return points;
}

std::vector<Vec2> to_floats(const std::vector<Point>& points) {
    std::vector<Vec2> floats;
    for (const Point& p : points) floats.push_back({float(p.first), float(p.second)});
    return floats;
}

template <class Record>
Record record_of(const ShapeStore& store, ShapeId id) {
    return ShapeTables::of(store).record<Record>(id);
}

template <class Record>
void check_edges(const Record& r, std::size_t most, std::size_t count) {
    double size = 0;
    for (std::size_t i = 0; i < count; ++i)
        size = std::max({size, double(std::fabs(r.x[i])), double(std::fabs(r.y[i]))});
    for (std::size_t i = 0; i < most; ++i) {
        if (i >= count) {
            CHECK((r.x[i] == r.x[0] && r.y[i] == r.y[0]));
            CHECK((r.normal_x[i] == 0 && r.normal_y[i] == 0 && r.offset[i] == kNoEdge));
            continue;
        }
        CHECK(std::hypot(double(r.normal_x[i]), double(r.normal_y[i])) == Approx(1).epsilon(1e-7));
        double most_along = -1e30;
        for (std::size_t k = 0; k < count; ++k) {
            const double along = double(r.normal_x[i]) * r.x[k] + double(r.normal_y[i]) * r.y[k];
            CHECK(along <= r.offset[i] + 3e-7 * size);
            if (k == i || k == (i + 1) % count) most_along = std::max(most_along, along);
        }
        CHECK(r.offset[i] == float(most_along));
    }
}

}  // namespace

TEST_CASE("2D: the orientation of three points is exact") {
    std::mt19937_64 random(2);
    std::size_t zeros = 0;
    for (int i = 0; i < 200000; ++i) {
        const int family = i % 4;
        Point p[3];
        for (Point& q : p) q = {coordinate(random, family), coordinate(random, family)};
        if (i % 3 == 0)
            p[2] = {2 * p[1].first - p[0].first, 2 * p[1].second - p[0].second};  // collinear if floats hold it
        Vec2 f[3];
        for (int k = 0; k < 3; ++k) {
            f[k] = {float(p[k].first), float(p[k].second)};
            p[k] = {std::int64_t(f[k].x), std::int64_t(f[k].y)};
        }
        const int expected = sign(cross(p[0], p[1], p[2]));
        const double got = orientation(f[0], f[1], f[2]);
        if ((got > 0) - (got < 0) != expected) FAIL("orientation " << got << " instead of " << expected);
        zeros += expected == 0;
    }
    CHECK(zeros > 10000);
    // Differences that are no doubles: 1 is lost beside 2^100.
    CHECK(orientation({0x1p100f, 0x1p100f}, {1, 1}, {-0x1p100f, -0x1p100f}) == 0);
    CHECK(orientation({0x1p100f, 0x1p100f}, {0, 1}, {-0x1p100f, -0x1p100f}) > 0);
    CHECK(orientation({0x1p100f, 0x1p100f}, {1, 0}, {-0x1p100f, -0x1p100f}) < 0);
}

TEST_CASE("2D: a hull has the corners of the brute force, from the lowest on") {
    std::mt19937_64 random(3);
    std::set<std::size_t> sizes;
    for (int i = 0; i < 3000; ++i) {
        const std::vector<Point> points = cloud(random, i % 6);
        const std::vector<Vec2> floats = to_floats(points);
        const auto hull = convex_hull(floats);
        const auto expected = to_floats(brute_hull(points));
        REQUIRE(hull.size() == expected.size());
        for (std::size_t k = 0; k < hull.size(); ++k) REQUIRE(floats[hull[k]] == expected[k]);
        sizes.insert(hull.size());
    }
    CHECK(sizes.count(1) == 1);
    CHECK(sizes.count(2) == 1);
    CHECK(sizes.size() > 10);
}

TEST_CASE("2D: a polygon's record has its corners within the half-planes of its edges") {
    std::mt19937_64 random(4);
    ShapeStore store;
    std::size_t seen[kKinds] = {};
    for (int i = 0; i < 3000; ++i) {
        auto points = to_floats(cloud(random, i % 6));
        for (Vec2& p : points) p = {0x1p-10f * p.x, 0x1p-10f * p.y};  // within the range of coordinates
        InstanceOptions options;
        options.scale = {0x1p-10f, 0x1p-10f};
        if (i % 2 == 1) {
            const double angle = double(i);
            options = {.rounding = 0.25f, .scale = {0x1p-11f, -0x1.3p-12f}, .pose = {{3, -100}, {}}};
            options.pose.rotation = {float(std::cos(angle)), float(std::sin(angle))};
        }
        const auto id = store.add_polygon(points, options);
        INFO(id.error().message.c_str());
        REQUIRE(id);
        const auto kind = id->kind();
        ++seen[std::size_t(kind)];
        const ShapeView view = store.view(*id);
        if (kind == ShapeKind::polygon4) check_edges(record_of<PolygonRecord<4>>(store, *id), 4, view.corners);
        if (kind == ShapeKind::polygon8) check_edges(record_of<PolygonRecord<8>>(store, *id), 8, view.corners);
        std::vector<Vec2> corners(view.corners), of_record;
        REQUIRE(store.corners(*id, corners) == view.corners);
        for_each_corner(ShapeTables::of(store), *id, [&](DVec2 p) { of_record.push_back({float(p.x), float(p.y)}); });
        REQUIRE(of_record.size() == corners.size());
        for (std::size_t k = 0; k < corners.size(); ++k) {
            const double reach = view.size + std::hypot(corners[k].x, corners[k].y);
            CHECK(std::hypot(double(of_record[k].x) - corners[k].x, double(of_record[k].y) - corners[k].y) <=
                  2e-7 * reach);
        }
    }
    for (const ShapeKind kind :
         {ShapeKind::circle, ShapeKind::capsule, ShapeKind::polygon4, ShapeKind::polygon8, ShapeKind::polygon})
        CHECK(seen[std::size_t(kind)] > 50);
}

TEST_CASE("2D: the corners of a polygon keep their bits") {
    ShapeStore store;
    const std::vector<Vec2> points = {{0.1f, 0.7f}, {1e-3f, 0.1f}, {1000.1f, 0.3f}, {0.3f, 0.3f}, {0.1f, 0.7f}};
    Vec2 corners[4];
    REQUIRE(store.corners(*store.add_polygon(points), corners) == 3);
    CHECK(corners[0] == points[1]);
    CHECK(corners[1] == points[2]);
    CHECK(corners[2] == points[0]);
}

TEST_CASE("2D: a scale that joins corners leaves a convex polygon of fewer") {
    ShapeStore store;
    // Its lowest two corners are 1e-9 of its width apart.
    const std::vector<Vec2> points = {{0, 0}, {1e-9f, 0}, {1, 1}, {-1, 1}};
    CHECK(store.view(*store.add_polygon(points)).corners == 4);
    const ShapeId far = *store.add_polygon(points, {.scale = {1, 1}, .pose = {{1000.3f, 0}, {0.6f, 0.8f}}});
    CHECK(store.view(far).corners == 3);
    // Flattened to a line.
    const ShapeId flat = *store.add_polygon(points, {.scale = {1, 1e-38f}});
    CHECK(flat.kind() == ShapeKind::polygon4);
    const ShapeId point = *store.add_polygon(points, {.rounding = 1, .scale = {1e-38f, 1e-38f}, .pose = {{1, 1}, {}}});
    CHECK(store.view(point).size == 1);
}

TEST_CASE("2D: a shape symmetric about its origin has its centre there") {
    ShapeStore store;
    const auto centre = [&](ShapeId id) {
        const auto& r = ShapeTables::of(store).record<CoreRecord>(id);
        return Vec2{r.centre_x, r.centre_y};
    };
    const std::vector<Vec2> diamond = {{0.1f, 0}, {0, 0.7f}, {-0.1f, 0}, {0, -0.7f}};
    const Pose rotated = {{}, {0.6f, 0.8f}};
    CHECK(centre(*store.add_polygon(diamond)) == Vec2{});
    CHECK(centre(*store.add_polygon(diamond, {.scale = {0.3f, 0.7f}, .pose = rotated})) == Vec2{});
    CHECK(centre(*store.add_box({0.1f, 0.3f}, {.pose = rotated})) == Vec2{});
    CHECK(centre(*store.add_capsule(0.1f, 0.3f, {.pose = rotated})) == Vec2{});
    CHECK(centre(*store.add_box({0.1f, 0.3f}, {.pose = {{0.1f, 0.2f}, {}}})) == Vec2{0.1f, 0.2f});
}

TEST_CASE("2D: a shape far from its body's origin keeps its form") {
    ShapeStore store;
    const std::vector<Vec2> points = {{-1e-3f, 0}, {0.1e-3f, -0.7e-3f}, {1e-3f, 0}, {0.2e-3f, 0.7e-3f}};
    const auto near_record = record_of<PolygonRecord<4>>(store, *store.add_polygon(points));
    const auto far_record =
        record_of<PolygonRecord<4>>(store, *store.add_polygon(points, {.pose = {{1e9f, -3e7f}, {}}}));
    CHECK((far_record.centre_x == 1e9f && far_record.centre_y == -3e7f && far_record.size == near_record.size));
    for (int i = 0; i < 4; ++i) CHECK((far_record.x[i] == near_record.x[i] && far_record.y[i] == near_record.y[i]));
    const auto box = record_of<BoxRecord>(store, *store.add_box({0.1e-3f, 0.3e-3f}, {.pose = {{1e9f, 0}, {0, 1}}}));
    CHECK((box.half_x == 0.3e-3f && box.half_y == 0.1e-3f && box.centre_x == 1e9f));
}

TEST_CASE("2D: records of segments, boxes and half-planes") {
    ShapeStore store;
    const auto segment = record_of<CapsuleRecord>(store, *store.add_segment({1, 1}, {1, 5}, 0.5f));
    CHECK((segment.centre_x == 1 && segment.centre_y == 3 && segment.half_x == 0 && segment.half_y == 2));
    CHECK((segment.normal_x == 1 && segment.normal_y == 0 && segment.radius == 0.5f && segment.size == 2.5f));
    const auto point = *store.add_segment({1, 1}, {1, 1});
    CHECK(point.kind() == ShapeKind::circle);
    CHECK((record_of<CoreRecord>(store, point).centre_x == 1 && record_of<CoreRecord>(store, point).centre_y == 1));
    const auto box = record_of<BoxRecord>(store, *store.add_box({1, 2}, {.pose = {{5, 6}, {0, 1}}}));
    CHECK((box.centre_x == 5 && box.centre_y == 6 && box.half_x == 2 && box.half_y == 1));
    const InstanceOptions options = {.rounding = 0.5f, .scale = {-2, 2}, .pose = {{1, 10}, {0, 1}}};
    const auto plane = record_of<HalfplaneRecord>(store, *store.add_halfplane({3, 4}, 10, options));
    // Mirrored (-0.6, 0.8), rotated (-0.8, -0.6); 2 * 2 m from the pose's position.
    CHECK(plane.normal_x == Approx(-0.8));
    CHECK(plane.normal_y == Approx(-0.6));
    CHECK(plane.offset == Approx(4 - 0.8 - 6));
    CHECK((plane.radius == 0.5f && plane.size == 0));
}
