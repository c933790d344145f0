// See rays.hpp.
#include "instructions/rays.hpp"

#include <cmath>

#include "scenes/random.hpp"
#include "scenes/scene.hpp"

namespace abut::bench {
namespace {

using oracle::Vec3d;
using scenes::Random;

constexpr std::uint64_t kSeed = 3;

Vec3 rounded(const Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }

void add_ray(RayRow& row, const Vec3d& centre, double size, std::uint32_t body, Random& random) {
    const Vec3d from = centre + random.direction() * (size * random.uniform(2, 4)),
                to = centre + random.direction() * (size * random.uniform(0, 1.1));
    row.pairs.push_back({std::uint32_t(row.origins.size()), body});
    row.origins.push_back(rounded(from));
    row.directions.push_back(rounded((to - from) * 2));
}

// A ball of 4 * rings^2 triangles.
ShapeId add_ball(ShapeStore& shapes, std::uint32_t rings) {
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    const std::uint32_t sectors = 2 * rings;
    for (std::uint32_t r = 0; r <= rings; ++r)
        for (std::uint32_t s = 0; s < sectors; ++s) {
            const double tilt = M_PI * r / rings, around = 2 * M_PI * s / sectors;
            vertices.push_back(
                rounded({std::sin(tilt) * std::cos(around), std::cos(tilt), -std::sin(tilt) * std::sin(around)}));
        }
    for (std::uint32_t r = 0; r < rings; ++r)
        for (std::uint32_t s = 0; s < sectors; ++s) {
            const std::uint32_t a = r * sectors + s, b = r * sectors + (s + 1) % sectors;
            triangles.push_back({{a, a + sectors, b + sectors}}), triangles.push_back({{a, b + sectors, b}});
        }
    return *shapes.add_mesh(vertices, triangles);
}

}  // namespace

RayRow make_ray_row(const std::string& shape, std::size_t rays) {
    RayRow row;
    if (shape == "mesh") {
        Random random(kSeed);
        row.bodies.push_back({{}, add_ball(row.shapes, 50), random.orientation()});
        for (std::size_t i = 0; i < rays; ++i) add_ray(row, {}, 1, 0, random);
        return row;
    }
    scenes::Scene scene = scenes::make_row(shape == "mixed" ? shape : "sphere-" + shape, rays, kSeed);
    for (std::size_t i = 0; i < rays; ++i) {
        Random random(kSeed, i);
        const Pair pair = scene.pairs[i];
        const std::uint32_t body =
            shape == "sphere" || scene.bodies[pair.a].shape.kind() == ShapeKind::sphere ? pair.b : pair.a;
        const oracle::Solid& solid = scene.solids[scene.solid_of[body]];
        add_ray(row, Vec3d(scene.bodies[body].position), solid.size, body, random);
    }
    row.shapes = std::move(scene.shapes), row.bodies = std::move(scene.bodies);
    return row;
}

}  // namespace abut::bench
