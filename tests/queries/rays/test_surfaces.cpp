// Rays and triangles: brute force over all of them, no gaps at edges and corners, one-sided triangles, swept ones.
#include "support/catch.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <abut/abut.hpp>

#include "queries/rays/rays.hpp"
#include "scenes/random.hpp"
#include "support/oracle/vec.hpp"

using namespace abut;
using oracle::Vec3d;
using scenes::Random;

namespace {

using Mesh = rays::MeshData;

// Plane and edges, in long double; the triangles as the caller gave them, scaled.
double brute_fraction(const Mesh& mesh, Vec3 scale, const Vec3d& origin, const Vec3d& direction, bool both) {
    double best = 2;
    const bool is_mirrored = scale.x * scale.y * scale.z < 0;
    for (const MeshTriangle& t : mesh.triangles) {
        long double p[3][3];
        for (int k = 0; k < 3; ++k) {
            const Vec3 v = mesh.vertices[t.corners[is_mirrored && k != 0 ? 3 - k : k]];
            p[k][0] = double(v.x * scale.x) - origin.x, p[k][1] = double(v.y * scale.y) - origin.y,
            p[k][2] = double(v.z * scale.z) - origin.z;
        }
        const auto det = [&](const long double* a, const long double* b) {
            return (a[1] * b[2] - a[2] * b[1]) * direction.x + (a[2] * b[0] - a[0] * b[2]) * direction.y +
                   (a[0] * b[1] - a[1] * b[0]) * direction.z;
        };
        const long double u = det(p[1], p[2]), v = det(p[2], p[0]), w = det(p[0], p[1]), sum = u + v + w;
        const bool back = u >= 0 && v >= 0 && w >= 0, front = u <= 0 && v <= 0 && w <= 0;
        // With corners less the origin the triple product of a front that faces the ray is negative.
        if (sum == 0 || !(front || (both && back))) continue;
        long double along = 0, square = 0;
        const long double d[3] = {direction.x, direction.y, direction.z};
        for (int axis = 0; axis < 3; ++axis) {
            along += (u * p[0][axis] + v * p[1][axis] + w * p[2][axis]) / sum * d[axis];
            square += d[axis] * d[axis];
        }
        const auto at = double(along / square);
        if (at >= 0 && at <= 1 && at < best) best = at;
    }
    return best;
}

struct Shot {
    std::vector<Vec3> origins, directions;
    std::vector<Pair> pairs;

    void add(const Vec3d& o, const Vec3d& d) {
        origins.push_back({float(o.x), float(o.y), float(o.z)});
        directions.push_back({float(d.x), float(d.y), float(d.z)});
        pairs.push_back({std::uint32_t(pairs.size()), 0});
    }
    RayHits at(const ShapeStore& shapes, const Body& body) const {
        const std::vector<Body> bodies = {body};
        NarrowPhase narrow;
        RayHits hits;
        REQUIRE(narrow.raycast({&shapes, bodies, pairs}, {.origins = origins, .directions = directions}, hits));
        return hits;
    }
};

}  // namespace

TEST_CASE("rays: a mesh is met where the nearest of all its triangles is", "[rays][surfaces][right]") {
    const Mesh mesh = rays::make_ball_mesh(24, 32, 0.4, 1);
    for (const Vec3 scale : {Vec3{1, 1, 1}, Vec3{2, 0.5f, -1}})
        for (const MeshSides sides : {MeshSides::front, MeshSides::both}) {
            ShapeStore shapes;
            const auto id = shapes.add_mesh(mesh.vertices, mesh.triangles, {.scale = scale}, {.sides = sides});
            REQUIRE(id);
            Random random(5);
            Shot shot;
            for (int i = 0; i < 2000; ++i) {
                const double apart = i % 10 == 0 ? 1000 : i % 5 == 0 ? 0.3 : 3;
                const Vec3d out = random.direction() * apart, aim = random.direction() * random.uniform(0, 1.2);
                const double length = random.uniform(0.5, 2.5);
                shot.add(out, (aim - out) * length);
            }
            const RayHits hits = shot.at(shapes, {{}, *id, {}});
            std::size_t met = 0;
            for (std::size_t i = 0; i < shot.pairs.size(); ++i) {
                const Vec3d o(shot.origins[i]), d(shot.directions[i]);
                const double expected = brute_fraction(mesh, scale, o, d, sides == MeshSides::both);
                INFO(i << " " << expected << " " << hits.fraction[i]);
                CHECK(hits.hit(i) == (expected <= 1));
                if (expected > 1) continue;
                ++met;
                CHECK(std::fabs(hits.fraction[i] - expected) * length(d) < 1e-9 * (1 + length(o)));
                CHECK(dot(Vec3d(hits.normal[i]), d) < 0);
                CHECK(hits.child[i] < mesh.triangles.size());
            }
            CHECK(met > 700);
        }
}

