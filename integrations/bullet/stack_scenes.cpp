// Bodies are put where they touch those below.
#include "stack_scenes.hpp"

#include <cmath>

#include "frustum.hpp"
#include "random.hpp"
#include "scene_parts.hpp"

namespace abut::tools {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr int kStackBodies = 10;

// Bodies of one height, one on another.
void add_stack(Scene& scene, std::uint32_t shape, double height, int count) {
    for (int i = 0; i < count; ++i) scene.bodies.push_back({vec3(0, height * (i + 0.5), 0), shape, {}});
}

Scene cylinders(int count) {
    Scene scene = floor_scene(5, 5);
    add_stack(scene, add_shape(scene, round_shape(ShapeKind::cylinder, 0.5, 0.5)), 1, count);
    return scene;
}

// Stacks of bodies of height 1 m, each body with a yaw of its own.
Scene grid_of_stacks(ShapeSpec spec) {
    constexpr int kStacksX = 10, kStacksZ = 5;
    constexpr double kSpacing = 2;
    Scene scene = floor_scene(kSpacing * kStacksX / 2 + 2, kSpacing * kStacksZ / 2 + 2);
    const std::uint32_t shape = add_shape(scene, std::move(spec));
    Random random(kSeed);
    for (int x = 0; x < kStacksX; ++x) {
        for (int z = 0; z < kStacksZ; ++z) {
            const double at_x = kSpacing * (x - 0.5 * (kStacksX - 1)), at_z = kSpacing * (z - 0.5 * (kStacksZ - 1));
            for (int i = 0; i < kStackBodies; ++i)
                scene.bodies.push_back({vec3(at_x, i + 0.5, at_z), shape, about_y(random.uniform(0, 2 * kPi))});
        }
    }
    return scene;
}

// Capsules lie in crates that are open at the top and never move.
constexpr double kCapsuleRadius = 0.2, kCapsuleHalf = 0.6, kLooseness = 0.004;
constexpr int kCapsulesInRow = 4, kLayers = 5;
// A layer is as wide as its capsules are long, so that the next may lie across.
constexpr double kCrateHalf = kCapsuleRadius * kCapsulesInRow + kLooseness / 2;
static_assert(2 * kCapsuleRadius * kCapsulesInRow == 2 * (kCapsuleRadius + kCapsuleHalf));

void add_crate_walls(Scene& scene, double x) {
    constexpr double kThick = 0.1, kHeight = 1;
    for (const double side : {-1.0, 1.0}) {
        const double at = side * (kCrateHalf + kThick);
        add_fixed_box(scene, vec3(kThick, kHeight, kCrateHalf + 2 * kThick), vec3(x + at, kHeight, 0));
        add_fixed_box(scene, vec3(kCrateHalf, kHeight, kThick), vec3(x, kHeight, at));
    }
}

// Along z; the odd layers lie in the grooves of the even ones and have one less.
void fill_nested(Scene& scene, std::uint32_t capsule, double x) {
    const double spacing = (2 * kCrateHalf - 2 * kCapsuleRadius) / (kCapsulesInRow - 1);
    const double rise = std::sqrt(4 * kCapsuleRadius * kCapsuleRadius - spacing * spacing / 4);
    // From +y to +z.
    const Quat along_z = {float(std::sqrt(0.5)), 0, 0, float(std::sqrt(0.5))};
    for (int layer = 0; layer < kLayers; ++layer) {
        const int count = kCapsulesInRow - layer % 2;
        for (int i = 0; i < count; ++i) {
            scene.bodies.push_back(
                {vec3(x + spacing * (i - 0.5 * (count - 1)), kCapsuleRadius + rise * layer, 0), capsule, along_z});
        }
    }
}

// The layers along x and along z in turn.
void fill_crossed(Scene& scene, std::uint32_t capsule, double x) {
    const double spacing = (2 * kCrateHalf - 2 * kCapsuleRadius) / (kCapsulesInRow - 1);
    const Quat along_x = about_z(kPi / 2), along_z = {float(std::sqrt(0.5)), 0, 0, float(std::sqrt(0.5))};
    for (int layer = 0; layer < kLayers; ++layer) {
        const double y = kCapsuleRadius * (1 + 2 * layer);
        for (int i = 0; i < kCapsulesInRow; ++i) {
            const double at = spacing * (i - 0.5 * (kCapsulesInRow - 1));
            if (layer % 2 == 0)
                scene.bodies.push_back({vec3(x + at, y, 0), capsule, along_z});
            else
                scene.bodies.push_back({vec3(x, y, at), capsule, along_x});
        }
    }
}

}  // namespace

