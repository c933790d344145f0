// Bodies that slide and roll over flat ground of triangles, in the solver: no bump, no jump, the same contacts all the
// way.
#include <algorithm>
#include <cmath>

#include "stacks.hpp"
#include "support/catch.hpp"
#include "support/surface_scenes.hpp"

namespace {

using namespace abut;
using namespace abut::solver;

// A strip along x, from -1 to 11 m.
test::TestMesh strip(float cell, float width) {
    const auto columns = std::uint32_t(12.0f / cell), rows = std::max(2u, std::uint32_t(width / cell));
    test::TestMesh mesh = test::flat_mesh(rows, columns, cell);
    for (Vec3& v : mesh.vertices) v.x -= 1.0f, v.z -= 0.5f * cell * float(rows);
    return mesh;
}

struct Slide {
    double worst_angle = 0, worst_jump = 0, worst_height = 0;
    std::size_t contacts = 0, kept = 0, steps = 0, without = 0;
};

// Ten metres along x at 2 m/s, without friction.
Slide slide(World& world, std::size_t body, double height) {
    Slide out;
    RigidBody& moving = world.bodies[body];
    const auto settle = [&] {
        for (int i = 0; i < 60; ++i) world.step();
    };
    settle();
    moving.velocity = {2, moving.velocity.y, 0};
    Vec3d before = moving.velocity;
    const double rest = moving.position.y;
    while (moving.position.x < 10 && out.steps < 400) {
        world.step();
        ++out.steps;
        const Manifolds& m = world.manifolds();
        out.without += m.contacts.empty();
        for (const Manifold& manifold : m.manifolds)
            out.worst_angle =
                std::max(out.worst_angle, std::hypot(double(manifold.normal.x), double(manifold.normal.z)));
        out.contacts += m.contacts.size();
        out.kept += std::size_t(std::lround(world.ids_kept() * double(m.contacts.size())));
        out.worst_jump = std::max(out.worst_jump, length(moving.velocity - before));
        out.worst_height = std::max(out.worst_height, std::fabs(moving.position.y - rest));
        before = moving.velocity;
    }
    CHECK(moving.position.x >= 10);
    CHECK(rest == Approx(height).margin(0.02 * height + 1e-3));
    return out;
}

void check_slides(float cell, float size) {
    const test::TestMesh mesh = strip(cell, 8 * size);
    for (int shape = 0; shape < 4; ++shape) {
        WorldSettings settings;
        settings.friction = 0;
        settings.margin = 0.1f * size;
        World world(settings);
        const auto ground = world.shapes.add_mesh(mesh.vertices, mesh.triangles);
        REQUIRE(ground);
        world.add_static(*ground, {});
        Solid solid;
        double height = size;
        Quatd turned;
        const double yaw = 0.2;
        turned.y = std::sin(yaw), turned.w = std::cos(yaw);
        const Vec3 octahedron[6] = {{size, 0, size},  {-size, 0, size},       {-size, 0, -size},
                                    {size, 0, -size}, {0, size, 0.3f * size}, {0, size, -0.3f * size}};
        switch (shape) {
            case 0: solid = add_box(world.shapes, {size, 0.5f * size, 0.7f * size}), height = 0.5 * size; break;
            case 1: solid = add_cylinder(world.shapes, size, 0.6f * size), height = 0.6 * size; break;
            case 2: solid = add_hull(world.shapes, octahedron), height = 0; break;
            default:
                solid = add_capsule(world.shapes, 0.5f * size, size), height = 0.5 * size;
                turned = {0.5, 0.5, 0.5, 0.5};  // along z
        }
        const std::size_t body = world.add(solid, 1, {0, height, 0}, turned);
        if (shape == 2) height = world.bodies[body].position.y;
        const Slide found = slide(world, body, height);
        CAPTURE(cell, size, shape, found.worst_angle, found.worst_jump, found.worst_height, found.contacts, found.kept,
                found.without);
        CHECK(found.without == 0);
        CHECK(found.contacts >= (shape == 3 ? 2 : 3) * found.steps);
        CHECK(found.worst_angle <= 1e-6);
        CHECK(found.worst_jump <= 1e-4);
        CHECK(double(found.kept) >= 0.99 * double(found.contacts));
    }
}

// A body that rolls, and its twin on a half-space.
struct Rolling {
    double worst_velocity = 0, worst_place = 0, worst_angle = 0;
    std::size_t steps = 0, contacts = 0, kept = 0;
};

// Rolls along x at 2 m/s, on triangles of a few sides of `cell`.
template <class Add>
Rolling roll(double radius, const Quatd& turned, float cell, Add&& add) {
    const Triangles ground = flat_triangles(std::uint32_t(2 / cell), std::uint32_t(12 / cell), cell);
    World worlds[2] = {World({}), World({})};
    worlds[0].add_static(*worlds[0].shapes.add_halfspace({0, 1, 0}, 0), {});
    worlds[1].add_static(*worlds[1].shapes.add_mesh(ground.vertices, ground.triangles), {});
    std::size_t body = 0;
    for (World& world : worlds) {
        body = world.add(add(world.shapes), 10, {-5, radius, 0.013}, turned);
        world.bodies[body].velocity = {2, 0, 0};
        world.bodies[body].spin = {0, 0, -2 / radius};
    }
    Rolling out;
    for (; out.steps < 240; ++out.steps) {
        for (World& world : worlds) world.step();
        const RigidBody &on_plane = worlds[0].bodies[body], &on_mesh = worlds[1].bodies[body];
        const Manifolds& m = worlds[1].manifolds();
        out.worst_velocity = std::max(out.worst_velocity, length(on_mesh.velocity - on_plane.velocity));
        out.worst_place = std::max(out.worst_place, length(on_mesh.position - on_plane.position));
        for (const Manifold& manifold : m.manifolds)
            out.worst_angle =
                std::max(out.worst_angle, std::hypot(double(manifold.normal.x), double(manifold.normal.z)));
        out.contacts += m.contacts.size();
        out.kept += std::size_t(std::lround(worlds[1].ids_kept() * double(m.contacts.size())));
    }
    return out;
}

}  // namespace

TEST_CASE("bodies slide ten metres over flat ground as over ice", "[solver]") {
    check_slides(1.0f, 0.5f);
    check_slides(0.1f, 0.3f);
    check_slides(0.25f, 0.1f);
}

TEST_CASE("balls and cylinders roll over T-junctions as over a plane", "[solver]") {
    const double half = std::sqrt(0.5);
    const Quatd upright, along_z = {half, 0, 0, half};
    for (const float cell : {0.5f, 0.07f}) {
        for (int shape = 0; shape < 3; ++shape) {
            const Rolling found = roll(0.3, shape == 0 ? upright : along_z, cell, [shape](ShapeStore& store) {
                return shape == 0   ? add_sphere(store, 0.3f)
                       : shape == 1 ? add_cylinder(store, 0.3f, 0.2f)
                                    : add_capsule(store, 0.3f, 0.2f);
            });
            CAPTURE(cell, shape, found.worst_velocity, found.worst_place, found.worst_angle, found.contacts,
                    found.kept);
            CHECK(found.contacts >= found.steps);
            CHECK(found.worst_angle <= 1e-6);
            CHECK(found.worst_velocity <= 1e-4);
            CHECK(found.worst_place <= 1e-4);
            CHECK(double(found.kept) >= 0.99 * double(found.contacts));
        }
    }
}

TEST_CASE("bodies slide ten metres over flat ground of small triangles", "[solver]") {
    check_slides(0.02f, 0.15f);
    check_slides(0.001f, 0.004f);
}
