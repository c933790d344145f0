// Hull cooking: named shapes with known answers, every degenerate case, and the promises about order and scale.
#include <abut/shape_store.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/catch.hpp"
#include "support/hull_checks.hpp"

using namespace abut;
using namespace abut::test;

namespace {

// Cooks, checks what must always hold, and returns the counts.
HullReport cook(const std::vector<Vec3>& points, const HullOptions& options = {}, const Limits& limits = {}) {
    ShapeStore store;
    const auto id = store.add_hull(points, {}, options);
    if (!id) FAIL(id.error().message.c_str());
    CHECK(find_fault(geometry(store, *id), points, limits) == "");
    CHECK(store.view(*id).hull.dimension == geometry(store, *id).report.dimension);
    return store.view(*id).hull;
}

struct Counts {
    int dimension;
    std::uint32_t vertices, faces, edges;
};

void check_counts(const std::vector<Vec3>& points, Counts expected, const Limits& limits = {}) {
    const HullReport r = cook(points, {}, limits);
    CHECK(int(r.dimension) == expected.dimension);
    CHECK(r.vertices == expected.vertices);
    CHECK(r.faces == expected.faces);
    CHECK(r.edges == expected.edges);
}

constexpr Counts kCube = {3, 8, 6, 12};

}  // namespace

TEST_CASE("a lattice of 1000 points is a cube") {
    check_counts(lattice(10), kCube);
    CHECK(cook(lattice(10)).dropped_points == 992);
    ShapeStore store;
    const auto id = store.add_hull(lattice(10));
    const HullGeometry& cube = geometry(store, *id);
    CHECK(cube.centre == Vec3{0.5f, 0.5f, 0.5f});
    CHECK((cube.half_extent == 0.5f && cube.bounds_min == Vec3{0, 0, 0} && cube.bounds_max == Vec3{1, 1, 1}));
    for (std::uint32_t f = 0; f < 6; ++f) {
        CHECK(cube.planes[3 * cube.padded_faces + f] == 0.5f);
        CHECK(cube.face_first[f + 1] - cube.face_first[f] == 4);
    }
}

TEST_CASE("rotated lattices are cubes, plates and rods up to float32's rounding") {
    Random random(11);
    for (int i = 0; i < 30; ++i) {
        const Rotation rotation(random);
        const Vec3 offset = {float(random.between(-1, 1)), float(random.between(-1, 1)), float(random.between(-1, 1))};
        check_counts(moved(lattice(8), rotation, {1, 1, 1}, offset), kCube, {.dropped = 5e-7, .flat = 1.2e-6});
        check_counts(moved(lattice(5), rotation, {1, 1e-4f, 1}, {}), kCube);
        check_counts(moved(lattice(5), rotation, {1, 1e-4f, 1e-4f}, {}), kCube);
        check_counts(moved(lattice(5), rotation, {1, 1e-2f, 1e-4f}, {}), kCube);
    }
}

TEST_CASE("prisms, cones and spheres keep their faces") {
    Random random(12);
    for (const int sides : {3, 4, 5, 17, 200}) {
        const std::uint32_t n = sides;
        check_counts(prism(sides, 1), {3, 2 * n, n + 2, 3 * n});
        check_counts(prism(sides, 1e-3), {3, 2 * n, n + 2, 3 * n});
        check_counts(cone(sides), {3, n + 1, n + 1, 2 * n});
        const Rotation rotation(random);
        check_counts(moved(prism(sides, 1), rotation, {3, 3, 3}, {}), {3, 2 * n, n + 2, 3 * n});
        check_counts(moved(cone(sides), rotation, {1, 20, 1}, {}), {3, n + 1, n + 1, 2 * n});
    }
    check_counts(prism(2000, 1), {3, 4000, 2002, 6000}, {.dropped = 2.4e-7, .flat = 7e-7});
    check_counts(icosphere(0), {3, 12, 20, 30});
    check_counts(icosphere(1), {3, 42, 80, 120});
    check_counts(icosphere(3), {3, 642, 1280, 1920});
}

