// Bodies are put where they touch those below and have a gap to those beside them.
#include "scenes.hpp"

#include <cmath>

#include "ground_scenes.hpp"
#include "mesh_scenes.hpp"
#include "random.hpp"
#include "scene_parts.hpp"
#include "stack_scenes.hpp"
#include "uneven_scenes.hpp"
#include "wall_scenes.hpp"

namespace abut::tools {
namespace {

constexpr double kGap = 0.01;  // metres
constexpr std::uint64_t kSeed = 1;
constexpr std::uint32_t kPileBodies = 2000, kHeapHulls = 300, kDominoes = 200;

Scene stack() {
    Scene scene = floor_scene(5, 5);
    const std::uint32_t box = add_box_shape(scene, vec3(0.5, 0.5, 0.5));
    for (int i = 0; i < 10; ++i) scene.bodies.push_back({vec3(0, 0.5 + i, 0), box, {}});
    return scene;
}

Scene pyramid() {
    constexpr int kRows = 20;
    constexpr double kHalf = 0.25, kSpacing = 2 * kHalf + kGap;
    Scene scene = floor_scene(8, 3);
    const std::uint32_t box = add_box_shape(scene, vec3(kHalf, kHalf, kHalf));
    for (int row = 0; row < kRows; ++row) {
        const int count = kRows - row;
        for (int i = 0; i < count; ++i) {
            scene.bodies.push_back({vec3(kSpacing * (i - 0.5 * (count - 1)), kHalf + 2 * kHalf * row, 0), box, {}});
        }
    }
    return scene;
}

// Every other row is shifted by half a brick and ends in half bricks.
Scene wall() {
    constexpr int kRows = 12, kColumns = 12;
    constexpr double kHalfX = 0.4, kHalfY = 0.2, kHalfZ = 0.2, kSpacing = 2 * kHalfX + kGap;
    Scene scene = floor_scene(8, 3);
    const std::uint32_t brick = add_box_shape(scene, vec3(kHalfX, kHalfY, kHalfZ));
    const std::uint32_t half_brick = add_box_shape(scene, vec3((kHalfX - kGap / 2) / 2, kHalfY, kHalfZ));
    for (int row = 0; row < kRows; ++row) {
        const double y = kHalfY + 2 * kHalfY * row, end = 0.5 * kSpacing * kColumns;
        const int shifted = row % 2, count = kColumns - shifted;
        for (int i = 0; i < count; ++i)
            scene.bodies.push_back({vec3(kSpacing * (i - 0.5 * (count - 1)), y, 0), brick, {}});
        if (!shifted) continue;
        for (const double side : {-1.0, 1.0})
            scene.bodies.push_back({vec3(side * (end - kSpacing / 4), y, 0), half_brick, {}});
    }
    return scene;
}

// The first leans past its balance.
Scene dominoes() {
    constexpr double kHalfX = 0.05, kHalfY = 0.5, kHalfZ = 0.25, kSpacing = 0.25, kLean = 12 * kPi / 180;
    const double length = kSpacing * (kDominoes - 1);
    Scene scene = floor_scene(length / 2 + 3, 3);
    const std::uint32_t domino = add_box_shape(scene, vec3(kHalfX, kHalfY, kHalfZ));
    for (std::uint32_t i = 0; i < kDominoes; ++i) {
        scene.bodies.push_back({vec3(kSpacing * i - length / 2, kHalfY, 0), domino, {}});
    }
    // Turned about its lower right edge.
    CaptureBody& first = scene.bodies[scene.fixed_bodies];
    const double x = -kHalfX * std::cos(kLean) + kHalfY * std::sin(kLean),
                 y = kHalfX * std::sin(kLean) + kHalfY * std::cos(kLean);
    first.position.x += float(kHalfX + x);
    first.position.y = float(y);
    first.orientation = about_z(-kLean);
    return scene;
}

Scene pile() { return make_pit(kPileBodies, kSeed); }

// Hulls that fall onto a slope of 10 degrees with a kerb along its lower end and its sides.
Scene heap() {
    constexpr double kSlope = 10 * kPi / 180, kHalf = 4, kHeight = 1, kThick = 0.25, kSpacing = 0.8;
    const double c = std::cos(kSlope), s = std::sin(kSlope);
    Scene scene;
    // (x, y) on the slope, its surface y = 0, rising towards +x.
    const auto add = [&](Vec3 half, double x, double y, double z) {
        add_fixed_box(scene, half, vec3(c * x - s * y, s * x + c * y, z), about_z(kSlope));
    };
    add(vec3(kHalf + 2 * kThick, 0.5, kHalf + 2 * kThick), 0, -0.5, 0);
    add(vec3(kThick, kHeight, kHalf), -kHalf - kThick, kHeight, 0);
    for (const double side : {-1.0, 1.0})
        add(vec3(kHalf + 2 * kThick, kHeight, kThick), 0, kHeight, side * (kHalf + kThick));

    Random random(kSeed);
    constexpr std::uint32_t kShapes = 64, kRow = 8;
    const auto first_shape = std::uint32_t(scene.shapes.size());
    for (std::uint32_t i = 0; i < kShapes; ++i) scene.shapes.push_back(make_hull(random.uniform(0.25, 0.75), random));
    for (std::uint32_t i = 0; i < kHeapHulls; ++i) {
        const double x = kSpacing * (i % kRow - 0.5 * (kRow - 1)), z = kSpacing * (i / kRow % kRow - 0.5 * (kRow - 1));
        const double y = 1.2 + kSpacing * (i / kRow / kRow);
        scene.bodies.push_back({vec3(x, y, z), first_shape + random.below(kShapes), random_rotation(random)});
    }
    return scene;
}

constexpr NamedScene kScenes[] = {
    {"stack", "10 boxes, one on another", Outcome::stands, 0.25, stack},
    {"pyramid", "20 rows of boxes", Outcome::stands, 0.25, pyramid},
    {"wall", "12 rows of bricks", Outcome::stands, 0.25, wall},
    {"dominoes", "200 in a row, the first of them leaning", Outcome::falls, 1.0, dominoes},
    {"pile", "2,000 mixed bodies in a pit", Outcome::rests, 0.6, pile},
    {"heap", "300 hulls on a slope", Outcome::rests, 0.6, heap},
    {"cylinder", "one that stands, on a half-space", Outcome::stands, 0.25, standing_cylinder},
    {"cone", "one that rolls about its apex, on a half-space", Outcome::rests, 0.6, rolling_cone},
    {"capsules", "10 that lie in a row, on a half-space", Outcome::stands, 0.25, lying_capsules},
    {"chair", "a compound of twelve boxes, on a half-space", Outcome::stands, 0.25, chair},
    {"cylinders5", "5 cylinders, one on another", Outcome::stands, 0.25, five_cylinders},
    {"cylinders10", "10 cylinders, one on another", Outcome::stands, 0.25, ten_cylinders},
    {"yawed", "10 boxes, one on another, every other one yawed by 45 degrees", Outcome::stands, 0.25, yawed_boxes},
    {"frusta", "10 hulls that taper upwards, one on another", Outcome::stands, 0.25, frusta},
    {"crates", "capsules that lie in 4 crates", Outcome::stands, 0.25, capsule_crates},
    {"boxes500", "50 stacks of 10 boxes, each with a random yaw", Outcome::stands, 0.25, box_stacks},
    {"prisms500", "50 stacks of 10 prisms of 12 sides, each with a random yaw", Outcome::stands, 0.25, prism_stacks},
    {"compounds", "2 stacks of 10 compounds of two boxes", Outcome::stands, 0.25, compound_stacks},
    {"cards", "a card house of three storeys", Outcome::stands, 0.25, card_house},
    {"prismwall", "10 rows of hexagonal prisms", Outcome::stands, 0.25, prism_wall},
    {"tower", "10 boxes of 1 cm, one on another", Outcome::stands, 0.25, tiny_tower, 0.005},
    {"sliding", "a box, a cylinder and a capsule that slide and a ball that rolls, on a flat mesh", Outcome::rests,
     0.75, sliding_bodies},
    {"bumps", "the same over bumps of 2 cm", Outcome::rests, 0.75, bumpy_ground},
    {"meshstacks", "10 boxes yawed by 45 degrees in turn and 10 cylinders, one on another, on a flat mesh",
     Outcome::stands, 0.25, stacks_on_mesh},
    {"terrain", "100 mixed bodies in a valley of a mesh", Outcome::rests, 0.6, terrain_pile},
    {"car", "a compound that slides across the waves of a mesh", Outcome::rests, 0.6, car},
    {"planks", "400 planks that fall onto the waves of a mesh", Outcome::rests, 0.5,
     [] { return planks_on_waves(20); }},
    {"field", "64 boxes, cylinders and prisms that fall onto a height field with a relief of 5 cm", Outcome::rests, 0.5,
     [] { return bodies_on_field(8); }},
    {"pebbles", "64 boxes, cylinders and prisms that fall onto a pebble each", Outcome::rests, 0.5,
     [] { return bodies_on_pebbles(8); }},
    {"ramp", "24 bodies at rest and 24 that slide on a ramp saved with four decimals", Outcome::rests, 0.6,
     [] { return ramp_of_decimals(8); }, 0.1, Measure::rise},
    {"prisms", "8 stacks of 10 prisms, of 5 to 12 lateral faces", Outcome::stands, 0.25, prisms_of_all_sides, 0.1,
     Measure::lean},
};

}  // namespace

std::span<const NamedScene> named_scenes() { return kScenes; }

}  // namespace abut::tools
