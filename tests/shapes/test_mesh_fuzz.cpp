// What must hold of every mesh holds of random ones, most of them nasty: counts are those of brute force, and bodies
// get answers.
#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "shapes/surfaces.hpp"
#include "support/catch.hpp"
#include "support/nasty_meshes.hpp"
#include "support/surface_triangle.hpp"

using namespace abut;
using namespace abut::test;

namespace {

using maths::Vec3d;

struct Counts {
    std::uint32_t welded = 0, degenerate = 0, duplicates = 0, nonmanifold = 0, inconsistent = 0;
    std::vector<MeshTriangle> kept;  // of welded vertices
};

std::uint32_t first_equal(const TestMesh& mesh, std::uint32_t v) {
    std::uint32_t first = 0;
    while (!(mesh.vertices[first] == mesh.vertices[v])) ++first;
    return first;
}

bool is_degenerate(const TestMesh& mesh, const MeshTriangle& t) {
    const Vec3d a = maths::to_double(mesh.vertices[t.corners[0]]), b = maths::to_double(mesh.vertices[t.corners[1]]),
                c = maths::to_double(mesh.vertices[t.corners[2]]);
    const double longest = std::max({maths::norm(b - a), maths::norm(c - b), maths::norm(a - c)});
    return longest == 0 || maths::norm(maths::cross(b - a, c - a)) <= 1e-6 * longest * longest;
}

Counts counted(const TestMesh& mesh, MeshSides sides) {
    Counts counts;
    for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) counts.welded += first_equal(mesh, v) != v;
    std::set<std::array<std::uint32_t, 3>> seen;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<int, int>> edges;  // up and down
    for (MeshTriangle t : mesh.triangles) {
        for (std::uint32_t& c : t.corners) c = first_equal(mesh, c);
        if (is_degenerate(mesh, t)) {
            ++counts.degenerate;
            continue;
        }
        std::array<std::uint32_t, 3> key = {t.corners[0], t.corners[1], t.corners[2]};
        if (sides == MeshSides::both)
            std::sort(key.begin(), key.end());
        else
            std::rotate(key.begin(), std::min_element(key.begin(), key.end()), key.end());
        if (!seen.insert(key).second) {
            ++counts.duplicates;
            continue;
        }
        counts.kept.push_back(t);
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t a = t.corners[k], b = t.corners[(k + 1) % 3];
            auto& [up, down] = edges[std::minmax(a, b)];
            ++(a < b ? up : down);
        }
    }
    for (const auto& [edge, ways] : edges) {
        counts.nonmanifold += ways.first + ways.second > 2;
        counts.inconsistent += ways.first + ways.second == 2 && ways.first != 1;
    }
    return counts;
}

double largest(const TestMesh& mesh, const std::vector<MeshTriangle>& triangles) {
    double most = 0;
    for (const MeshTriangle& t : triangles)
        for (const std::uint32_t c : t.corners)
            most = std::max(most, maths::max_abs(maths::to_double(mesh.vertices[c])));
    return most;
}

bool is_inside_edge(const Vec3d& p, const Vec3d& a, const Vec3d& b, double tolerance) {
    const Vec3d way = b - a;
    const double length = maths::norm(way), along = maths::dot(p - a, way) / length;
    if (along <= tolerance || along >= length - tolerance) return false;
    return maths::norm(p - a - way * (along / length)) <= tolerance;
}

// Vertices of open edges within open edges, with the store's own neighbours.
std::uint32_t t_junctions(const Surface& surface, double coordinate) {
    std::vector<std::pair<Vec3d, Vec3d>> edges;
    std::map<std::uint32_t, Vec3d> border;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
    for (std::uint32_t i = 0; i < surface.triangle_count(); ++i) {
        const SurfaceTriangle t = triangle_at(surface, i);
        for (std::uint32_t k = 0; k < 3; ++k) {
            if (t.neighbour[k] != kNoTriangle) continue;
            const std::uint32_t next = (k + 1) % 3;
            const Vec3d a = maths::to_double(t.corners.at[k]), b = maths::to_double(t.corners.at[next]);
            edges.push_back({a, b}), ends.push_back({t.vertex[k], t.vertex[next]});
            border[t.vertex[k]] = a, border[t.vertex[next]] = b;
        }
    }
    std::uint32_t count = 0;
    for (const auto& [vertex, p] : border) {
        bool is_junction = false;
        for (std::size_t e = 0; e < edges.size() && !is_junction; ++e)
            is_junction = vertex != ends[e].first && vertex != ends[e].second &&
                          is_inside_edge(p, edges[e].first, edges[e].second, 1e-6 * coordinate);
        count += is_junction;
    }
    return count;
}

