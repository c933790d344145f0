// Meshes in the ShapeStore: what cooking keeps, drops and counts, how triangles meet, and what the walk finds; each against brute force.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <abut/abut.hpp>

#include "catch.hpp"
#include "shapes/surface_walk.hpp"
#include "shapes/surfaces.hpp"
#include "surface_scenes.hpp"

using namespace abut;
using namespace abut::test;

namespace {

Surface surface(const ShapeStore& store, ShapeId id) { return surface_of(tables_of(store), id); }

ShapeId added(ShapeStore& store, const TestMesh& mesh, const InstanceOptions& options = {}, const MeshOptions& mesh_options = {}) {
    const auto id = store.add_mesh(mesh.vertices, mesh.triangles, options, mesh_options);
    if (!id) FAIL(id.error().message.c_str());
    return *id;
}

using Point = std::array<float, 3>;
Point point(Vec3 v) { return {v.x + 0.0f, v.y + 0.0f, v.z + 0.0f}; }
Vec3 scaled_by(Vec3 v, Vec3 s) { return {v.x * s.x, v.y * s.y, v.z * s.z}; }

// From the lowest corner on, the order kept.
std::array<Point, 3> rotated(std::array<Point, 3> t) {
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    return t;
}

void check_refused(const Expected<ShapeId>& id, const std::string& text) {
    REQUIRE_FALSE(id);
    INFO(id.error().message.c_str());
    CHECK(id.error().message.contains(text));
}

// Every triangle's corners are those of its input, and neighbours are mutual across the same edge.
void check_against_input(const Surface& s, const TestMesh& mesh) {
    for (std::uint32_t i = 0; i < s.triangle_count(); ++i) {
        if (!has_triangle(s, i)) continue;
        const SurfaceTriangle t = triangle_at(s, i);
        std::array<Point, 3> got, expected;
        for (std::size_t k = 0; k < 3; ++k) {
            got[k] = point(t.corners.at[k]);
            expected[k] = point(scaled_by(mesh.vertices[mesh.triangles[t.input].corners[k]], s.scale));
        }
        if (s.is_mirrored()) std::swap(expected[1], expected[2]);
        REQUIRE(rotated(got) == rotated(expected));
        for (int k = 0; k < 3; ++k) {
            if (t.neighbour[k] == kNoTriangle) continue;
            const SurfaceTriangle n = triangle_at(s, t.neighbour[k]);
            int met = 0;
            for (int j = 0; j < 3; ++j) {
                if (n.neighbour[j] != i || n.vertex[j] != t.vertex[(k + 1) % 3] || n.vertex[(j + 1) % 3] != t.vertex[k]) continue;
                ++met;
                CHECK(n.edge[j] == t.edge[k]);
            }
            REQUIRE(met == 1);
        }
    }
}

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
        least = std::min(least, double(plane.normal[0]) * v.x + double(plane.normal[1]) * v.y + double(plane.normal[2]) * v.z - plane.offset);
    return least;
}

