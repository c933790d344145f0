#include "scene.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace abut::scenes {
namespace {

// The same numbers everywhere: SplitMix64 [Steele, Lea, Flood 2014].
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    float operator()(float low, float high) {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return low + (high - low) * float(double((z ^ z >> 31) >> 11) * 0x1p-53);
    }

private:
    std::uint64_t state_;
};

void add_box(Scene& scene, Vec3 half, Vec3 at, Quat orientation = {}) {
    scene.bodies.push_back({at, *scene.shapes.add_box(half), orientation});
}

ShapeId add_hull(Scene& scene, Random& random, float radius) {
    std::vector<Vec3> points;
    while (points.size() < 12) {
        const Vec3 p = {random(-1, 1), random(-1, 1), random(-1, 1)};
        const float squared = p.x * p.x + p.y * p.y + p.z * p.z;
        if (squared < 0.1f || squared > 1) continue;
        const float by = radius / std::sqrt(squared);
        points.push_back({p.x * by, p.y * by, p.z * by});
    }
    return *scene.shapes.add_hull(points);
}

Quat random_rotation(Random& random) {
    for (;;) {
        const Quat q = {random(-1, 1), random(-1, 1), random(-1, 1), random(-1, 1)};
        const float squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
        if (squared < 0.1f || squared > 1) continue;
        const float by = 1 / std::sqrt(squared);
        return {q.x * by, q.y * by, q.z * by, q.w * by};
    }
}

// Every fourth is a sphere, a capsule, a box, a hull.
ShapeId mixed_shape(Scene& scene, std::size_t number, Random& random) {
    switch (number % 4) {
        case 0: return *scene.shapes.add_sphere(random(0.2f, 0.35f));
        case 1: return *scene.shapes.add_capsule(random(0.15f, 0.25f), random(0.1f, 0.25f));
        case 2: return *scene.shapes.add_box({random(0.15f, 0.35f), random(0.15f, 0.35f), random(0.15f, 0.35f)});
        default: return add_hull(scene, random, random(0.25f, 0.4f));
    }
}

// A mesh of cells of `cell` metres about the origin, as high as height(x, z) says.
template <class Height>
void add_ground(Scene& scene, int cells, float cell, const Height& height) {
    const auto row = std::uint32_t(cells) + 1;
    for (int i = 0; i <= cells; ++i)
        for (int k = 0; k <= cells; ++k) {
            const float x = (float(i) - float(cells) / 2) * cell, z = (float(k) - float(cells) / 2) * cell;
            scene.vertices.push_back({x, height(x, z), z});
        }
    for (std::uint32_t i = 0; i + 1 < row; ++i)
        for (std::uint32_t k = 0; k + 1 < row; ++k) {
            const std::uint32_t a = i * row + k, b = a + row;
            scene.triangles.push_back({{a, a + 1, b + 1}});
            scene.triangles.push_back({{a, b + 1, b}});
        }
    scene.bodies.push_back({{}, *scene.shapes.add_mesh(scene.vertices, scene.triangles), {}});
}

Scene named(const char* name, const char* what) {
    Scene scene;
    scene.name = name, scene.what = what;
    return scene;
}

Scene make_stack() {
    Scene scene = named("stack", "10 boxes");
    add_box(scene, {10, 0.5f, 10}, {0, -0.5f, 0});
    scene.first_moving = 1;
    for (int i = 0; i < 10; ++i) add_box(scene, {0.5f, 0.5f, 0.5f}, {0, 0.5f + float(i), 0});
    return scene;
}

Scene make_pyramid() {
    Scene scene = named("pyramid", "78 boxes");
    add_box(scene, {20, 0.5f, 10}, {0, -0.5f, 0});
    scene.first_moving = 1;
    for (int row = 0; row < 12; ++row)
        for (int i = 0; i < 12 - row; ++i)
            add_box(scene, {0.5f, 0.5f, 0.5f}, {1.1f * (float(i) - float(11 - row) / 2), 0.5f + float(row), 0});
    return scene;
}

Scene make_pile() {
    Scene scene = named("pile", "200 mixed bodies in a pit");
    add_box(scene, {4, 0.5f, 4}, {0, -0.5f, 0});
    for (const float at : {-3.0f, 3.0f}) {
        add_box(scene, {0.5f, 3, 4}, {at, 3, 0});
        add_box(scene, {4, 3, 0.5f}, {0, 3, at});
    }
    scene.first_moving = 5;
    Random random(1);
    for (int i = 0; i < 200; ++i) {
        const Vec3 at = {1.1f * (float(i % 4) - 1.5f) + random(-0.1f, 0.1f), 0.6f + 0.8f * float(i / 16),
                         1.1f * (float(i / 4 % 4) - 1.5f)};
        const ShapeId shape = mixed_shape(scene, std::size_t(i / 4 + i), random);
        scene.bodies.push_back({at, shape, random_rotation(random)});
    }
    return scene;
}