Scene five_cylinders() { return cylinders(5); }
Scene ten_cylinders() { return cylinders(kStackBodies); }

Scene yawed_boxes() {
    Scene scene = floor_scene(5, 5);
    const std::uint32_t box = add_box_shape(scene, vec3(0.5, 0.5, 0.5));
    for (int i = 0; i < kStackBodies; ++i)
        scene.bodies.push_back({vec3(0, 0.5 + i, 0), box, about_y(i % 2 == 0 ? 0 : kPi / 4)});
    return scene;
}

// The wide end below.
Scene frusta() {
    constexpr double kRadius = 0.5, kTop = 0.8, kHeight = 0.6;
    constexpr int kSides = 8;
    Scene scene = floor_scene(5, 5);
    const std::uint32_t frustum = add_shape(scene, make_frustum(regular_polygon(kSides, kRadius), kTop, kHeight));
    for (int i = 0; i < kStackBodies; ++i)
        scene.bodies.push_back({vec3(0, frustum_centre(kTop, kHeight) + kHeight * i, 0), frustum, {}});
    return scene;
}

Scene capsule_crates() {
    constexpr double kSpacing = 3;
    constexpr int kCrates = 4;
    Scene scene = floor_scene(kSpacing * kCrates / 2 + 1, 3);
    const auto x_of = [](int crate) { return kSpacing * (crate - 0.5 * (kCrates - 1)); };
    for (int i = 0; i < kCrates; ++i) add_crate_walls(scene, x_of(i));
    const std::uint32_t capsule = add_shape(scene, round_shape(ShapeKind::capsule, kCapsuleRadius, kCapsuleHalf));
    for (int i = 0; i < kCrates; ++i) (i % 2 == 0 ? fill_nested : fill_crossed)(scene, capsule, x_of(i));
    return scene;
}

Scene box_stacks() { return grid_of_stacks(box_shape(vec3(0.5, 0.5, 0.5))); }
Scene prism_stacks() { return grid_of_stacks(make_frustum(regular_polygon(12, 0.5), 1, 1)); }

// One stack of pairs of logs, each across the pair below, and one of slabs with a foot.
Scene compound_stacks() {
    constexpr double kLogHalf = 0.15, kLogLength = 0.5, kLogAt = 0.35;
    constexpr double kSlabHalf = 0.1, kFootHalf = 0.2, kFootWide = 0.3, kSlabWide = 0.5, kApart = 1.5;
    Scene scene = floor_scene(5, 5);
    ShapeSpec logs, slab;
    logs.kind = slab.kind = ShapeKind::compound;
    for (const double side : {-kLogAt, kLogAt})
        logs.children.push_back(box_child(vec3(kLogHalf, kLogHalf, kLogLength), vec3(side, 0, 0)));
    // The masses are as the volumes: heights above the foot's lower end, then about the centre of mass.
    constexpr double kFootMass = kFootHalf * kFootWide * kFootWide, kSlabMass = kSlabHalf * kSlabWide * kSlabWide;
    constexpr double kFootAt = kFootHalf, kSlabAt = 2 * kFootHalf + kSlabHalf;
    constexpr double kCentre = (kFootMass * kFootAt + kSlabMass * kSlabAt) / (kFootMass + kSlabMass);
    slab.children.push_back(box_child(vec3(kFootWide, kFootHalf, kFootWide), vec3(0, kFootAt - kCentre, 0)));
    slab.children.push_back(box_child(vec3(kSlabWide, kSlabHalf, kSlabWide), vec3(0, kSlabAt - kCentre, 0)));
    const std::uint32_t logs_shape = add_shape(scene, std::move(logs)), slab_shape = add_shape(scene, std::move(slab));
    for (int i = 0; i < kStackBodies; ++i) {
        const Quat turned = about_y(i % 2 == 0 ? 0 : kPi / 2);
        scene.bodies.push_back({vec3(-kApart, kLogHalf * (1 + 2 * i), 0), logs_shape, turned});
    }
    for (int i = 0; i < kStackBodies; ++i)
        scene.bodies.push_back({vec3(kApart, kCentre + 2 * (kFootHalf + kSlabHalf) * i, 0), slab_shape, {}});
    return scene;
}

Scene tiny_tower() {
    constexpr double kHalf = 0.005;
    Scene scene = floor_scene(1, 1);
    // As bodies of 1 m with 4 substeps, times the square root of the size; and what creeps by 5 mm falls.
    scene.substeps = 40;
    scene.two_friction_directions = true;
    add_stack(scene, add_box_shape(scene, vec3(kHalf, kHalf, kHalf)), 2 * kHalf, kStackBodies);
    return scene;
}

}  // namespace abut::tools