void check_counts(const TestMesh& mesh, const Counts& counts, const MeshReport& report, const Surface& surface) {
    CHECK(report.welded_vertices == counts.welded);
    CHECK(report.degenerate_triangles == counts.degenerate);
    CHECK(report.duplicate_triangles == counts.duplicates);
    CHECK(report.nonmanifold_edges == counts.nonmanifold);
    CHECK(report.inconsistent_edges == counts.inconsistent);
    CHECK(report.triangles == counts.kept.size());
    CHECK(report.open_edges + 2 * (report.convex_edges + report.flat_edges + report.concave_edges) ==
          3 * report.triangles);
    CHECK(report.vertices + report.welded_vertices + report.unused_vertices == mesh.vertices.size());
    CHECK(report.t_junctions == t_junctions(surface, largest(mesh, counts.kept)));
}

Vec3d nearest_on(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
    const double t = std::clamp(maths::dot(p - a, b - a) / maths::dot(b - a, b - a), 0.0, 1.0);
    return a + (b - a) * t;
}

double distance_to(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d n = maths::cross(b - a, c - a);
    const auto is_left = [&](const Vec3d& u, const Vec3d& v) { return maths::dot(n, maths::cross(v - u, p - u)) >= 0; };
    if (is_left(a, b) && is_left(b, c) && is_left(c, a)) return std::fabs(maths::dot(n, p - a)) / maths::norm(n);
    return std::min({maths::norm(p - nearest_on(p, a, b)), maths::norm(p - nearest_on(p, b, c)),
                     maths::norm(p - nearest_on(p, c, a))});
}

// A ball somewhere about two-sided triangles.
void check_distance(const TestMesh& mesh, const Counts& counts, ShapeStore& store, ShapeId id, Random& random) {
    const ShapeView view = store.view(id);
    const float radius = 0.1f * view.size;
    const auto ball = store.add_sphere(radius);
    REQUIRE(ball);
    std::vector<Body> bodies = {{{}, id, {}}};
    std::vector<Pair> pairs;
    const auto within = [&](float low, float high) { return float(low + (high - low) * random.between(-0.5, 1.5)); };
    for (std::uint32_t i = 1; i <= 8; ++i) {
        bodies.push_back({{within(view.bounds_min.x, view.bounds_max.x), within(view.bounds_min.y, view.bounds_max.y),
                           within(view.bounds_min.z, view.bounds_max.z)},
                          *ball,
                          {}});
        pairs.push_back({0, i});
    }
    NarrowPhase narrow;
    Distances distances;
    Manifolds manifolds;
    const Frame frame{&store, bodies, pairs};
    REQUIRE(narrow.collide(frame, manifolds));
    REQUIRE(narrow.distance(frame, distances));
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const Vec3d p = maths::to_double(bodies[i + 1].position);
        double least = std::numeric_limits<double>::infinity();
        for (const MeshTriangle& t : counts.kept)
            least = std::min(least, distance_to(p, maths::to_double(mesh.vertices[t.corners[0]]),
                                                maths::to_double(mesh.vertices[t.corners[1]]),
                                                maths::to_double(mesh.vertices[t.corners[2]])));
        CHECK(distances.status[i] == Status::ok);
        // Promise 1, and the float of the position.
        const double slack =
            1e-5 * radius + 1e-6 * std::max(double(view.size), least) + 1e-6 * largest(mesh, counts.kept);
        CHECK(std::fabs(distances.signed_distance[i] - (least - radius)) <= slack);
    }
    for (const Contact& contact : manifolds.contacts) CHECK(std::isfinite(contact.separation));
}

}  // namespace

