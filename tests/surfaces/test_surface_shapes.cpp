// Meshes and height fields in the ShapeStore: what the walk finds, against brute force; what is refused; instances.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <abut/abut.hpp>

#include "shapes/surface_walk.hpp"
#include "support/count.hpp"
#include "support/mesh_checks.hpp"

using namespace abut;
using namespace abut::test;

namespace {

bool are_apart(const SurfaceCorners& corners, const Volume& volume, double reach) {
    double squared = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (const Vec3 v : corners.at) {
            const double x = axis == 0 ? v.x : axis == 1 ? v.y : v.z;
            low = std::min(low, x), high = std::max(high, x);
        }
        const double gap = std::max({0.0, low - double(volume.high[axis]), double(volume.low[axis]) - high});
        squared += gap * gap;
    }
    return squared > reach * reach;
}

double above(const SurfaceCorners& corners, const Volume& plane) {
    double least = INFINITY;
    for (const Vec3 v : corners.at)
        least = std::min(least, double(plane.normal[0]) * v.x + double(plane.normal[1]) * v.y +
                                    double(plane.normal[2]) * v.z - plane.offset);
    return least;
}

// The walk gives every triangle within reach, once each, and not many more.
void check_walk(const Surface& s, Random& random, double size, int volumes) {
    std::size_t found = 0, near = 0;
    test::Count missed;
    for (int v = 0; v < volumes; ++v) {
        Volume volume;
        if (v % 4 == 3) {
            const Vec3 n = random.direction();
            volume.kind = Volume::Kind::plane;
            volume.normal[0] = n.x, volume.normal[1] = n.y, volume.normal[2] = n.z;
            volume.offset = float(random.between(-1, 1) * size);
        } else {
            const double half = size * std::pow(10.0, random.between(-3, -0.3));
            for (int axis = 0; axis < 3; ++axis) {
                const double at = random.between(-1, 1) * size;
                volume.low[axis] = float(at - half), volume.high[axis] = float(at + half);
            }
        }
        const double reach = v % 2 == 0 ? 0 : size * random.between(0, 0.2);
        std::set<std::uint32_t> visited;
        const auto visit = [&](std::uint32_t triangle) {
            CHECK(visited.insert(triangle).second);
            return true;
        };
        CHECK((volume.is_plane() || v % 8 > 3 ? walk(s, volume, reach, visit) : walk_within(s, volume, reach, visit)));
        for (std::uint32_t i = 0; i < s.triangle_count(); ++i) {
            if (!has_triangle(s, i)) continue;
            const SurfaceCorners corners = corners_at(s, i);
            const bool is_near =
                volume.is_plane() ? above(corners, volume) <= reach : !are_apart(corners, volume, reach);
            near += is_near;
            missed += is_near && !visited.contains(i);
        }
        found += visited.size();
    }
    CHECK(missed == 0);
    CAPTURE(found, near);
    CHECK(near > 0);
    CHECK(found >= near);
}

}  // namespace

TEST_CASE("the walk gives every triangle within reach, once") {
    Random random(4);
    for (const TestMesh& mesh : {soup(random, 3000, 0.02), soup(random, 300, 0.5), torus_mesh(60, 20),
                                 flat_mesh(40, 40, 0.05f), flat_mesh(1, 1, 1)}) {
        ShapeStore store;
        const ShapeId id = added(store, mesh);
        check_walk(surface(store, id), random, 1.5, 60);
        for (const Vec3 scale : {Vec3{3, 1, 0.1f}, Vec3{-1, 1, 1}, Vec3{-0.3f, -7, 2}, Vec3{-1e-3f, -1e-3f, -1e-3f}}) {
            const auto other = store.add_instance(id, {.scale = scale});
            REQUIRE(other);
            check_walk(surface(store, *other), random,
                       1.5 * std::max({std::fabs(scale.x), std::fabs(scale.y), std::fabs(scale.z)}), 20);
        }
    }
}

// A search goes on where the last round ended, at the largest bound that was listed.
TEST_CASE("a limit leaves out the triangles with larger bounds and no others") {
    Random random(41);
    const TestMesh mesh = soup(random, 3000, 0.02);
    ShapeStore store;
    const Surface s = surface(store, added(store, mesh));
    test::Count different;
    for (int v = 0; v < 40; ++v) {
        const double half = std::pow(10.0, random.between(-2, -0.5));
        const maths::Vec3d centre = maths::to_double(random.direction()) * random.between(0, 1.5);
        const Vec3 x = random.direction(), other = random.direction();
        const maths::Vec3d first = maths::unit(maths::to_double(x)),
                           second = maths::unit(maths::cross(first, maths::to_double(other)));
        const maths::Mat3 axes = {first, second, maths::cross(first, second)};
        const maths::Vec3d wide = {half, 0.1 * half, 0.3 * half}, all_round = {half, half, half};
        const Volume volume = turned_volume({centre - all_round * 1.2, centre + all_round * 1.2}, centre, axes, wide);
        const auto list = [&](float limit) {
            std::map<std::uint32_t, float> bounds;
            walk_bounds(
                s, [&] { return limit; },
                [&](const SixteenBoxes& boxes, float* out) { deep_bounds(boxes, volume, out); },
                [&](std::uint32_t triangle, float bound) { return bounds.emplace(triangle, bound), true; });
            return bounds;
        };
        const std::map<std::uint32_t, float> all = list(INFINITY);
        REQUIRE(all.size() == s.triangle_count());
        for (const double reach : {-0.1 * half, 0.0, 0.05, 0.5}) {
            const float limit = deep_limit_of(false, reach);
            std::map<std::uint32_t, float> expected = all;
            std::erase_if(expected, [&](const auto& item) { return item.second > limit; });
            different += list(limit) != expected;
        }
    }
    CHECK(different == 0);
}

