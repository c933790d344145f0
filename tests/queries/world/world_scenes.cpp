#include "queries/world/world_scenes.hpp"

#include <cmath>
#include <limits>

#include <abut/custom_shape.hpp>

#include "shapes/custom/coin.hpp"

namespace abut::worlds {

using oracle::Vec3d;
using scenes::Random;

namespace {

Vec3 to_float(const Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }
Vec3d point_in(Random& random, double half) {
    return {random.uniform(-half, half), random.uniform(-half, half), random.uniform(-half, half)};
}

// A closed ball of triangles about the origin.
void make_ball(std::uint32_t rings, std::uint32_t sectors, std::vector<Vec3>& vertices,
               std::vector<MeshTriangle>& triangles) {
    const double pi = 3.14159265358979;
    vertices.push_back({0, 1, 0});
    for (std::uint32_t r = 1; r < rings; ++r)
        for (std::uint32_t s = 0; s < sectors; ++s) {
            const double polar = pi * r / rings, around = 2 * pi * s / sectors;
            vertices.push_back({float(std::sin(polar) * std::cos(around)), float(std::cos(polar)),
                                float(std::sin(polar) * std::sin(around))});
        }
    vertices.push_back({0, -1, 0});
    const auto at = [&](std::uint32_t r, std::uint32_t s) { return 1 + (r - 1) * sectors + s % sectors; };
    const auto last = std::uint32_t(vertices.size() - 1);
    for (std::uint32_t s = 0; s < sectors; ++s) {
        triangles.push_back({{0, at(1, s + 1), at(1, s)}});
        triangles.push_back({{last, at(rings - 1, s), at(rings - 1, s + 1)}});
        for (std::uint32_t r = 1; r + 1 < rings; ++r) {
            triangles.push_back({{at(r, s), at(r, s + 1), at(r + 1, s)}});
            triangles.push_back({{at(r, s + 1), at(r + 1, s + 1), at(r + 1, s)}});
        }
    }
}

InstanceOptions options_of(Random& random, bool has_poses, float rounding = 0) {
    InstanceOptions options;
    options.rounding = rounding;
    if (has_poses) options.pose = {to_float(random.direction() * 0.3), random.orientation()};
    return options;
}

void add_convex(Scene& scene, Random& random, bool has_poses) {
    const auto add = [&](const Expected<ShapeId>& id) {
        if (id) scene.convex.push_back(*id);
    };
    const auto options = [&](float rounding = 0) { return options_of(random, has_poses, rounding); };
    add(scene.shapes.add_sphere(0.5f, options()));
    add(scene.shapes.add_capsule(0.25f, 0.5f, options()));
    add(scene.shapes.add_box({0.5f, 0.25f, 0.75f}, options()));
    add(scene.shapes.add_box({0.4f, 0.2f, 0.3f}, options(0.125f)));
    add(scene.shapes.add_cylinder(0.4f, 0.6f, options()));
    add(scene.shapes.add_cone(0.5f, 0.5f, options()));
    add(scene.shapes.add_ellipsoid({0.5f, 0.3f, 0.8f}, options()));
    std::vector<Vec3> points;
    for (int i = 0; i < 20; ++i) points.push_back(to_float(random.direction() * random.uniform(0.4, 0.7)));
    add(scene.shapes.add_hull(points, options()));
    add(scene.shapes.add_hull(points, options(0.1f)));
}

void add_others(Scene& scene, Random& random, bool has_poses) {
    const auto add = [&](const Expected<ShapeId>& id) {
        if (id) scene.all.push_back(*id);
    };
    const auto options = [&](float rounding = 0) { return options_of(random, has_poses, rounding); };
    add(scene.shapes.add_halfspace({0, 1, 0}, -3.0f));
    add(scene.shapes.add_custom(custom_shape<Coin>, {0.5f, 0.1f, 0}, options()));
    std::vector<CompoundChild> children;
    for (int i = 0; i < 5; ++i)
        children.push_back({scene.convex[random.below(7)], to_float(random.direction() * 0.6), random.orientation()});
    if (!has_poses) add(scene.shapes.add_compound(children));
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    make_ball(8, 12, vertices, triangles);
    add(scene.shapes.add_mesh(vertices, triangles, options()));
    add(scene.shapes.add_mesh(vertices, triangles, options(), {.sides = MeshSides::both}));
    add(scene.shapes.add_mesh(vertices, triangles, options(), {.solid = true}));
    add(scene.shapes.add_mesh(vertices, triangles, options(0.1f)));
    std::vector<float> heights;
    for (int i = 0; i < 36; ++i) heights.push_back(float(random.uniform(-0.3, 0.3)));
    add(scene.shapes.add_heightfield(heights, 6, 6, options(), {.spacing_x = 0.4f, .spacing_z = 0.5f}));
    add(scene.shapes.add_heightfield(heights, 6, 6, options(),
                                     {.spacing_x = 0.4f, .spacing_z = 0.5f, .thickness = 1.0f}));
}

}  // namespace

void Scene::build(const Boxes& filters) {
    bounds.resize(bodies.size());
    (void)world_bounds(shapes, bodies, bounds);
    Boxes boxes = filters;
    boxes.bounds = bounds;
    (void)tree.build(boxes);
}

void make_crowd(Scene& scene, std::size_t bodies, double half, std::uint64_t seed, bool surfaces, bool has_poses) {
    Random random(seed);
    add_convex(scene, random, has_poses);
    scene.all = scene.convex;
    if (surfaces) add_others(scene, random, has_poses);
    for (std::size_t i = 0; i < bodies; ++i) {
        const ShapeId shape = scene.all[random.below(std::uint32_t(scene.all.size()))];
        const Vec3d position = point_in(random, half);
        Body body = {to_float(position), shape, random.orientation()};
        // Half-spaces at the border, a few only: every ray ends in them.
        if (shape.kind() == ShapeKind::halfspace) {
            if (i % 4 != 0) body.shape = scene.convex[0];
            body.position = {0, float(-half), 0}, body.orientation = {};
        }
        if (i % 40 == 11) body.position.x = std::numeric_limits<float>::quiet_NaN();
        if (i % 40 == 21) body.orientation = {0, 0, 0, 0};
        if (i % 40 == 31) body.shape = ShapeId();
        scene.bodies.push_back(body);
    }
    scene.build();
}

void make_grid(Scene& scene, int edge) {
    const std::vector<Vec3> corners = {
        {-0.5f, 0.5f, -0.5f}, {-0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, -0.5f}};
    const std::vector<MeshTriangle> triangles = {{{0, 1, 2}}, {{0, 2, 3}}};
    for (const auto& id : {scene.shapes.add_box({0.5f, 0.5f, 0.5f}), scene.shapes.add_sphere(0.5f),
                           scene.shapes.add_box({0.25f, 0.25f, 0.25f}, {.rounding = 0.25f}),
                           scene.shapes.add_mesh(corners, triangles, {}, {.sides = MeshSides::both})})
        if (id) scene.all.push_back(*id);
    scene.convex = {scene.all[0], scene.all[1], scene.all[2]};
    for (int x = 0; x < edge; ++x)
        for (int y = 0; y < edge; ++y)
            for (int z = 0; z < edge; ++z)
                scene.bodies.push_back({{float(x) + 0.5f, float(y) + 0.5f, float(z) + 0.5f},
                                        scene.all[std::size_t(x + 2 * y + 3 * z) % scene.all.size()],
                                        {}});
    scene.build();
}

RaySet make_rays(std::size_t count, double half, std::uint64_t seed) {
    RaySet set;
    Random random(seed);
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d from = point_in(random, 1.5 * half), to = point_in(random, half),
                    along = i % 3 == 0 ? random.direction() * random.uniform(0.1, half) : (to - from) * 2.0;
        set.origins.push_back(to_float(from)), set.directions.push_back(to_float(along));
    }
    return set;
}