TEST_CASE("the counts of a nasty mesh are those of brute force, and its distances too") {
    Random random(31);
    int kept = 0, nonmanifold = 0, inconsistent = 0, junctions = 0, needles = 0;
    for (int i = 0; i < 1500; ++i) {
        const TestMesh mesh = nasty_mesh(random);
        INFO("mesh " << i << " of " << mesh.triangles.size() << " triangles");
        const MeshSides sides = i % 2 == 0 ? MeshSides::both : MeshSides::front;
        const Counts counts = counted(mesh, sides);
        ShapeStore store;
        const auto id = store.add_mesh(mesh.vertices, mesh.triangles, {}, {.sides = sides});
        REQUIRE(bool(id) == !counts.kept.empty());
        if (!id) {
            CHECK(id.error().message.contains("all are degenerate"));
            continue;
        }
        const MeshReport report = store.view(*id).mesh;
        check_counts(mesh, counts, report, surface_of(tables_of(store), *id));
        if (i % 10 == 0) check_distance(mesh, counts, store, *id, random);
        ++kept, nonmanifold += report.nonmanifold_edges > 0, inconsistent += report.inconsistent_edges > 0;
        junctions += report.t_junctions > 0, needles += report.needles > 0;
    }
    CAPTURE(kept, nonmanifold, inconsistent, junctions, needles);
    CHECK((kept > 1200 && nonmanifold > 300 && inconsistent > 300 && junctions > 300 &&
           needles > 50));  // or they are not what they were meant to be
}

TEST_CASE("one bad number anywhere in a mesh is named") {
    Random random(32);
    for (int i = 0; i < 300; ++i) {
        TestMesh mesh = nasty_mesh(random);
        const auto vertex = random.below(std::uint32_t(mesh.vertices.size())),
                   triangle = random.below(std::uint32_t(mesh.triangles.size()));
        const std::uint32_t axis = random.below(3);
        std::string expected;
        if (i % 2 == 0) {
            const float bad =
                i % 4 == 0 ? std::numeric_limits<float>::quiet_NaN() : -std::numeric_limits<float>::infinity();
            (axis == 0 ? mesh.vertices[vertex].x : axis == 1 ? mesh.vertices[vertex].y : mesh.vertices[vertex].z) = bad;
            expected = "vertices[" + std::to_string(vertex) + "]." + "xyz"[axis] + " must be finite";
        } else {
            const std::uint32_t bad = i % 4 == 1 ? std::uint32_t(mesh.vertices.size()) : 0xffffffffu;
            mesh.triangles[triangle].corners[axis] = bad;
            expected =
                "triangles[" + std::to_string(triangle) + "][" + std::to_string(axis) + "] is " + std::to_string(bad);
        }
        const auto cooked = cook_mesh(mesh.vertices, mesh.triangles);
        REQUIRE_FALSE(cooked);
        INFO(cooked.error().message.c_str() << ", not " << expected);
        CHECK(cooked.error().code == ErrorCode::bad_shape);
        CHECK(cooked.error().message.contains(expected));
    }
}

TEST_CASE("T-junctions of long and short edges are those of brute force") {
    Random random(34);
    for (const double longest : {0.3, 0.6, 4.0}) {
        TestMesh mesh;
        for (std::uint32_t i = 0; i < 1500; ++i) {  // on a grid, so that vertices meet edges
            const double at[3] = {random.between(0, 4), random.between(0, 1), random.between(0, 4)},
                         size = random.below(20) == 0 ? 4 : longest;
            for (int k = 0; k < 3; ++k) {
                const auto near = [&](int axis) {
                    return float(std::round(4 * (at[axis] + size * random.between(-1, 1))) / 4);
                };
                const float x = near(0), y = near(1);
                mesh.vertices.push_back({x, y, near(2)});
            }
            mesh.triangles.push_back({{3 * i, 3 * i + 1, 3 * i + 2}});
        }
        ShapeStore store;
        const auto id = store.add_mesh(mesh.vertices, mesh.triangles);
        REQUIRE(id);
        const Surface surface = surface_of(tables_of(store), *id);
        const std::uint32_t expected = t_junctions(surface, largest_coordinate(surface));
        CHECK(expected > 100);
        CHECK(store.view(*id).mesh.t_junctions == expected);
    }
}

TEST_CASE("triangles in each other's way take no longer to cook than apart") {
    Random random(33);
    const TestMesh mesh = soup(random, 20000, 0.3);  // all pairs of edges and vertices would take minutes
    const auto cooked = cook_mesh(mesh.vertices, mesh.triangles);
    REQUIRE(cooked);
    CHECK((cooked->report().open_edges == 60000 && cooked->report().t_junctions == 0));
}