TEST_CASE("rays: no ray slips between triangles that share an edge or a corner", "[rays][surfaces][right]") {
    const Mesh mesh = rays::make_ball_mesh(20, 24, 0.2, 2);
    ShapeStore shapes;
    const auto id = shapes.add_mesh(mesh.vertices, mesh.triangles);
    REQUIRE(id);
    Random random(6);
    Shot shot;
    // From the inside nothing but the whole sphere of directions counts: the mesh is one-sided, so from outside through
    // corners and edges at the centre.
    for (int i = 0; i < 20000; ++i) {
        const MeshTriangle& t = mesh.triangles[random.below(std::uint32_t(mesh.triangles.size()))];
        const Vec3d a(mesh.vertices[t.corners[0]]), b(mesh.vertices[t.corners[1]]);
        const double share = i % 3 == 0 ? 0 : i % 3 == 1 ? 0.5 : random.uniform();
        const Vec3d through = a * (1 - share) + b * share;
        // Exactly through a corner where the factor is a power of two.
        shot.add(through * (i % 2 == 0 ? 4 : 1000), through * (i % 2 == 0 ? -8 : -2000));
    }
    const RayHits hits = shot.at(shapes, {{}, *id, {}});
    CHECK(hits.hits.size() == shot.pairs.size());
}

TEST_CASE("rays: height fields with holes, and swept triangles", "[rays][surfaces][right]") {
    constexpr std::uint32_t kRows = 40, kColumns = 30;
    Random random(7);
    std::vector<float> heights(kRows * kColumns);
    for (float& h : heights)
        h = random.chance(0.03) ? std::numeric_limits<float>::quiet_NaN() : float(random.uniform(-0.3, 0.3));
    Mesh mesh;
    std::vector<std::uint32_t> number;
    for (std::uint32_t r = 0; r < kRows; ++r)
        for (std::uint32_t c = 0; c < kColumns; ++c)
            mesh.vertices.push_back({float(c) * 0.5f, heights[r * kColumns + c], float(r) * 0.25f});
    for (std::uint32_t r = 0; r + 1 < kRows; ++r)
        for (std::uint32_t c = 0; c + 1 < kColumns; ++c) {
            const std::uint32_t a = r * kColumns + c, b = a + kColumns, e = b + 1, f = a + 1;
            for (const MeshTriangle t : {MeshTriangle{{a, b, e}}, MeshTriangle{{a, e, f}}}) {
                if (std::isnan(heights[t.corners[0]]) || std::isnan(heights[t.corners[1]]) ||
                    std::isnan(heights[t.corners[2]]))
                    continue;
                mesh.triangles.push_back(t);
                number.push_back(2 * (r * (kColumns - 1) + c) + (t.corners[1] == e ? 1 : 0));
            }
        }
    ShapeStore shapes;
    const auto id = shapes.add_heightfield(heights, kRows, kColumns, {}, {.spacing_x = 0.5f, .spacing_z = 0.25f});
    const auto swept =
        shapes.add_heightfield(heights, kRows, kColumns, {.rounding = 0.05f}, {.spacing_x = 0.5f, .spacing_z = 0.25f});
    REQUIRE((id && swept));
    Shot shot;
    for (int i = 0; i < 2000; ++i) {
        const Vec3d from{random.uniform(-1, 16), random.uniform(0.5, 3), random.uniform(-1, 11)};
        const Vec3d to{random.uniform(-1, 16), random.uniform(-1, 0), random.uniform(-1, 11)};
        shot.add(from, (to - from) * 1.5);
    }
    const RayHits hits = shot.at(shapes, {{}, *id, {}}), rounded = shot.at(shapes, {{}, *swept, {}});
    std::size_t met = 0;
    for (std::size_t i = 0; i < shot.pairs.size(); ++i) {
        const Vec3d o(shot.origins[i]), d(shot.directions[i]);
        const double expected = brute_fraction(mesh, {1, 1, 1}, o, d, false);
        INFO(i);
        CHECK(hits.hit(i) == (expected <= 1));
        if (expected <= 1) CHECK(std::fabs(hits.fraction[i] - expected) * length(d) < 1e-9);
        met += expected <= 1;
        // The swept field is met before.
        if (hits.hit(i)) CHECK((rounded.hit(i) && rounded.fraction[i] <= hits.fraction[i]));
    }
    CHECK(met > 1000);
    // A swept triangle: a ball's radius over its face, beyond its edge, round its corner.
    ShapeStore other;
    const std::vector<Vec3> corners = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}};
    const std::vector<MeshTriangle> one = {MeshTriangle{{0, 1, 2}}};
    const auto triangle = other.add_mesh(corners, one, {.rounding = 0.5f});
    REQUIRE(triangle);
    Shot down;
    for (const Vec3d at : {Vec3d{0.2, 2, 0.2}, Vec3d{-0.3, 2, 0.5}, Vec3d{-0.3, 2, -0.3}, Vec3d{-0.4, 2, -0.4}})
        down.add(at, {0, -4, 0});
    const RayHits on = down.at(other, {{}, *triangle, {}});
    CHECK(std::fabs(on.fraction[0] * 4 - 1.5) < 1e-6);
    CHECK(std::fabs(on.fraction[1] * 4 - (2 - 0.4)) < 1e-6);
    CHECK(std::fabs(on.fraction[2] * 4 - (2 - std::sqrt(0.25 - 0.18))) < 1e-6);
    CHECK(!on.hit(3));
}

