// What must hold of every hull holds of random ones, most of them nasty.
#include <abut/shape_store.hpp>

#include <cmath>
#include <vector>

#include "support/catch.hpp"
#include "support/hull_checks.hpp"
#include "support/oracle/oracle.hpp"

using namespace abut;
using namespace abut::test;

namespace {

// A cloud of one of twelve makes, mixed from exact, nearly coplanar, clustered and stretched parts.
std::vector<Vec3> nasty_cloud(Random& random) {
    const int count = 1 + int(random.below(120));
    const std::uint32_t make = random.below(12);
    const Rotation rotation(random);
    const double noise = std::pow(10.0, random.between(-9, -3));
    std::vector<Vec3> points;
    const auto snap = [&](double x, double grid) { return std::round(x * grid) / grid; };
    for (int i = 0; i < count; ++i) {
        double x = random.between(-1, 1), y = random.between(-1, 1), z = random.between(-1, 1);
        switch (make) {
            case 0: break;
            case 1: x = snap(x, 2), y = snap(y, 2), z = snap(z, 2); break;                        // a coarse grid
            case 2: y = noise * random.between(-1, 1); break;                                     // nearly flat
            case 3: y = noise * random.between(-1, 1), z = noise * random.between(-1, 1); break;  // nearly straight
            case 4:
                x = snap(x, 1) + noise * x, y = snap(y, 1) + noise * y, z = snap(z, 1) + noise * z;
                break;                                      // clusters
            case 5: y = snap(y, 1) * noise; break;          // nearly coincident sheets
            case 6: y = noise * x * x; break;               // barely curved
            case 7: y *= noise, z *= noise * noise; break;  // a blade
            case 8: x = i * 0.01, y = noise * std::sin(i), z = i % 7 == 0 ? 1 : 0; break;
            case 9: {
                const double a = i * 0.1;
                x = std::cos(a), z = std::sin(a), y = i % 2 ? 1 : -1 + noise * random.unit();
                break;
            }
            case 10:
                x = snap(x, 3), y = snap(y, 3) + noise * random.unit(), z = snap(z, 3);
                break;  // a grid, one side off
            default: {
                const double l = std::sqrt(x * x + y * y + z * z);
                x /= l, y /= l, z /= l;
                break;
            }
        }
        points.push_back(make % 3 == 1 && i % 2 == 0 ? Vec3{float(x), float(y), float(z)} : rotation(x, y, z));
        if (i % 10 == 9) points.push_back(points[random.below(std::uint32_t(points.size()))]);
    }
    return points;
}

// By the oracle's hull of the vertices as they are stored, relative to their centre.
double farthest_outside(const HullGeometry& hull, const std::vector<Vec3>& points) {
    std::vector<Vec3> vertices;
    for (std::uint32_t i = 0; i < hull.vertex_count; ++i)
        vertices.push_back({hull.vertices[i].x, hull.vertices[i].y, hull.vertices[i].z});
    const oracle::Solid solid = oracle::hull(vertices);
    double farthest = 0;
    for (const Vec3 p : points)
        farthest =
            std::max(farthest, signed_distance_to_point(solid, {}, oracle::Vec3d(p) - oracle::Vec3d(hull.centre)));
    return farthest;
}

double farthest_vertex_outside(const HullGeometry& hull, const std::vector<Vec3>& points) {
    const oracle::Solid solid = oracle::hull(points);
    double farthest = 0;
    for (std::uint32_t i = 0; i < hull.vertex_count; ++i) {
        const HullVertex& v = hull.vertices[i];
        farthest = std::max(
            farthest, signed_distance_to_point(solid, {}, oracle::Vec3d(hull.centre) + oracle::Vec3d(v.x, v.y, v.z)));
    }
    return farthest;
}

}  // namespace

TEST_CASE("every hull is a convex polyhedron that contains its points") {
    Random random(2024);
    int dimensions[4] = {};
    for (int i = 0; i < 4000; ++i) {
        const auto points = nasty_cloud(random);
        ShapeStore store;
        const auto id = store.add_hull(points);
        INFO("cloud " << i << " of " << points.size());
        REQUIRE(id);
        REQUIRE(find_fault(geometry(store, *id), points) == "");
        ++dimensions[store.view(*id).hull.dimension];
    }
    for (const int n : dimensions) CHECK(n > 10);  // or the clouds are not what they were meant to be
}

TEST_CASE("every simplified hull is within its tolerance") {
    Random random(2025);
    for (int i = 0; i < 2000; ++i) {
        const auto points = nasty_cloud(random);
        const double tolerance = std::pow(10.0, random.between(-8, 0));
        ShapeStore store;
        const auto id = store.add_hull(points, {}, {.tolerance = float(tolerance)});
        INFO("cloud " << i << " of " << points.size() << ", tolerance " << tolerance);
        REQUIRE(id);
        const double size = geometry(store, *id).half_extent;
        const double dropped = size > 0 ? 2.4e-7 + tolerance * 0.5001 / size : 0;
        REQUIRE(find_fault(geometry(store, *id), points, {.dropped = dropped, .flat = 7e-7}) == "");
    }
}

TEST_CASE("no point is farther outside a hull than its report says") {
    Random random(2026);
    int limited = 0;
    for (int i = 0; i < 2000; ++i) {
        const auto points = nasty_cloud(random);
        HullOptions options;
        if (i % 3 != 0) options.max_vertices = 4 + random.below(16);
        if (i % 3 != 1) options.tolerance = float(std::pow(10.0, random.between(-6, -1)));
        ShapeStore store;
        const auto id = store.add_hull(points, {}, options);
        INFO("cloud " << i << " of " << points.size() << ", max_vertices " << options.max_vertices << ", tolerance "
                      << options.tolerance);
        REQUIRE(id);
        const HullGeometry& hull = geometry(store, *id);
        const double size = hull.half_extent, deviation = hull.report.deviation, overshoot = hull.report.overshoot;
        const double outside = farthest_outside(hull, points);
        REQUIRE(outside <= deviation + 1e-14 * size);
        REQUIRE(deviation <= outside + overshoot + 1e-6 * size);  // nor is much more said than is so
        REQUIRE(farthest_vertex_outside(hull, points) <= overshoot + 1e-14 * size);
        REQUIRE(overshoot <= 1.1e-7 * size);
        REQUIRE((options.max_vertices == 0 || hull.vertex_count <= options.max_vertices));
        REQUIRE(find_fault(hull, points, {.dropped = size > 0 ? 2.4e-7 + deviation / size : 0, .flat = 7e-7}) == "");
        limited += hull.vertex_count == options.max_vertices;
    }
    CHECK(limited > 500);  // or the limits were not what they were meant to be
}