RaySet make_grid_rays(std::size_t count, int edge, std::uint64_t seed) {
    RaySet set;
    Random random(seed);
    const auto coordinate = [&] {
        const float at = 0.5f * float(random.below(std::uint32_t(2 * edge + 1)));
        const std::uint32_t beside = random.below(4);
        return beside == 0 ? std::nextafter(at, -1.0f) : beside == 1 ? at + float(random.uniform(-2e-8, 2e-8)) : at;
    };
    for (std::size_t i = 0; i < count; ++i) {
        float from[3], along[3] = {0, 0, 0};
        for (float& x : from) x = coordinate();
        const std::uint32_t axis = random.below(3);
        from[axis] = i % 2 == 0 ? -1.0f : float(edge) + 1.0f;
        along[axis] = (i % 2 == 0 ? 1.0f : -1.0f) * float(edge + 2);
        if (i % 5 == 0) along[(axis + 1) % 3] = along[axis] * float(random.below(3)) * 0.5f;
        set.origins.push_back({from[0], from[1], from[2]}), set.directions.push_back({along[0], along[1], along[2]});
    }
    return set;
}

std::vector<Pair> all_pairs(std::size_t items, std::size_t bodies) {
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < items; ++i)
        for (std::uint32_t k = 0; k < bodies; ++k) pairs.push_back({i, k});
    return pairs;
}

}  // namespace abut::worlds
