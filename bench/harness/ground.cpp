// See ground.hpp.
#include "harness/ground.hpp"

#include <cmath>

#include <abut/narrow_phase.hpp>
#include <abut/results.hpp>

#include "scenes/random.hpp"

namespace abut::bench {
namespace {

constexpr std::uint32_t kBodies = 1024;
constexpr float kCell = 0.5f;

float height_at(Terrain terrain, float x, float z) {
    if (terrain == Terrain::flat) return 0;
    return 3 * std::sin(0.1f * x) * std::cos(0.13f * z) + 0.05f * std::sin(2 * x + z);
}

ShapeId add_terrain(ShapeStore& shapes, std::uint32_t side, Terrain terrain) {
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    for (std::uint32_t r = 0; r <= side; ++r)
        for (std::uint32_t c = 0; c <= side; ++c)
            vertices.push_back(
                {kCell * float(c), height_at(terrain, kCell * float(c), kCell * float(r)), kCell * float(r)});
    for (std::uint32_t r = 0; r < side; ++r) {
        for (std::uint32_t c = 0; c < side; ++c) {
            const std::uint32_t a = r * (side + 1) + c, b = a + side + 1;
            triangles.push_back({{a, b, b + 1}});
            triangles.push_back({{a, b + 1, a + 1}});
        }
    }
    return *shapes.add_mesh(vertices, triangles);
}

ShapeId add_car(ShapeStore& shapes) {
    std::vector<CompoundChild> children = {{*shapes.add_box({0.9f, 0.2f, 0.45f}), {0, 0.1f, 0}, {}}};
    const ShapeId wheel = *shapes.add_sphere(0.3f);
    for (const float x : {-0.6f, 0.6f})
        for (const float z : {-0.45f, 0.45f}) children.push_back({wheel, {x, -0.2f, z}, {}});
    return *shapes.add_compound(children);
}

ShapeId add_body(ShapeStore& shapes, std::string_view kind, scenes::Random& random) {
    if (kind == "box") return *shapes.add_box({0.4f, 0.25f, 0.3f});
    if (kind == "capsule") return *shapes.add_capsule(0.25f, 0.4f);
    if (kind == "car") return add_car(shapes);
    std::vector<Vec3> points;
    for (int i = 0; i < 16; ++i) {
        const auto p = random.direction();
        points.push_back({float(0.4 * p.x), float(0.25 * p.y), float(0.3 * p.z)});
    }
    return *shapes.add_hull(points);
}

}  // namespace

Ground make_ground(std::string_view kind, std::uint32_t side, Terrain terrain) {
    Ground ground;
    scenes::Random random(7);
    const ShapeId mesh = add_terrain(ground.shapes, side, terrain), body = add_body(ground.shapes, kind, random);
    ground.bodies.push_back({{}, mesh, {}});
    const float length = kCell * float(side);
    for (std::uint32_t i = 0; i < kBodies; ++i) {
        const double yaw = random.uniform(0, 3);
        const bool stands = kind == "car" || random.chance(0.5);
        const Quat turned = stands ? Quat{0, float(std::sin(yaw)), 0, float(std::cos(yaw))} : random.orientation();
        const auto x = float(random.uniform(0.1, 0.9) * length), z = float(random.uniform(0.1, 0.9) * length);
        ground.bodies.push_back({{x, height_at(terrain, x, z) + 1.5f, z}, body, turned});
        ground.pairs.push_back({0, i + 1});
    }
    NarrowPhase narrow;
    for (int round = 0; round < 3; ++round) {
        Distances d;
        if (!narrow.distance(ground.frame(), d)) return ground;
        for (std::uint32_t i = 0; i < kBodies; ++i)
            ground.bodies[i + 1].position.y -= d.signed_distance[i] - float(random.uniform(-0.01, 0.01));
    }
    return ground;
}

Ground make_soup(std::uint32_t triangles) {
    constexpr double kLongest = 0.3;  // of a cube of half side 1
    Ground ground;
    scenes::Random random(3);
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> list;
    for (std::uint32_t i = 0; i < triangles; ++i) {
        const double at[3] = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        const auto near = [&](int axis) { return float(at[axis] + random.uniform(-kLongest, kLongest)); };
        for (int k = 0; k < 3; ++k) {
            Vec3 v;
            v.x = near(0), v.y = near(1), v.z = near(2);
            vertices.push_back(v);
        }
        list.push_back({{3 * i, 3 * i + 1, 3 * i + 2}});
    }
    MeshOptions options;
    options.sides = MeshSides::both;
    ground.bodies.push_back({{}, *ground.shapes.add_mesh(vertices, list, {}, options), {}});
    ground.bodies.push_back({{}, *ground.shapes.add_box({1, 1, 1}), random.orientation()});
    ground.pairs.push_back({0, 1});
    return ground;
}

}  // namespace abut::bench