TEST_CASE("a mesh far from its origin loses no triangle of the walk") {
    Random random(5);
    TestMesh mesh = torus_mesh(60, 20);
    for (Vec3& v : mesh.vertices) v.x += 10000, v.y -= 3000;
    ShapeStore store;
    const Surface s = surface(store, added(store, mesh, {.scale = {1.1f, 0.9f, 1.3f}}));
    for (std::uint32_t i = 0; i < s.triangle_count(); ++i) {
        Volume volume;
        const Vec3 at = corners_at(s, i).at[i % 3];
        volume.low[0] = volume.high[0] = at.x, volume.low[1] = volume.high[1] = at.y,
        volume.low[2] = volume.high[2] = at.z;
        bool is_found = false;
        walk(s, volume, 0.0, [&](std::uint32_t triangle) {
            is_found = is_found || triangle == i;
            return true;
        });
        REQUIRE(is_found);
    }
}

TEST_CASE("a height field is the mesh of its triangles") {
    Random random(6);
    for (const auto& [rows, columns] : {std::pair{2u, 2u}, {2u, 40u}, {17u, 18u}, {70u, 45u}}) {
        TestMesh mesh =
            grid_mesh(rows - 1, columns - 1, 0.5f, [&](float, float) { return float(random.between(-1, 1)); });
        std::vector<float> heights;
        for (const Vec3 v : mesh.vertices) heights.push_back(v.y);
        std::vector<bool> has_hole(heights.size());
        for (std::size_t i = 0; i < heights.size(); ++i)
            if (rows > 2 && random.below(20) == 0)
                has_hole[i] = true, heights[i] = std::numeric_limits<float>::quiet_NaN();
        std::vector<MeshTriangle> present;
        for (const MeshTriangle t : mesh.triangles)
            if (std::none_of(t.corners, t.corners + 3, [&](std::uint32_t c) { return has_hole[c]; }))
                present.push_back(t);
        ShapeStore store;
        const auto field = store.add_heightfield(heights, rows, columns, {.scale = {1, 2, -1}},
                                                 {.spacing_x = 0.5f, .spacing_z = 0.5f});
        if (!field) FAIL(field.error().message.c_str());
        const auto twin = store.add_mesh(mesh.vertices, present, {.scale = {1, 2, -1}});
        REQUIRE(twin);
        const Surface f = surface(store, *field), m = surface(store, *twin);
        CHECK(store.view(*field).heightfield.triangles == present.size());
        check_against_input(f, mesh);
        std::map<std::array<Point, 3>, std::uint32_t> of_mesh;
        const auto key = [](const SurfaceTriangle& t) {
            return rotated({point(t.corners.at[0]), point(t.corners.at[1]), point(t.corners.at[2])});
        };
        for (std::uint32_t i = 0; i < m.triangle_count(); ++i) of_mesh[key(triangle_at(m, i))] = i;
        std::size_t there = 0;
        for (std::uint32_t i = 0; i < f.triangle_count(); ++i) {
            if (!has_triangle(f, i)) continue;
            ++there;
            const SurfaceTriangle a = triangle_at(f, i), b = triangle_at(m, of_mesh.at(key(a)));
            CHECK((a.normal.x == b.normal.x && a.normal.y == b.normal.y && a.normal.z == b.normal.z));
            for (int k = 0; k < 3; ++k) {
                int j = 0;
                while (!(b.corners.at[j] == a.corners.at[k])) ++j;
                CHECK((a.neighbour[k] == kNoTriangle) == (b.neighbour[j] == kNoTriangle));
            }
        }
        CHECK(there == present.size());
        check_walk(f, random, 0.5 * double(std::max(rows, columns)), 40);
        CHECK(store.view(*field).bounds_min == store.view(*twin).bounds_min);
    }
}

