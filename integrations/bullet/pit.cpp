// Shapes, pit and the grid that the bodies fall from.
#include "scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "random.hpp"

namespace abut::tools {
namespace {

constexpr std::uint32_t kShapesPerKind = 64;  // engines share shapes between bodies
constexpr double kMinSide = 0.25, kMaxSide = 0.75;
constexpr double kPitWidth = 7.0;  // metres, for kPitBodies
constexpr double kPitBodies = 2000.0;
constexpr double kWallThickness = 1.0;
constexpr double kGridSpacing = 0.8;  // no two bodies touch at the start

Vec3 vec3(double x, double y, double z) { return {float(x), float(y), float(z)}; }

ShapeSpec make_sphere(double side, Random&) {
    ShapeSpec spec;
    spec.kind = ShapeKind::sphere;
    spec.radius = float(side / 2);
    return spec;
}

ShapeSpec make_capsule(double side, Random& random) {
    ShapeSpec spec;
    spec.kind = ShapeKind::capsule;
    const double radius = side * random.uniform(0.15, 0.35);
    spec.radius = float(radius);
    spec.half_height = float(side / 2 - radius);
    return spec;
}

ShapeSpec make_box(double side, Random& random) {
    ShapeSpec spec;
    spec.kind = ShapeKind::box;
    const double half = side / 2;
    spec.extents = vec3(half, half * random.uniform(0.4, 1.0), half * random.uniform(0.4, 1.0));
    return spec;
}

// The floor's surface is y = 0; the pit is centred on the y axis.
void add_pit(Scene& scene, double width) {
    const double half = width / 2, thick = kWallThickness / 2, reach = half + kWallThickness, height = width;
    add_fixed_box(scene, vec3(reach, thick, reach), vec3(0, -thick, 0));
    for (const double side : {-1.0, 1.0}) {
        add_fixed_box(scene, vec3(thick, height, reach), vec3(side * (half + thick), height, 0));
        add_fixed_box(scene, vec3(half, height, thick), vec3(0, height, side * (half + thick)));
    }
}

}  // namespace

// Points on an ellipsoid are in convex position: each is a vertex.
ShapeSpec make_hull(double side, Random& random) {
    ShapeSpec spec;
    spec.kind = ShapeKind::hull;
    const double radii[3] = {side / 2, side / 2 * random.uniform(0.5, 1.0), side / 2 * random.uniform(0.5, 1.0)};
    const std::uint32_t count = 8 + random.below(25);
    double sum[3] = {};
    std::vector<std::array<double, 3>> points;
    while (points.size() < count) {
        std::array<double, 3> p = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        if (length > 1.0 || length < 0.1) continue;
        for (int i = 0; i < 3; ++i) sum[i] += p[i] *= radii[i] / length;
        points.push_back(p);
    }
    // The engine takes the origin for the centre of mass.
    for (const auto& p : points) {
        spec.vertices.push_back(vec3(p[0] - sum[0] / count, p[1] - sum[1] / count, p[2] - sum[2] / count));
    }
    return spec;
}

Quat random_rotation(Random& random) {
    for (;;) {
        double q[4], squared = 0;
        for (double& x : q) {
            x = random.uniform(-1, 1);
            squared += x * x;
        }
        if (squared > 1.0 || squared < 0.01) continue;
        const double scale = 1.0 / std::sqrt(squared);
        return {float(q[0] * scale), float(q[1] * scale), float(q[2] * scale), float(q[3] * scale)};
    }
}

void add_fixed(Scene& scene, ShapeSpec spec, Vec3 position, Quat orientation) {
    scene.bodies.push_back({position, std::uint32_t(scene.shapes.size()), orientation});
    scene.shapes.push_back(std::move(spec));
    ++scene.fixed_bodies;
}

void add_fixed_box(Scene& scene, Vec3 half_extents, Vec3 position, Quat orientation) {
    ShapeSpec spec;
    spec.kind = ShapeKind::box;
    spec.extents = half_extents;
    add_fixed(scene, std::move(spec), position, orientation);
}

Scene make_pit(std::uint32_t count, std::uint64_t seed) {
    Random random(seed);
    Scene scene;
    const double width = kPitWidth * std::cbrt(count / kPitBodies);
    add_pit(scene, width);

    const auto first_shape = std::uint32_t(scene.shapes.size());
    for (auto* make : {make_sphere, make_capsule, make_box, make_hull}) {
        for (std::uint32_t i = 0; i < kShapesPerKind; ++i)
            scene.shapes.push_back(make(random.uniform(kMinSide, kMaxSide), random));
    }
    // Equal shares, well mixed: the grid's rows must not sort the kinds.
    std::vector<std::uint32_t> kinds(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t j = random.below(i + 1);
        kinds[i] = kinds[j];
        kinds[j] = i % 4;
    }
    const auto row = std::max(1u, std::uint32_t((width - kMaxSide) / kGridSpacing) + 1);
    const double first = -kGridSpacing * (row - 1) / 2;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t x = i % row, z = i / row % row, y = i / row / row;
        const Vec3 position = vec3(first + kGridSpacing * x, 0.5 + kGridSpacing * y, first + kGridSpacing * z);
        scene.bodies.push_back({position, first_shape + kinds[i] * kShapesPerKind + random.below(kShapesPerKind),
                                random_rotation(random)});
    }
    return scene;
}

}  // namespace abut::tools
