// Rays of one call that walk down the trees of several meshes together.
#include "support/catch.hpp"

#include <cmath>
#include <vector>

#include <abut/abut.hpp>

#include "queries/rays/rays.hpp"
#include "scenes/random.hpp"
#include "support/oracle/vec.hpp"

using namespace abut;
using oracle::Vec3d;
using scenes::Random;

namespace {

Vec3 rounded(const Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }

}  // namespace

TEST_CASE("rays: other rays of the call change no answer of a mesh", "[rays][surfaces][same_bits]") {
    const rays::MeshData ball = rays::make_ball_mesh(24, 32, 0.2, 1), small = rays::make_ball_mesh(4, 6, 0, 2);
    ShapeStore shapes;
    std::vector<Body> bodies;
    for (const rays::MeshData* mesh : {&ball, &small})
        for (const MeshSides sides : {MeshSides::front, MeshSides::both})
            for (const InstanceOptions& instance :
                 {InstanceOptions{}, InstanceOptions{.scale = {2, 0.5f, -1}}, InstanceOptions{.scale = {1, 3, 1}},
                  InstanceOptions{.rounding = 0.1f}}) {
                const auto id = shapes.add_mesh(mesh->vertices, mesh->triangles, instance, {.sides = sides});
                REQUIRE(id);
                bodies.push_back({{}, *id, {}});
            }
    Random random(3);
    std::vector<Vec3> origins, directions;
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < 700; ++i) {
        const Vec3d from = random.direction() * (i % 4 == 0 ? 0.3 : 4.0),
                    to = random.direction() * random.uniform(0, 1.2);
        origins.push_back(rounded(from)), directions.push_back(rounded((to - from) * 2));
        pairs.push_back({i, random.below(std::uint32_t(bodies.size()))});
    }
    for (const bool solid : {false, true}) {
        NarrowPhase narrow;
        RayHits all, one;
        const RayOptions options{.solid_meshes = solid};
        REQUIRE(narrow.raycast({&shapes, bodies, pairs}, {.origins = origins, .directions = directions}, all, options));
        std::size_t inside = 0;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const std::vector<Pair> alone = {pairs[i]};
            REQUIRE(
                narrow.raycast({&shapes, bodies, alone}, {.origins = origins, .directions = directions}, one, options));
            INFO(i);
            CHECK(all.hit(i) == one.hit(0));
            CHECK(all.fraction[i] == one.fraction[0]);
            CHECK(all.normal[i] == one.normal[0]);
            CHECK(all.child[i] == one.child[0]);
            CHECK(all.inside[i] == one.inside[0]);
            inside += all.inside[i];
        }
        CHECK(all.hits.size() > 300);
        CHECK((inside > 100) == solid);
    }
}

TEST_CASE("rays: a triangle whose corners are far apart in the list of vertices is met", "[rays][surfaces][right]") {
    // A disc about one vertex.
    constexpr std::uint32_t kRim = 50000;
    std::vector<Vec3> vertices = {{0, 0, 0}};
    std::vector<MeshTriangle> triangles;
    for (std::uint32_t i = 0; i < kRim; ++i) {
        const double around = 2 * std::acos(-1.0) * i / kRim;
        vertices.push_back({float(std::cos(around)), 0, float(-std::sin(around))});
        triangles.push_back({{0, 1 + i, 1 + (i + 1) % kRim}});
    }
    ShapeStore shapes;
    const auto id = shapes.add_mesh(vertices, triangles);
    REQUIRE(id);
    Random random(4);
    std::vector<Vec3> origins, directions;
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < 2000; ++i) {
        const double around = 2 * std::acos(-1.0) * random.uniform(), out = random.uniform(0.1, 0.9);
        origins.push_back({float(out * std::cos(around)), 1, float(-out * std::sin(around))}),
            directions.push_back({0, -2, 0});
        pairs.push_back({i, 0});
    }
    NarrowPhase narrow;
    RayHits hits;
    const std::vector<Body> bodies = {{{}, *id, {}}};
    REQUIRE(narrow.raycast({&shapes, bodies, pairs}, {.origins = origins, .directions = directions}, hits));
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
        INFO(i);
        CHECK((hits.hit(i) && hits.fraction[i] == 0.5));
        const double around = std::atan2(-double(origins[i].z), double(origins[i].x)) / (2 * std::acos(-1.0));
        const double expected = (around < 0 ? around + 1 : around) * kRim,
                     apart = std::fabs(expected - (hits.child[i] + 0.5));
        CHECK(std::fmin(apart, kRim - apart) < 0.6);
    }
}
