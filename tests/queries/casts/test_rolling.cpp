// CastStart::closing_only of bodies that roll: the surface of a round body rotates, and closes no gap by that.
#include "support/catch.hpp"

#include <cmath>
#include <vector>

#include <abut/abut.hpp>

using namespace abut;

namespace {

// A floor at height 0 with a wall at x = -3, of tiles and of triangles.
struct Level {
    ShapeStore shapes;

    ShapeId tiles() {
        std::vector<CompoundChild> children;
        for (int i = -3; i < 4; ++i) children.push_back({*shapes.add_box({0.5f, 0.5f, 3}), {float(i), -0.5f, 0}, {}});
        children.push_back({*shapes.add_box({0.5f, 4, 3}), {-3.5f, 0, 0}, {}});
        return *shapes.add_compound(children);
    }
    ShapeId mesh() {
        std::vector<Vec3> vertices = {{-3, 4, -3}, {-3, 4, 3}};
        std::vector<MeshTriangle> triangles;
        for (int i = 0; i < 14; ++i)
            for (const float z : {-3.0f, 3.0f}) vertices.push_back({-3 + 0.5f * float(i), 0, z});
        for (std::uint32_t k = 0; k + 3 < vertices.size(); k += 2)
            triangles.push_back({{k, k + 1, k + 3}}), triangles.push_back({{k, k + 3, k + 2}});
        return *shapes.add_mesh(vertices, triangles);
    }
};

Quat about(int axis, float angle) {
    const float sine = std::sin(angle / 2);
    return {axis == 0 ? sine : 0, axis == 1 ? sine : 0, axis == 2 ? sine : 0, std::cos(angle / 2)};
}

}  // namespace

TEST_CASE("casts: a body that rolls over the seams of a floor does not stop before the wall", "[casts][right]") {
    Level level;
    const ShapeId floors[] = {level.tiles(), level.mesh()};
    struct Roller {
        const char* name;
        ShapeId shape;
        Quat along_z;  // the body's axis of revolution along z
    };
    const float half = std::sqrt(0.5f);
    const Roller rollers[] = {{"sphere", *level.shapes.add_sphere(0.5f), {}},
                              {"capsule", *level.shapes.add_capsule(0.5f, 0.4f), {half, 0, 0, half}},
                              {"cylinder", *level.shapes.add_cylinder(0.5f, 0.4f), {half, 0, 0, half}}};
    NarrowPhase narrow;
    for (const ShapeId floor : floors)
        for (const Roller& roller : rollers)
            for (const float sunk : {0.05f, 1e-3f, 0.0f})
                for (const float turn : {-2.0f, -0.3f, 0.3f, 2.0f}) {
                    CAPTURE(floor.kind() == ShapeKind::mesh, roller.name, sunk, turn);
                    const Quat end = about(2, turn), first = roller.along_z;
                    const Quat last = {end.w * first.x + end.z * -first.y, end.w * first.y + end.z * first.x,
                                       end.z * first.w, end.w * first.w};
                    const std::vector<Body> bodies = {{{1.2f, 0.5f - sunk, 0.1f}, roller.shape, first},
                                                      {{0, 0, 0}, floor, {}}},
                                            ends = {{{-3.8f, 0.5f - sunk, 0.1f}, roller.shape, last}, bodies[1]};
                    const std::vector<Pair> pairs = {{0, 1}};
                    const Bodies moved = ends;
                    Casts casts;
                    REQUIRE(narrow.cast({&level.shapes, bodies, pairs}, {.ends = {&moved, 1}}, casts,
                                        {.start = CastStart::closing_only}));
                    CHECK(casts.hit(0));
                    CHECK(std::fabs(casts.time[0] - (1.2 - 0.5 + 3) / 5) < 1e-3);
                    CHECK(casts.normal[0].x < -0.999f);
                }
}
