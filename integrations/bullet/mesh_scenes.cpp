#include "mesh_scenes.hpp"

#include <cmath>

#include "mesh_ground.hpp"
#include "random.hpp"
#include "scene_parts.hpp"

namespace abut::tools {
namespace {

constexpr std::uint64_t kSeed = 3;

void add_moving(Scene& scene, std::uint32_t shape, Vec3 position, Quat orientation, Vec3 velocity, Vec3 spin = {}) {
    scene.motions.push_back({std::uint32_t(scene.bodies.size()), velocity, spin});
    scene.bodies.push_back({position, shape, orientation});
}

// A box, a cylinder and a capsule that slide along x, and a ball that rolls.
void add_sliding_bodies(Scene& scene, double height) {
    constexpr double kSpeed = 4, kRadius = 0.3;
    scene.friction = 0.4;          // Bullet multiplies the two: 0.16
    scene.rolling_friction = 0.1;  // likewise: the ball stops on the ground
    const Vec3 velocity = vec3(kSpeed, 0, 0);
    add_moving(scene, add_box_shape(scene, vec3(0.3, 0.2, 0.25)), vec3(-5, height + 0.2, -3), about_y(0.3), velocity);
    add_moving(scene, add_shape(scene, round_shape(ShapeKind::cylinder, kRadius, 0.2)), vec3(-5, height + 0.2, -1), {},
               velocity);
    // Its axis along the way, so that it does not roll.
    add_moving(scene, add_shape(scene, round_shape(ShapeKind::capsule, kRadius, 0.4)), vec3(-5, height + kRadius, 1),
               about_z(std::acos(0.0)), velocity);
    add_moving(scene, add_shape(scene, round_shape(ShapeKind::sphere, kRadius, 0)), vec3(-5, height + kRadius, 3), {},
               vec3(1, 0, 0), vec3(0, 0, -1 / kRadius));
}

}  // namespace

Scene sliding_bodies() {
    Scene scene = mesh_ground(120, 120, 0.1, [](double, double) { return 0.0; });
    add_sliding_bodies(scene, 0);
    return scene;
}

Scene bumpy_ground() {
    constexpr double kHigh = 0.02;
    Scene scene =
        mesh_ground(120, 120, 0.1, [](double x, double z) { return kHigh * std::sin(3 * x) * std::cos(2.3 * z); });
    add_sliding_bodies(scene, kHigh);
    scene.two_friction_directions = true;
    return scene;
}

Scene stacks_on_mesh() {
    Scene scene = mesh_ground(50, 50, 0.37, [](double, double) { return 0.0; });
    const std::uint32_t box = add_box_shape(scene, vec3(0.5, 0.5, 0.5)),
                        cylinder = add_shape(scene, round_shape(ShapeKind::cylinder, 0.5, 0.5));
    for (int i = 0; i < 10; ++i) {
        scene.bodies.push_back({vec3(-2, i + 0.5, 0), box, about_y(i % 2 * std::acos(0.0) / 2)});
        scene.bodies.push_back({vec3(2, i + 0.5, 0), cylinder, {}});
    }
    return scene;
}

Scene terrain_pile() {
    constexpr std::uint32_t kRow = 5, kBodies = 100;
    constexpr double kSpacing = 0.8;
    Scene scene = mesh_ground(40, 40, 0.4, [](double x, double z) {
        return 0.06 * (x * x + z * z) + 0.08 * std::sin(3 * x) * std::cos(2 * z);
    });
    scene.rolling_friction = 0.02;  // capsules would roll to and fro for minutes
    scene.two_friction_directions = true;
    Random random(kSeed);
    const auto first_shape = std::uint32_t(scene.shapes.size());
    for (int i = 0; i < 8; ++i) {
        add_shape(scene, make_hull(random.uniform(0.3, 0.7), random));
        add_box_shape(scene, vec3(random.uniform(0.15, 0.3), random.uniform(0.15, 0.3), random.uniform(0.15, 0.3)));
        add_shape(scene, round_shape(ShapeKind::capsule, random.uniform(0.1, 0.2), random.uniform(0.1, 0.25)));
    }
    for (std::uint32_t i = 0; i < kBodies; ++i) {
        const double x = kSpacing * (i % kRow - 0.5 * (kRow - 1)), z = kSpacing * (i / kRow % kRow - 0.5 * (kRow - 1));
        scene.bodies.push_back(
            {vec3(x, 1.5 + kSpacing * (i / kRow / kRow), z), first_shape + random.below(24), random_rotation(random)});
    }
    return scene;
}

Scene car() {
    constexpr double kWheel = 0.3;
    Scene scene = mesh_ground(100, 100, 0.2, [](double x, double) { return 0.15 * std::sin(1.5 * x); });
    ShapeSpec spec;
    spec.kind = ShapeKind::compound;
    spec.children.push_back(box_child(vec3(0.9, 0.2, 0.45), vec3(0, 0.1, 0)));
    for (const double x : {-0.6, 0.6}) {
        for (const double z : {-0.45, 0.45}) {
            ChildSpec wheel;
            wheel.shape = round_shape(ShapeKind::sphere, kWheel, 0);
            wheel.position = vec3(x, -0.2, z);
            spec.children.push_back(std::move(wheel));
        }
    }
    scene.friction = 0.3;
    scene.two_friction_directions = true;  // on a slope one lets bodies creep
    add_moving(scene, add_shape(scene, std::move(spec)), vec3(-6, 0.8, 0.1), {}, vec3(4, 0, 0));
    return scene;
}

}  // namespace abut::tools
