// Cooking of meshes: what it keeps, drops and counts, and how triangles meet; each against brute force.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include <abut/abut.hpp>

#include "support/count.hpp"
#include "support/mesh_checks.hpp"

using namespace abut;
using namespace abut::test;

namespace {

std::map<Convexity, int> bends_of_edges(const Surface& s) {
    std::map<Convexity, int> bends;
    for (std::uint32_t i = 0; i < s.triangle_count(); ++i)
        for (const Convexity b : triangle_at(s, i).edge) ++bends[b];
    return bends;
}

}  // namespace

TEST_CASE("a mesh keeps its triangles, whatever their order in the tree") {
    Random random(1);
    for (const TestMesh& mesh :
         {cube_mesh(), torus_mesh(37, 11), soup(random, 700, 0.2), flat_mesh(33, 20, 0.25f), flat_mesh(1, 1, 1)}) {
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
        for (int k = 0; k < 3; ++k) CHECK(t.corner_bend[k] == Convexity::convex);
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
    CHECK(t.normal.x * t.corners.at[0].x + t.normal.y * t.corners.at[0].y + t.normal.z * t.corners.at[0].z ==
          Approx(1));

    const ShapeId floor = added(store, flat_mesh(4, 4, 1));
    report = store.view(floor).mesh;
    CHECK((report.open_edges == 16 && report.flat_edges == 40 && report.convex_edges == 0));
    const Surface flat = surface(store, floor);
    for (std::uint32_t i = 0; i < 32; ++i) {
        const SurfaceTriangle f = triangle_at(flat, i);
        for (int k = 0; k < 3; ++k) {
            const Vec3 c = f.corners.at[k];
            const bool is_border = c.x == 0 || c.x == 4 || c.z == 0 || c.z == 4;
            CHECK(f.corner_bend[k] == (is_border ? Convexity::open : Convexity::flat));
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
            CHECK(bends.at(Convexity::open) == 80);
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
        CHECK(
            (report.triangles == 36 && report.open_edges == 0 && report.convex_edges == 12 && report.flat_edges == 42));
        check_against_input(surface(store, id), sheet);
        // With both sides the second is there already.
        const MeshReport both = store.view(added(store, sheet, {}, {.sides = MeshSides::both})).mesh;
        CHECK((both.triangles == 18 && both.duplicate_triangles == 18));
    }
    SECTION("T-junctions are vertices within an open edge") {
        // A wide triangle pair beside a strip of three: two of the strip's vertices lie within the wide one's edge, one
        // a little off it.
        TestMesh mesh = {{{0, 0, 0},
                          {3, 0, 0},
                          {3, 0, -1},
                          {0, 0, -1},
                          {1, 0, 0},
                          {2, 0, 1e-7f},
                          {0, 0, 1},
                          {1, 0, 1},
                          {2, 0, 1},
                          {3, 0, 1}},
                         {}};
        for (const auto& [a, b, c] : {std::array{0u, 1u, 2u},
                                      {0u, 2u, 3u},
                                      {0u, 6u, 4u},
                                      {6u, 7u, 4u},
                                      {4u, 7u, 5u},
                                      {7u, 8u, 5u},
                                      {5u, 8u, 1u},
                                      {8u, 9u, 1u}})
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
    CHECK((report.triangles == 8 && report.duplicate_triangles == 2 && report.degenerate_triangles == 2 &&
           report.vertices == 9));

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
    std::size_t compared = 0;
    test::Count wrong;
    for (int round = 0; round < 30; ++round) {
        const double tolerance = std::pow(10.0, random.between(-4, -0.6));
        TestMesh mesh = soup(random, 100, 0.3);
        std::vector<Vec3> kept, welded_to;
        for (const Vec3 v : mesh.vertices) {
            const auto first = std::find_if(kept.begin(), kept.end(), [&](Vec3 k) {
                return std::sqrt((double(k.x) - v.x) * (double(k.x) - v.x) + (double(k.y) - v.y) * (double(k.y) - v.y) +
                                 (double(k.z) - v.z) * (double(k.z) - v.z)) <= double(float(tolerance));
            });
            welded_to.push_back(first == kept.end() ? v : *first);
            if (first == kept.end()) kept.push_back(v);
        }
        const auto cooked = cook_mesh(mesh.vertices, mesh.triangles, {.weld_tolerance = float(tolerance)});
        REQUIRE(cooked);
        CHECK(cooked->report().welded_vertices == mesh.vertices.size() - kept.size());
        ShapeStore store;
        const auto id = store.add_mesh(*cooked);
        REQUIRE(id);
        std::vector<Vec3> vertices(kept.size());
        std::vector<MeshTriangle> triangles(mesh.triangles.size());
        vertices.resize(store.mesh_vertices(*id, vertices));
        REQUIRE(store.mesh_triangles(*id, triangles) == triangles.size());
        for (std::size_t t = 0; t < triangles.size(); ++t) {
            const auto [a, b, c] = triangles[t].corners;
            if (a == b) continue;  // dropped
            const Vec3 corners[] = {vertices[a], vertices[b], vertices[c]};
            for (const std::uint32_t v : mesh.triangles[t].corners)
                wrong += std::find(corners, corners + 3, welded_to[v]) == corners + 3;
            ++compared;
        }
    }
    CHECK(wrong == 0);
    CHECK(compared > 100);
}
