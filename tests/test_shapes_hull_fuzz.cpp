// What must hold of every hull holds of random ones, most of them nasty.
#include <abut/shape_store.hpp>

#include <cmath>
#include <vector>

#include "catch.hpp"
#include "hull_checks.hpp"

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
            case 1: x = snap(x, 2), y = snap(y, 2), z = snap(z, 2); break;                       // a coarse grid
            case 2: y = noise * random.between(-1, 1); break;                                     // nearly flat
            case 3: y = noise * random.between(-1, 1), z = noise * random.between(-1, 1); break;  // nearly straight
            case 4: x = snap(x, 1) + noise * x, y = snap(y, 1) + noise * y, z = snap(z, 1) + noise * z; break;  // clusters
            case 5: y = snap(y, 1) * noise; break;                                                // nearly coincident sheets
            case 6: y = noise * x * x; break;                                                     // barely curved
            case 7: y *= noise, z *= noise * noise; break;                                        // a blade
            case 8: x = i * 0.01, y = noise * std::sin(i), z = i % 7 == 0 ? 1 : 0; break;
            case 9: { const double a = i * 0.1; x = std::cos(a), z = std::sin(a), y = i % 2 ? 1 : -1 + noise * random.unit(); break; }
            case 10: x = snap(x, 3), y = snap(y, 3) + noise * random.unit(), z = snap(z, 3); break;  // a grid, one side off
            default: { const double l = std::sqrt(x * x + y * y + z * z); x /= l, y /= l, z /= l; break; }
        }
        points.push_back(make % 3 == 1 && i % 2 == 0 ? Vec3{float(x), float(y), float(z)} : rotation(x, y, z));
        if (i % 10 == 9) points.push_back(points[random.below(std::uint32_t(points.size()))]);
    }
    return points;
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