TEST_CASE("points, segments and polygons") {
    check_counts({{1, 2, 3}}, {0, 1, 0, 0});
    check_counts(std::vector<Vec3>(50, {1, 2, 3}), {0, 1, 0, 0});
    check_counts({{0, 0, 0}, {-0.0f, 0, -0.0f}}, {0, 1, 0, 0});
    check_counts({{1, 2, 3}, {4, 5, 6}}, {1, 2, 0, 1});
    check_counts({{1, 2, 3}, {1, 2, 3}, {4, 5, 6}, {4, 5, 6}}, {1, 2, 0, 1});
    check_counts({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {2, 3, 2, 3});
    check_counts({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5f, 0.5f, 0}}, {2, 4, 2, 4});
    check_counts({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {0, 1, 0}}, {2, 3, 2, 3});
    check_counts({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {3, 4, 4, 6});
    std::vector<Vec3> disc = prism(300, 0);
    check_counts(disc, {2, 300, 2, 300});

    ShapeStore store;
    const std::vector<Vec3> line = {{0.25f, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0.5f, 0, 0}};
    const auto segment = store.add_hull(line);
    std::vector<Vec3> ends(2);
    CHECK(store.hull_vertices(*segment, ends) == 2);
    CHECK((ends[0] == Vec3{-1, 0, 0} && ends[1] == Vec3{1, 0, 0}));
    CHECK(store.view(*segment).hull.dropped_points == 2);
}

TEST_CASE("flat and straight clouds stay so in any direction") {
    Random random(13);
    for (int i = 0; i < 100; ++i) {
        const Rotation rotation(random);
        std::vector<Vec3> line, square, disc, strip;
        for (int j = 0; j < 60; ++j) {
            const double s = j / 59.0;
            line.push_back(rotation(s, 0, 0));
            disc.push_back(rotation(std::cos(j * 0.10471975511965977), 0, std::sin(j * 0.10471975511965977)));
            strip.push_back(rotation(s, 0, 1e-3 * (j % 2)));
            for (int k = 0; k < 10; ++k) square.push_back(rotation(s - 0.5, 0, k / 9.0));
        }
        check_counts(line, {1, 2, 0, 1});
        check_counts(square, {2, 4, 2, 4});
        check_counts(disc, {2, 60, 2, 60});
        check_counts(strip, {2, 4, 2, 4});
    }
}

TEST_CASE("what is thin is solid down to the resolution") {
    Random random(14);
    for (const double thickness : {1e-2, 1e-3, 1e-4, 1e-5, 2e-6}) {
        for (int i = 0; i < 20; ++i) {
            const Rotation rotation(random);
            std::vector<Vec3> slab, lens;
            for (int corner = 0; corner < 8; ++corner)
                slab.push_back(rotation(corner & 1, thickness * (corner >> 1 & 1), corner >> 2 & 1));
            for (int j = 0; j < 40; ++j) {
                const double a = random.between(-1, 1), b = random.between(-1, 1);
                lens.push_back(rotation(a, thickness * (2 - a * a - b * b), b));
            }
            check_counts(slab, kCube);
            CHECK(int(cook(lens).dimension) == 3);
        }
    }
}

TEST_CASE("millimetres, kilometres and far from the origin") {
    Random random(15);
    for (const float scale : {1e-4f, 1e-2f, 1.0f, 1e2f, 1e4f}) {
        const Rotation rotation(random);
        check_counts(moved(lattice(6), rotation, {scale, scale, scale}, {}), kCube);
        check_counts(moved(prism(12, 1), rotation, {scale, 1e-4f * scale, scale}, {}), {3, 24, 14, 36});
        const auto cloud = moved(sphere_points(random, 64), rotation, {scale, scale, scale}, {});
        CHECK(cook(cloud).vertices == 64);
    }
    cook(moved(lattice(3), Rotation(random), {1e4f, 1e4f, 1e4f}, {1e6f, -1e6f, 1e6f}), {},
         {.dropped = 1e-6, .flat = 3e-6});
    std::vector<Vec3> grid = lattice(3);  // a grid that float32 can hold at 1e6
    for (Vec3& p : grid) p = {1e6f + p.x, -1e6f + p.y, 1e6f + p.z};
    check_counts(grid, kCube);
    for (int i = 0; i < 20; ++i) {  // coordinates at 1e6 come in sixteenths: what is left is cooked for what it is
        const auto far = moved(sphere_points(random, 60), Rotation(random), {5, 5, 5}, {1e6f, 1e6f, -1e6f});
        CHECK(cook(far, {}, {.dropped = 1e-6, .flat = 3e-6}).dimension == 3);
    }
    std::vector<Vec3> tiny = lattice(3);
    for (Vec3& p : tiny) p = {p.x * 1e-26f, p.y * 1e-26f, p.z * 1e-26f};
    check_counts(tiny, kCube);
    check_counts(scaled(lattice(3), 1e26f), kCube);
}

TEST_CASE("the order of the points changes no bit") {
    Random random(16);
    for (int i = 0; i < 50; ++i) {
        auto points = i % 2 ? moved(lattice(4), Rotation(random), {1, 1, 1}, {}) : sphere_points(random, 40);
        const HullOptions options = {.max_vertices = i % 4 < 2 ? 0u : 7u};
        ShapeStore store;
        const auto first = store.add_hull(points, {}, options);
        for (std::size_t j = points.size(); j > 1; --j)
            std::swap(points[j - 1], points[random.below(std::uint32_t(j))]);
        points.insert(points.end(), points.begin(), points.begin() + 10);
        const auto second = store.add_hull(points, {}, options);
        REQUIRE((first && second));
        CHECK(same(geometry(store, *first), geometry(store, *second)));
    }
}

TEST_CASE("a power of two scales every bit") {
    Random random(17);
    for (int i = 0; i < 40; ++i) {
        const auto points =
            i % 2 ? moved(lattice(4), Rotation(random), {1, 0.3f, 2}, {1, 2, 3}) : sphere_points(random, 50);
        const HullOptions options = {.max_vertices = i % 8 < 4 ? 0u : 20u, .tolerance = i % 4 < 2 ? 0.0f : 0.01f};
        for (const int power : {-40, -7, 1, 13, 60}) {
            const float s = std::ldexp(1.0f, power);
            ShapeStore store;
            const auto plain = store.add_hull(points, {}, options);
            const auto other = store.add_hull(scaled(points, s), {}, {options.max_vertices, options.tolerance * s});
            REQUIRE((plain && other));
            HullGeometry g = geometry(store, *plain);
            for (float& x : g.columns) x *= s;
            for (std::uint32_t f = 0; f < g.padded_faces; ++f) g.planes[3 * g.padded_faces + f] *= s;
            for (Vec3* v : {&g.centre, &g.bounds_min, &g.bounds_max}) *v = {v->x * s, v->y * s, v->z * s};
            g.half_extent *= s;
            for (float* x : {&g.bound_radius, &g.report.deviation, &g.report.overshoot}) *x *= s;
            CHECK(same(g, geometry(store, *other)));
        }
    }
}

TEST_CASE("points within the tolerance of the rest may go, others not") {
    Random random(18);
    for (const double tolerance : {1e-4, 1e-3, 1e-2, 1e-1}) {
        const auto sphere = sphere_points(random, 3000);
        const HullReport r = cook(sphere, {.tolerance = float(tolerance)}, {.dropped = tolerance * 0.501});
        CHECK(r.dimension == 3);
        CHECK(r.vertices < 3000);
        std::vector<Vec3> rough = moved(lattice(12), Rotation(random), {1, 1, 1}, {});
        for (Vec3& p : rough) p.x += float(random.between(-0.3, 0.3) * tolerance);
        CHECK(cook(rough, {.tolerance = float(tolerance)}, {.dropped = tolerance}).vertices <= 40);
    }
    cook(sphere_points(random, 100), {.tolerance = 100}, {.dropped = 1});
    cook(prism(1000, 0), {.tolerance = 1e-3f}, {.dropped = 5.1e-4});
    CHECK(cook(prism(1000, 0), {.tolerance = 1e-3f}, {.dropped = 5.1e-4}).vertices < 200);
}

TEST_CASE("a needle's tip is kept though all its planes are near") {
    // Within the tolerance of the planes on either side, yet far from the hull of the rest.
    std::vector<Vec3> points;
    for (int i = 0; i < 200; ++i) {
        const float x = float(i) * 0.005f, w = 1e-3f * (1 - x);
        points.insert(points.end(), {{x, w, 0}, {x, -w, 0}, {x, 0, w}, {x, 0, -w}});
    }
    points.push_back({1.3f, 0, 0});
    const HullReport r = cook(points, {.tolerance = 2e-4f}, {.dropped = 1.6e-4});
    CHECK(r.dimension == 3);
}

TEST_CASE("more vertices than a hull holds are refused with the limit") {
    Random random(19);
    const auto points = sphere_points(random, 6000);
    ShapeStore store;
    const auto id = store.add_hull(points);
    REQUIRE_FALSE(id);
    CHECK(id.error().code == ErrorCode::limit);
    CHECK(id.error().message.contains("4096"));
    CHECK(id.error().message.contains("6000"));
    CHECK(store.size() == 0);
    CHECK(cook({points.begin(), points.begin() + 4096}).vertices == 4096);
}

TEST_CASE("hundreds of thousands of points") {
    Random random(20);
    std::vector<Vec3> ball, box;
    while (ball.size() < 300000) {
        const Vec3 d = random.direction();
        const float r = float(std::cbrt(random.unit()));
        ball.push_back({d.x * r, d.y * r, d.z * r});
        Vec3 p = {float(random.between(-1, 1)), float(random.between(-1, 1)), float(random.between(-1, 1))};
        (&p.x)[ball.size() % 3] = ball.size() & 4 ? 1.0f : -1.0f;
        box.push_back(p);
    }
    for (const float s : {-1.0f, 1.0f})
        for (const float t : {-1.0f, 1.0f}) box.insert(box.end(), {{s, t, 1}, {s, t, -1}});
    CHECK(cook(ball).vertices > 500);
    check_counts(moved(box, Rotation(random), {1, 1, 1}, {}), kCube);
}
