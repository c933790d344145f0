// Mass properties in the plane against sums over many small strips.
#include <abut/d2/shapes_2d.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/catch.hpp"

using namespace abut::d2;

namespace {

double cross(DVec2 a, DVec2 b, DVec2 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

// The distance of a point from a convex polygon, counter-clockwise; a point and a segment, too.
double distance(const std::vector<Vec2>& corners, DVec2 p) {
    double least = INFINITY;
    bool is_inside = corners.size() > 2;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec2 from = corners[i], to = corners[(i + 1) % corners.size()];
        const DVec2 a = {from.x, from.y}, b = {to.x, to.y};
        const double squared = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
        const double along = squared > 0 ? ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / squared : 0;
        const double t = std::clamp(along, 0.0, 1.0);
        least = std::min(least, std::hypot(a.x + t * (b.x - a.x) - p.x, a.y + t * (b.y - a.y) - p.y));
        is_inside &= cross(a, b, p) > 0;
    }
    return is_inside ? 0 : least;
}

struct Sums {
    double area = 0, x = 0, y = 0, second = 0;
};

// Of what is within `radius` of the corners' hull; of a grid of cells.
Sums sampled(const std::vector<Vec2>& corners, double radius, Vec2 low, Vec2 high) {
    constexpr int kCells = 1500;
    const double dx = (double(high.x) - low.x) / kCells, dy = (double(high.y) - low.y) / kCells;
    Sums sums;
    for (int i = 0; i < kCells; ++i) {
        for (int k = 0; k < kCells; ++k) {
            const DVec2 p = {low.x + (i + 0.5) * dx, low.y + (k + 0.5) * dy};
            if (distance(corners, p) > radius) continue;
            const double area = dx * dy;
            sums.area += area, sums.x += area * p.x, sums.y += area * p.y;
            sums.second += area * (p.x * p.x + p.y * p.y);
        }
    }
    return sums;
}

void check_sampled(const ShapeStore& store, ShapeId id) {
    const ShapeView view = store.view(id);
    std::vector<Vec2> corners(view.corners);
    store.corners(id, corners);
    const Sums sums = sampled(corners, view.radius, view.bounds_min, view.bounds_max);
    const auto mass = mass_properties(store, id, 2);
    REQUIRE(mass);
    const double x = sums.x / sums.area, y = sums.y / sums.area;
    CHECK(mass->mass == Approx(2 * sums.area).epsilon(2e-3));
    CHECK(mass->center.x == Approx(x).margin(1e-3 * view.size));
    CHECK(mass->center.y == Approx(y).margin(1e-3 * view.size));
    CHECK(mass->inertia == Approx(2 * (sums.second - sums.area * (x * x + y * y))).epsilon(4e-3));
}

}  // namespace

TEST_CASE("2D: mass properties are those of sums over a grid") {
    ShapeStore store;
    const std::vector<Vec2> triangle = {{1, 0}, {3, 0.5f}, {1.5f, 2}};
    const std::vector<Vec2> hexagon = {{0, 0}, {2, -0.5f}, {3, 1}, {2.5f, 2}, {1, 2.5f}, {-0.5f, 1}};
    check_sampled(store, *store.add_circle(1, {.pose = {{2, 0}, {}}}));
    check_sampled(store, *store.add_capsule(0.5f, 1));
    check_sampled(store, *store.add_segment({1, 1}, {3, 2}, 0.25f));
    check_sampled(store, *store.add_segment({1, 1}, {1, 1}, 0.25f));
    check_sampled(store, *store.add_box({1, 2}));
    check_sampled(store, *store.add_box({1, 0.5f}, {.rounding = 0.5f, .pose = {{1, 1}, {0.6f, 0.8f}}}));
    check_sampled(store, *store.add_box({0, 0.5f}, {.rounding = 0.5f}));
    check_sampled(store, *store.add_box({0, 0}, {.rounding = 0.5f}));
    check_sampled(store, *store.add_polygon(triangle));
    check_sampled(store, *store.add_polygon(triangle, {.rounding = 0.3f, .scale = {-1, 2}}));
    check_sampled(store, *store.add_polygon(hexagon, {.rounding = 0.1f}));
}

TEST_CASE("2D: mass properties of plain shapes are exact") {
    ShapeStore store;
    constexpr double kPi = 3.14159265358979323846;
    const auto disc = *mass_properties(store, *store.add_circle(2), 3);
    CHECK(disc.mass == float(12 * kPi));
    CHECK(disc.inertia == float(24 * kPi));
    const auto box = *mass_properties(store, *store.add_box({1, 2}, {.pose = {{1e4f, 0}, {}}}), 3);
    CHECK((box.mass == 24 && box.inertia == 40 && box.center == Vec2{1e4f, 0}));
    const auto flat = *mass_properties(store, *store.add_segment({1, 1}, {3, 5}), 3);
    CHECK((flat.mass == 0 && flat.inertia == 0 && flat.center == Vec2{2, 3}));
}

TEST_CASE("2D: a compound has the mass of its children") {
    ShapeStore store;
    const ShapeId half = *store.add_box({0.5f, 2});
    const CompoundChild children[] = {{half, {{-0.5f, 0}, {}}}, {half, {{0.5f, 0}, {-1, 0}}}};
    const auto whole =
        *mass_properties(store, *store.add_compound(children, {.scale = {2, 1}, .pose = {{7, 0}, {0, 1}}}), 1);
    const auto box = *mass_properties(store, *store.add_box({2, 2}), 1);
    CHECK(whole.mass == box.mass);
    CHECK(whole.inertia == Approx(box.inertia).epsilon(1e-6));
    CHECK(whole.center.x == Approx(7));
    CHECK(whole.center.y == Approx(0).margin(1e-6));
}

TEST_CASE("2D: what has no mass is refused") {
    ShapeStore store;
    const std::vector<Vec2> points = {{0, 0}, {1, 0}};
    const ShapeId disc = *store.add_circle(1), plane = *store.add_halfplane({0, 1}, 0),
                  chain = *store.add_chain(points);
    CHECK(mass_properties(store, plane, 1).error().message.contains("halfplane"));
    CHECK(mass_properties(store, chain, 1).error().message.contains("chain"));
    CHECK(mass_properties(store, ShapeId(), 1).error().message.contains("no living shape"));
    CHECK(mass_properties(store, disc, -1).error().message.contains("-1"));
    CHECK(mass_properties(store, disc, NAN).error().message.contains("density"));
    CHECK(mass_properties(store, *store.add_circle(1e10f), 1).error().code == abut::ErrorCode::limit);
    CHECK(mass_properties(store, disc, 0)->mass == 0);
}