TEST_CASE("rays, points: a two-sided height field is met from below, with a normal that faces the ray",
          "[rays][points][surfaces][right]") {
    // A tilted plane: its distance and its fractions have closed forms.
    constexpr std::uint32_t kRows = 9, kColumns = 7;
    Random random(8);
    for (const double slope_x : {0.0, 0.4, -0.7})
        for (const double slope_z : {0.0, -0.3}) {
            std::vector<float> heights;
            for (std::uint32_t r = 0; r < kRows; ++r)
                for (std::uint32_t c = 0; c < kColumns; ++c)
                    heights.push_back(float(slope_x * c * 0.5 + slope_z * r * 0.25));
            ShapeStore shapes;
            const auto both = shapes.add_heightfield(heights, kRows, kColumns, {},
                                                     {.spacing_x = 0.5f, .spacing_z = 0.25f, .sides = MeshSides::both});
            const auto front = shapes.add_heightfield(
                heights, kRows, kColumns, {}, {.spacing_x = 0.5f, .spacing_z = 0.25f, .sides = MeshSides::front});
            REQUIRE((both && front));
            const Vec3d up = Vec3d{-slope_x, 1, -slope_z} / std::sqrt(1 + slope_x * slope_x + slope_z * slope_z);
            Shot shot;
            std::vector<double> above;
            for (int i = 0; i < 300; ++i) {
                const double x = random.uniform(0.8, 2.2), z = random.uniform(0.5, 1.5),
                             height = (i % 2 == 0 ? 1 : -1) * random.uniform(0.1, 0.4);
                const Vec3d on{x, slope_x * x + slope_z * z, z}, from = on + up * height;
                const double dx = random.uniform(-0.2, 0.2), dz = random.uniform(-0.2, 0.2);
                shot.add(from, Vec3d{dx, 0, dz} - up * (height * 2));
                above.push_back(dot(up, Vec3d(shot.origins.back())));
            }
            const RayHits hits = shot.at(shapes, {{}, *both, {}}), fronts = shot.at(shapes, {{}, *front, {}});
            const std::vector<Body> bodies = {{{}, *both, {}}, {{}, *front, {}}};
            std::vector<Pair> at_front = shot.pairs;
            for (Pair& pair : at_front) pair.b = 1;
            NarrowPhase narrow;
            PointDistances near, near_front;
            REQUIRE(narrow.measure({&shapes, bodies, shot.pairs}, {.positions = shot.origins}, near));
            REQUIRE(narrow.measure({&shapes, bodies, at_front}, {.positions = shot.origins}, near_front));
            for (std::size_t i = 0; i < above.size(); ++i) {
                const double side = above[i] > 0 ? 1 : -1, expected = above[i] / -dot(up, Vec3d(shot.directions[i]));
                INFO(slope_x << " " << slope_z << " " << i << " " << above[i]);
                CHECK((hits.hit(i) && std::fabs(hits.fraction[i] - expected) < 1e-5));
                CHECK(length(Vec3d(hits.normal[i]) - up * side) < 1e-5);
                CHECK(fronts.hit(i) == (above[i] > 0));
                CHECK(std::fabs(near.signed_distance[i] - std::fabs(above[i])) < 1e-5);
                CHECK(length(Vec3d(near.normal[i]) - up * side) < 1e-4);
                CHECK((above[i] > 0 ? near_front.signed_distance[i] == near.signed_distance[i]
                                    : std::isinf(near_front.signed_distance[i])));
            }
        }
}
