// A character controller's step by casts: move, slide along what is hit, three times at most. examples/character.cpp is
// the same with steps.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <abut/abut.hpp>

using namespace abut;

namespace {

Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec3 operator*(Vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

struct World {
    ShapeStore shapes;
    std::vector<Body> bodies;  // body 0 is the character
    NarrowPhase narrow;
    Casts casts;

    // Moves the character by `way`, metres, and slides along what it meets. It stays `skin` metres away from
    // everything.
    void move(Vec3 way, float skin = 0.01f) {
        std::vector<Pair> pairs;
        for (std::uint32_t i = 1; i < bodies.size(); ++i) pairs.push_back({0, i});
        CastOptions options;
        options.target = skin;
        options.start = CastStart::closing_only;
        options.reduction = CastReduction::first_of_body;
        Vec3 first_normal;
        for (int slide = 0; slide < 3; ++slide) {
            std::vector<Body> next = bodies;
            next[0].position = bodies[0].position + way;
            const Bodies ends[] = {next};
            REQUIRE(narrow.cast({&shapes, bodies, pairs}, {ends}, casts, options));
            const double time = casts.hits.empty() ? 1.0 : casts.time[casts.hits[0]];
            bodies[0].position = bodies[0].position + way * float(time);
            if (casts.hits.empty()) return;
            // What is left of the way, without its part into the wall; in a corner along both walls.
            const Vec3 normal = casts.normal[casts.hits[0]];
            way = way * float(1 - time);
            way = way + normal * -std::max(dot(way, normal), 0.0f);
            if (slide == 1) {
                const Vec3 edge = {normal.y * first_normal.z - normal.z * first_normal.y,
                                   normal.z * first_normal.x - normal.x * first_normal.z,
                                   normal.x * first_normal.y - normal.y * first_normal.x};
                const float squared = dot(edge, edge);
                if (squared > 1e-6f) way = edge * (dot(way, edge) / squared);
            }
            first_normal = normal;
        }
    }
    float clearance() {
        std::vector<Pair> pairs;
        for (std::uint32_t i = 1; i < bodies.size(); ++i) pairs.push_back({0, i});
        Distances distances;
        REQUIRE(narrow.distance({&shapes, bodies, pairs}, distances));
        return *std::min_element(distances.signed_distance.begin(), distances.signed_distance.end());
    }
};

}  // namespace

TEST_CASE("casts: a character slides along walls, into a corner, over flat triangles, and never enters them",
          "[casts]") {
    World world;
    const auto capsule = world.shapes.add_capsule(0.3f, 0.6f), wall = world.shapes.add_box({5, 2, 0.1f}),
               end = world.shapes.add_box({0.1f, 2, 5});
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    for (int i = 0; i <= 20; ++i)
        for (int k = 0; k <= 20; ++k) vertices.push_back({0.5f * float(i) - 5, 0, 0.5f * float(k) - 5});
    for (std::uint32_t i = 0; i < 20; ++i)
        for (std::uint32_t k = 0; k < 20; ++k) {
            const std::uint32_t at = 21 * i + k;
            triangles.push_back({{at, at + 1, at + 22}}), triangles.push_back({{at, at + 22, at + 21}});
        }
    const auto floor = world.shapes.add_mesh(vertices, triangles);
    REQUIRE((capsule && wall && end && floor));
    world.bodies = {
        {{-3, 0.95f, 0}, *capsule, {}}, {{0, 0, 0}, *floor, {}}, {{0, 1, 1}, *wall, {}}, {{4, 1, 0}, *end, {}}};
    float lowest = 1;
    // Diagonally into the wall at z = 0.9, with gravity's pull: along it to the corner at x = 3.9.
    for (int step = 0; step < 200; ++step) {
        world.move({0.05f, -0.02f, 0.04f});
        lowest = std::min(lowest, world.clearance());
    }
    const Vec3 at = world.bodies[0].position;
    CHECK(lowest > 0.005f);
    CHECK(std::fabs(at.x - (3.9f - 0.31f)) < 0.01f);
    CHECK(std::fabs(at.z - (0.9f - 0.31f)) < 0.01f);
    CHECK(std::fabs(at.y - 0.91f) < 0.01f);
    // Away from the corner nothing holds it.
    for (int step = 0; step < 20; ++step) world.move({-0.05f, -0.02f, -0.05f});
    CHECK(std::fabs(world.bodies[0].position.x - (at.x - 1)) < 0.02f);
    CHECK(std::fabs(world.bodies[0].position.z - (at.z - 1)) < 0.02f);
}

TEST_CASE("casts: a fast character stops at a thin wall", "[casts]") {
    World world;
    const auto capsule = world.shapes.add_capsule(0.3f, 0.6f), wall = world.shapes.add_box({5, 2, 0.005f});
    REQUIRE((capsule && wall));
    world.bodies = {{{0, 1, 0}, *capsule, {}}, {{0, 1, 3}, *wall, {}}};
    world.move({2, 0, 50});
    CHECK(world.bodies[0].position.z < 3 - 0.3f);
    CHECK(world.bodies[0].position.z > 3 - 0.33f);
    CHECK(std::fabs(world.bodies[0].position.x - 2) < 1e-3f);
}