Scene make_rough() {
    Scene scene = named("rough", "64 mixed bodies on a mesh of cells of 0.25 m, 5 cm high at random");
    Random random(2);
    add_ground(scene, 64, 0.25f, [&](float, float) { return random(0, 0.05f); });
    scene.first_moving = 1;
    for (int i = 0; i < 64; ++i) {
        const Vec3 at = {1.5f * (float(i % 8) - 3.5f), 0.6f, 1.5f * (float(i / 8) - 3.5f)};
        const ShapeId shape = mixed_shape(scene, std::size_t(i / 8 + i), random);
        scene.bodies.push_back({at, shape, random_rotation(random)});
    }
    return scene;
}

Scene make_ramp() {
    Scene scene = named("ramp", "24 boxes and hulls on a mesh with a slope of 12 degrees");
    const float slope = std::tan(0.20943951f);
    add_ground(scene, 40, 0.5f, [&](float x, float) { return x * slope; });
    scene.first_moving = 1;
    Random random(3);
    const Quat tilted = {0, 0, std::sin(0.104719755f), std::cos(0.104719755f)};
    for (int i = 0; i < 24; ++i) {
        const float x = 1.5f * (float(i % 6) - 2.5f), z = 1.5f * (float(i / 6) - 1.5f);
        const ShapeId shape = i % 2 == 0 ? *scene.shapes.add_box({0.3f, 0.2f, 0.25f}) : add_hull(scene, random, 0.3f);
        scene.bodies.push_back({{x, x * slope + (i % 2 == 0 ? 0.22f : 0.35f), z}, shape, tilted});
    }
    return scene;
}

}  // namespace

std::vector<Vec3> Scene::hull_points(ShapeId hull) const {
    std::vector<Vec3> points(shapes.view(hull).hull.vertices);
    points.resize(shapes.hull_vertices(hull, points));
    return points;
}

std::vector<Scene> make_scenes() {
    std::vector<Scene> scenes;
    for (Scene (*const make)() : {make_stack, make_pyramid, make_pile, make_rough, make_ramp}) scenes.push_back(make());
    return scenes;
}

float deepest(const Scene& scene, const std::vector<Body>& bodies) {
    std::vector<Bounds> bounds(bodies.size());
    std::vector<std::uint8_t> moving(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) moving[i] = scene.moves(i);
    BroadPhase broad;
    PairList pairs;
    NarrowPhase narrow;
    Distances found;
    Boxes boxes{bounds};
    boxes.moving = moving;
    if (!world_bounds(scene.shapes, bodies, bounds) || !broad.find_pairs(boxes, pairs) ||
        !narrow.distance({&scene.shapes, bodies, pairs.pairs}, found))
        return INFINITY;
    float least = 0;
    for (const float distance : found.signed_distance) least = std::min(least, distance);
    return -least;
}

Run run(const Scene& scene, World& world, int steps) {
    Run result;
    std::vector<Body> bodies = scene.bodies;
    result.moving = bodies.size() - scene.first_moving;
    for (int step = 1; step <= steps; ++step) {
        world.step();
        result.asleep = 0;
        for (std::uint32_t i = scene.first_moving; i < bodies.size(); ++i) result.asleep += world.is_asleep(i);
        if (result.asleep == result.moving && result.steps_until_rest < 0) result.steps_until_rest = step;
        if (step * kStep < 1 || step % 10 != 0) continue;
        world.read_poses(bodies);
        result.penetration = std::max(result.penetration, deepest(scene, bodies));
    }
    result.pairs_per_step = double(world.narrow_pairs()) / steps;
    result.nanoseconds_per_pair = 1e9 * world.narrow_seconds() / double(std::max<std::size_t>(world.narrow_pairs(), 1));
    return result;
}

void print_head() {
    std::printf("%-8s %-10s %10s %9s %14s %12s %9s\n", "scene", "functions", "rest after", "asleep", "penetration mm",
                "pairs a step", "ns a pair");
}

void print_row(const Scene& scene, const char* functions, const Run& run) {
    char rest[16] = "never";
    if (run.steps_until_rest >= 0) std::snprintf(rest, sizeof rest, "%d", run.steps_until_rest);
    std::printf("%-8s %-10s %10s %4zu/%4zu %14.2f %12.1f %9.0f\n", scene.name.c_str(), functions, rest, run.asleep,
                run.moving, 1000 * double(run.penetration), run.pairs_per_step, run.nanoseconds_per_pair);
    std::fflush(stdout);
}

}  // namespace abut::scenes