// The walk gives every triangle within reach, once each, and not many more.
void check_walk(const Surface& s, Random& random, double size, int volumes) {
    std::size_t found = 0, near = 0, missed = 0;
    for (int v = 0; v < volumes; ++v) {
        Volume volume;
        if (v % 4 == 3) {
            const Vec3 n = random.direction();
            volume.is_plane = true;
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
        CHECK(walk(s, volume, reach, [&](std::uint32_t triangle) {
            CHECK(visited.insert(triangle).second);
            return true;
        }));
        for (std::uint32_t i = 0; i < s.triangle_count(); ++i) {
            if (!has_triangle(s, i)) continue;
            const SurfaceCorners corners = corners_at(s, i);
            const bool is_near = volume.is_plane ? above(corners, volume) <= reach : !are_apart(corners, volume, reach);
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

std::map<Bend, int> bends_of_edges(const Surface& s) {
    std::map<Bend, int> bends;
    for (std::uint32_t i = 0; i < s.triangle_count(); ++i)
        for (const Bend b : triangle_at(s, i).edge) ++bends[b];
    return bends;
}

}  // namespace

TEST_CASE("a mesh keeps its triangles, whatever their order in the tree") {
    Random random(1);
    for (const TestMesh& mesh : {cube_mesh(), torus_mesh(37, 11), soup(random, 700, 0.2), flat_mesh(33, 20, 0.25f), flat_mesh(1, 1, 1)}) {
        ShapeStore store;
        const ShapeId id = added(store, mesh);
        CHECK(id.kind() == ShapeKind::mesh);
        const ShapeView view = store.view(id);
        CHECK(view.kind == ShapeKind::mesh);
        CHECK(view.mesh.triangles == mesh.triangles.size());
        const Surface s = surface(store, id);
        std::set<std::uint32_t> inputs;
        for (std::uint32_t i = 0; i < s.triangle_count(); ++i) inputs.insert(input_index(s, i));
        CHECK(inputs.size() == mesh.triangles.size());
        check_against_input(s, mesh);
        for (const Vec3 scale : {Vec3{2, 2, 2}, Vec3{1, 0.5f, 3}, Vec3{-1, 1, 1}, Vec3{-1, -2, 1}, Vec3{-1, -1, -3}}) {
            const auto other = store.add_instance(id, {.scale = scale});
            REQUIRE(other);
            check_against_input(surface(store, *other), mesh);
        }
    }
}

TEST_CASE("edges are convex, flat, concave or open, and so are corners") {
    ShapeStore store;
    const ShapeId cube = added(store, cube_mesh());
    MeshReport report = store.view(cube).mesh;
    CHECK((report.convex_edges == 12 && report.flat_edges == 6 && report.concave_edges == 0 && report.open_edges == 0));
    const Surface outside = surface(store, cube);
    for (std::uint32_t i = 0; i < 12; ++i) {
        const SurfaceTriangle t = triangle_at(outside, i);
        for (int k = 0; k < 3; ++k) CHECK(t.corner_bend[k] == Bend::convex);
        const Vec3 c = t.corners.at[0];
        CHECK(t.normal.x * c.x + t.normal.y * c.y + t.normal.z * c.z == Approx(1));
    }
    TestMesh inwards = cube_mesh();
    for (MeshTriangle& t : inwards.triangles) std::swap(t.corners[1], t.corners[2]);
    report = store.view(added(store, inwards)).mesh;
    CHECK((report.convex_edges == 0 && report.flat_edges == 6 && report.concave_edges == 12));
    // A mirrored cube is a cube.
    const auto mirrored = store.add_instance(cube, {.scale = {-1, 1, 1}});
    const SurfaceTriangle t = triangle_at(surface(store, *mirrored), 3);
    CHECK(t.normal.x * t.corners.at[0].x + t.normal.y * t.corners.at[0].y + t.normal.z * t.corners.at[0].z == Approx(1));

    const ShapeId floor = added(store, flat_mesh(4, 4, 1));
    report = store.view(floor).mesh;
    CHECK((report.open_edges == 16 && report.flat_edges == 40 && report.convex_edges == 0));
    const Surface flat = surface(store, floor);
    for (std::uint32_t i = 0; i < 32; ++i) {
        const SurfaceTriangle f = triangle_at(flat, i);
        for (int k = 0; k < 3; ++k) {
            const Vec3 c = f.corners.at[k];
            const bool is_border = c.x == 0 || c.x == 4 || c.z == 0 || c.z == 4;
            CHECK(f.corner_bend[k] == (is_border ? Bend::open : Bend::flat));
        }
        CHECK(f.normal.y == 1);
    }
}

TEST_CASE("a flat floor of any tessellation is flat, turned and far from the origin too") {
    Random random(8);
    for (const float spacing : {0.001f, 0.03f, 1.0f}) {
        for (int i = 0; i < 20; ++i) {
            const Rotation turn(random);
            TestMesh mesh = flat_mesh(20, 20, spacing);
            for (Vec3& v : mesh.vertices) {
                v.x += float(i % 4) * 10, v.z += 5;
                v = turn(v.x, v.y, v.z);
            }
            ShapeStore store;
            const auto bends = bends_of_edges(surface(store, added(store, mesh)));
            CHECK(bends.at(Bend::open) == 80);
            CHECK(bends.size() == 2);
        }
    }
}

TEST_CASE("what is not a surface is counted, and neighbours are those that a front faces") {
    ShapeStore store;
    SECTION("two cubes that touch along an edge keep apart") {
        TestMesh two = cube_mesh();
        const auto vertices = std::uint32_t(two.vertices.size());
        const TestMesh other = cube_mesh();
        for (const Vec3 v : other.vertices) two.vertices.push_back({v.x + 2, v.y + 2, v.z});
        for (const MeshTriangle t : other.triangles)
            two.triangles.push_back({{t.corners[0] + vertices, t.corners[1] + vertices, t.corners[2] + vertices}});
        const ShapeId id = added(store, two);
        const MeshReport report = store.view(id).mesh;
        CHECK(report.welded_vertices == 2);
        CHECK(report.nonmanifold_edges == 1);
        CHECK(report.open_edges == 0);
        // Fronts face the empty wedges between the cubes there.
        CHECK((report.convex_edges == 22 && report.concave_edges == 2));
        check_against_input(surface(store, id), two);
    }
    SECTION("a sheet with two sides has two surfaces") {
        TestMesh sheet = flat_mesh(3, 3, 1);
        const std::size_t count = sheet.triangles.size();
        for (std::size_t i = 0; i < count; ++i) {
            const MeshTriangle t = sheet.triangles[i];
            sheet.triangles.push_back({{t.corners[0], t.corners[2], t.corners[1]}});
        }
        const ShapeId id = added(store, sheet);
        const MeshReport report = store.view(id).mesh;
        CHECK((report.triangles == 36 && report.open_edges == 0 && report.convex_edges == 12 && report.flat_edges == 42));
        check_against_input(surface(store, id), sheet);
        // With both sides the second is there already.
        const MeshReport both = store.view(added(store, sheet, {}, {.sides = MeshSides::both})).mesh;
        CHECK((both.triangles == 18 && both.duplicate_triangles == 18));
    }
    SECTION("T-junctions are vertices within an open edge") {
        // A wide triangle pair beside a strip of three: two of the strip's vertices lie within the wide one's edge, one a little off it.
        TestMesh mesh = {{{0, 0, 0}, {3, 0, 0}, {3, 0, -1}, {0, 0, -1}, {1, 0, 0}, {2, 0, 1e-7f}, {0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {3, 0, 1}}, {}};
        for (const auto& [a, b, c] :
             {std::array{0u, 1u, 2u}, {0u, 2u, 3u}, {0u, 6u, 4u}, {6u, 7u, 4u}, {4u, 7u, 5u}, {7u, 8u, 5u}, {5u, 8u, 1u}, {8u, 9u, 1u}})
            mesh.triangles.push_back({{a, b, c}});
        CHECK(store.view(added(store, mesh)).mesh.t_junctions == 2);
        mesh.vertices[4].z = 0.01f;
        CHECK(store.view(added(store, mesh)).mesh.t_junctions == 1);
        CHECK(store.view(added(store, flat_mesh(8, 8, 1))).mesh.t_junctions == 0);
        // Of any place and size.
        for (Vec3& v : mesh.vertices) v = {1e4f * v.z, 1e4f * v.x + 7, 1e4f * v.y};
        CHECK(store.view(added(store, mesh)).mesh.t_junctions == 1);
    }
    SECTION("inconsistent winding is open") {
        TestMesh mesh = flat_mesh(1, 1, 1);
        std::swap(mesh.triangles[1].corners[1], mesh.triangles[1].corners[2]);
        const MeshReport report = store.view(added(store, mesh)).mesh;
        CHECK((report.inconsistent_edges == 1 && report.open_edges == 6 && report.flat_edges == 0));
    }
}

TEST_CASE("degenerate and duplicate triangles are dropped and equal vertices welded") {
    ShapeStore store;
    TestMesh mesh = flat_mesh(2, 2, 1);
    const std::vector<MeshTriangle> good = mesh.triangles;
    mesh.triangles.push_back(good[3]);
    mesh.triangles.push_back({{good[4].corners[1], good[4].corners[2], good[4].corners[0]}});
    mesh.triangles.push_back({{0, 0, 1}});
    mesh.triangles.push_back({{0, 1, 2}});  // in a line
    MeshReport report = store.view(added(store, mesh)).mesh;
    CHECK((report.triangles == 8 && report.duplicate_triangles == 2 && report.degenerate_triangles == 2 && report.vertices == 9));

    TestMesh apart;  // each triangle with vertices of its own, some moved a little
    Random random(2);
    for (const MeshTriangle t : good) {
        for (const std::uint32_t c : t.corners) {
            const Vec3 v = mesh.vertices[c];
            apart.vertices.push_back({v.x + float(random.between(-1e-4, 1e-4)), v.y == 0 ? -0.0f : v.y, v.z});
        }
        const auto n = std::uint32_t(apart.vertices.size());
        apart.triangles.push_back({{n - 3, n - 2, n - 1}});
    }
    report = store.view(added(store, apart, {}, {.weld_tolerance = 1e-3f})).mesh;
    CHECK((report.vertices == 9 && report.welded_vertices == 15 && report.open_edges == 8 && report.flat_edges == 8));
    report = store.view(added(store, apart)).mesh;
    CHECK(report.vertices == 24);
    apart.vertices.push_back({9, 9, 9});
    CHECK(store.view(added(store, apart)).mesh.unused_vertices == 1);
}

TEST_CASE("welding within a tolerance is that of brute force") {
    Random random(3);
    for (int round = 0; round < 30; ++round) {
        const double tolerance = std::pow(10.0, random.between(-4, -1));
        TestMesh mesh = soup(random, 100, 0.3);
        const ShapeStore none;
        std::vector<Vec3> kept;
        for (const Vec3 v : mesh.vertices) {
            const bool is_new = std::none_of(kept.begin(), kept.end(), [&](Vec3 k) {
                return std::sqrt((double(k.x) - v.x) * (double(k.x) - v.x) + (double(k.y) - v.y) * (double(k.y) - v.y) +
                                 (double(k.z) - v.z) * (double(k.z) - v.z)) <= double(float(tolerance));
            });
            if (is_new) kept.push_back(v);
        }
        const auto cooked = cook_mesh(mesh.vertices, mesh.triangles, {.weld_tolerance = float(tolerance)});
        REQUIRE(cooked);
        CHECK(cooked->report().welded_vertices == mesh.vertices.size() - kept.size());
    }
}

TEST_CASE("the walk gives every triangle within reach, once") {
    Random random(4);
    for (const TestMesh& mesh :
         {soup(random, 3000, 0.02), soup(random, 300, 0.5), torus_mesh(60, 20), flat_mesh(40, 40, 0.05f), flat_mesh(1, 1, 1)}) {
        ShapeStore store;
        const ShapeId id = added(store, mesh);
        check_walk(surface(store, id), random, 1.5, 60);
        for (const Vec3 scale : {Vec3{3, 1, 0.1f}, Vec3{-1, 1, 1}, Vec3{-0.3f, -7, 2}, Vec3{-1e-3f, -1e-3f, -1e-3f}}) {
            const auto other = store.add_instance(id, {.scale = scale});
            REQUIRE(other);
            check_walk(surface(store, *other), random, 1.5 * std::max({std::fabs(scale.x), std::fabs(scale.y), std::fabs(scale.z)}), 20);
        }
    }
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
        volume.low[0] = volume.high[0] = at.x, volume.low[1] = volume.high[1] = at.y, volume.low[2] = volume.high[2] = at.z;
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
        TestMesh mesh = grid_mesh(rows - 1, columns - 1, 0.5f, [&](float, float) { return float(random.between(-1, 1)); });
        std::vector<float> heights;
        for (const Vec3 v : mesh.vertices) heights.push_back(v.y);
        std::vector<bool> has_hole(heights.size());
        for (std::size_t i = 0; i < heights.size(); ++i)
            if (rows > 2 && random.below(20) == 0) has_hole[i] = true, heights[i] = std::numeric_limits<float>::quiet_NaN();
        std::vector<MeshTriangle> present;
        for (const MeshTriangle t : mesh.triangles)
            if (std::none_of(t.corners, t.corners + 3, [&](std::uint32_t c) { return has_hole[c]; })) present.push_back(t);
        ShapeStore store;
        const auto field = store.add_heightfield(heights, rows, columns, {.scale = {1, 2, -1}}, {.spacing_x = 0.5f, .spacing_z = 0.5f});
        if (!field) FAIL(field.error().message.c_str());
        const auto twin = store.add_mesh(mesh.vertices, present, {.scale = {1, 2, -1}});
        REQUIRE(twin);
        const Surface f = surface(store, *field), m = surface(store, *twin);
        CHECK(store.view(*field).heightfield.triangles == present.size());
        check_against_input(f, mesh);
        std::map<std::array<Point, 3>, std::uint32_t> of_mesh;
        const auto key = [](const SurfaceTriangle& t) { return rotated({point(t.corners.at[0]), point(t.corners.at[1]), point(t.corners.at[2])}); };
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
                CHECK(a.edge[k] == b.edge[j]);
                CHECK(a.corner_bend[k] == b.corner_bend[j]);
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
    const auto add = [&](std::vector<Vec3> vertices, std::vector<MeshTriangle> triangles, const MeshOptions& options = {}) {
        return store.add_mesh(vertices, triangles, {}, options);
    };
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
    check_refused(add(cube.vertices, cube.triangles, {.weld_tolerance = -1}), "weld_tolerance must be finite and at least 0, but is -1");
    check_refused(add(cube.vertices, cube.triangles, {.weld_tolerance = 100}), "all are degenerate");
    check_refused(add(cube.vertices, cube.triangles, {.sides = MeshSides(7)}), "sides is 7");
    const std::vector<std::uint32_t> values(3);
    check_refused(add(cube.vertices, cube.triangles, {.user_values = values}), "user_values has 3 values, but there are 12 triangles");
    check_refused(store.add_mesh(cube.vertices, cube.triangles, {.scale = {1, 0, 1}}), "scale must be finite and not 0, but is (1, 0, 1)");
    check_refused(store.add_mesh(cube.vertices, cube.triangles, {.rounding = -1}), "rounding");
    check_refused(store.add_mesh(cube.vertices, cube.triangles, {.scale = {1, 1e30f, 1}}), "the mesh's bounds are past the range");
    check_refused(store.add_mesh(CookedMesh()), "mesh is empty");
    check_refused(store.add_mesh(std::span(static_cast<const Vec3*>(nullptr), 4), cube.triangles), "vertices is null, with a count of 4");

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
    for (std::uint32_t i = 0; i < s.triangle_count(); ++i) CHECK(triangle_at(s, i).user_value == 7 * triangle_at(s, i).input);
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