TEST_CASE("meshes and height fields that are none are refused, by name") {
    ShapeStore store;
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const TestMesh cube = cube_mesh();
    const auto add = [&](std::vector<Vec3> vertices, std::vector<MeshTriangle> triangles,
                         const MeshOptions& options = {}) { return store.add_mesh(vertices, triangles, {}, options); };
    auto vertices = cube.vertices;
    vertices[5].y = nan;
    check_refused(add(vertices, cube.triangles), "vertices[5].y must be finite, but is nan");
    vertices[5].y = 1e30f;
    check_refused(add(vertices, cube.triangles), "vertices[5] is past the range");
    auto triangles = cube.triangles;
    triangles[7].corners[2] = 8;
    check_refused(add(cube.vertices, triangles), "triangles[7][2] is 8, but there are 8 vertices");
    check_refused(add({}, cube.triangles), "vertices is empty");
    check_refused(add(cube.vertices, {}), "triangles is empty");
    check_refused(add(cube.vertices, {{{0, 0, 1}}, {{3, 3, 3}}}), "all are degenerate");
    check_refused(add(cube.vertices, cube.triangles, {.weld_tolerance = -1}),
                  "weld_tolerance must be finite and at least 0, but is -1");
    check_refused(add(cube.vertices, cube.triangles, {.weld_tolerance = 100}), "all are degenerate");
    check_refused(add(cube.vertices, cube.triangles, {.sides = MeshSides(7)}), "sides is 7");
    const std::vector<std::uint32_t> values(3);
    check_refused(add(cube.vertices, cube.triangles, {.user_values = values}),
                  "user_values has 3 values, but there are 12 triangles");
    check_refused(store.add_mesh(cube.vertices, cube.triangles, {.scale = {1, 0, 1}}),
                  "scale must be finite and not 0, but is (1, 0, 1)");
    check_refused(store.add_mesh(cube.vertices, cube.triangles, {.rounding = -1}), "rounding");
    check_refused(store.add_mesh(cube.vertices, cube.triangles, {.scale = {1, 1e30f, 1}}),
                  "the mesh's bounds are past the range");
    check_refused(store.add_mesh(CookedMesh()), "mesh is empty");
    check_refused(store.add_mesh(std::span(static_cast<const Vec3*>(nullptr), 4), cube.triangles),
                  "vertices is null, with a count of 4");

    std::vector<float> heights(9);
    check_refused(store.add_heightfield(heights, 1, 9), "rows must be at least 2, but is 1");
    check_refused(store.add_heightfield(heights, 9, 1), "columns must be at least 2, but is 1");
    check_refused(store.add_heightfield(heights, 3, 4), "heights has 9 samples, but 3 rows of 4 columns have 12");
    check_refused(store.add_heightfield(heights, 3, 3, {}, {.spacing_x = 0}), "spacing_x must be finite and above 0");
    heights[4] = infinity;
    check_refused(store.add_heightfield(heights, 3, 3), "heights[4] must be finite, or NaN for a hole, but is inf");
    heights[4] = nan;
    CHECK_FALSE(store.add_heightfield(std::vector<float>(9, nan), 3, 3));
    CHECK(store.size() == 0);
    const auto holed = store.add_heightfield(heights, 3, 3);
    REQUIRE(holed);
    CHECK((store.view(*holed).heightfield.triangles == 2 && store.view(*holed).heightfield.holes == 1));
}

TEST_CASE("a mesh has instances, user values and bounds; it is no child and has no mass") {
    ShapeStore store;
    std::vector<std::uint32_t> values;
    const TestMesh mesh = torus_mesh(20, 12);
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) values.push_back(7 * i);
    const ShapeId id = added(store, mesh, {.rounding = 0.25f}, {.user_values = values});
    const Surface s = surface(store, id);
    CHECK(s.sides() == MeshSides::both);
    for (std::uint32_t i = 0; i < s.triangle_count(); ++i)
        CHECK(triangle_at(s, i).user_value == 7 * triangle_at(s, i).input);
    const auto other = store.add_instance(id, {.scale = {-2, 1, 1}});
    REQUIRE(other);
    CHECK(surface(store, *other).mesh == s.mesh);
    CHECK(surface(store, *other).sides() == MeshSides::front);
    CHECK(store.view(*other).bounds_max.x == Approx(2.8));
    CHECK(store.view(id).bounds_max.y == Approx(0.65));
    CHECK(store.view(id).size == Approx(1.4 + 0.25));
    REQUIRE(store.set_instance(*other, {.scale = {1, 3, 1}}));
    CHECK(store.view(*other).bounds_max.y == Approx(1.2));
    CHECK(store.set_user_data(id, 99));
    CHECK(store.user_data(id) == 99);

    std::vector<Bounds> bounds(2);
    const std::vector<Body> bodies = {{{10, 0, 0}, *other, {}}, {{0, 5, 0}, *other, {0, 0, 0.70710678f, 0.70710678f}}};
    REQUIRE(world_bounds(store, bodies, bounds));
    CHECK(bounds[0].max.x == Approx(11.4));
    CHECK(bounds[0].max.y == Approx(1.2));
    CHECK(bounds[1].max.x == Approx(1.2));
    CHECK(bounds[1].max.y == Approx(6.4));

    const auto mass = mass_properties(store, id, 1);
    CHECK(mass.error().code == ErrorCode::unsupported);
    CHECK(mass.error().message == "a mesh has no mass: it is a surface");
    check_refused(store.add_compound(std::vector<CompoundChild>{{id, {}, {}}}), "children[0].shape is a mesh");
    CHECK(store.remove(id));
    CHECK_FALSE(store.contains(id));
    CHECK(surface(store, *other).triangle_count() == mesh.triangles.size());
    CHECK(store.remove(*other));
    CHECK(store.size() == 0);
}
