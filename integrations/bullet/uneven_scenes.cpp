#include "uneven_scenes.hpp"

#include <cmath>

#include "frustum.hpp"
#include "mesh_ground.hpp"
#include "random.hpp"
#include "scene_parts.hpp"

namespace abut::tools {
namespace {

constexpr std::uint64_t kSeed = 7;
constexpr double kRough = 0.8;  // friction, so that bodies hold on slopes of 30 degrees

ShapeSpec prism(int lateral_faces, double radius, double height) {
    return make_frustum(regular_polygon(lateral_faces, radius), 1, height);
}

// Shapes of 0.4 m that lie flat, and how high their origins then are.
constexpr double kFlatHeight = 0.15;
constexpr std::uint32_t kFlatShapes = 6;
std::uint32_t add_flat_shapes(Scene& scene) {
    const std::uint32_t first = add_box_shape(scene, vec3(0.2, kFlatHeight, 0.2));
    add_box_shape(scene, vec3(0.35, kFlatHeight, 0.12));
    add_shape(scene, round_shape(ShapeKind::cylinder, 0.22, kFlatHeight));
    for (const int lateral_faces : {5, 6, 12}) add_shape(scene, prism(lateral_faces, 0.22, 2 * kFlatHeight));
    return first;
}

// `add(x, z, i)` for a square of places about the origin.
template <class Add>
void for_square(std::uint32_t rows, double spacing, Add&& add) {
    for (std::uint32_t i = 0; i < rows * rows; ++i)
        add(spacing * (i % rows - 0.5 * (rows - 1)), spacing * (i / rows - 0.5 * (rows - 1)), i);
}

double four_decimals(double value) { return std::round(1e4 * value) / 1e4; }

}  // namespace

Scene planks_on_waves(std::uint32_t rows) {
    constexpr double kSpacing = 1.4, kCell = 0.5, kHigh = 0.15;
    const auto cells = std::uint32_t(std::ceil((kSpacing * rows + 2) / kCell));
    Scene scene = mesh_ground(cells, cells, kCell,
                              [](double x, double z) { return kHigh * std::sin(2 * x) * std::cos(1.6 * z); });
    scene.friction = kRough;
    scene.two_friction_directions = true;
    const std::uint32_t plank = add_box_shape(scene, vec3(0.5, 0.05, 0.1));
    Random random(kSeed);
    for_square(rows, kSpacing, [&](double x, double z, std::uint32_t) {
        scene.bodies.push_back(
            {vec3(x, kHigh + random.uniform(0.3, 0.8), z), plank, about_y(random.uniform(0, 2 * kPi))});
    });
    return scene;
}

Scene bodies_on_field(std::uint32_t rows) {
    constexpr double kSpacing = 1, kCell = 0.25, kRelief = 0.05;
    const auto cells = std::uint32_t(std::ceil((kSpacing * rows + 2) / kCell));
    ShapeSpec field;
    field.kind = ShapeKind::heightfield;
    field.rows = field.columns = cells + 1;
    field.spacing_x = field.spacing_z = float(kCell);
    Random random(kSeed);
    for (std::uint32_t i = 0; i < field.rows * field.columns; ++i)
        field.heights.push_back(float(random.uniform(0, kRelief)));
    Scene scene;
    add_fixed(scene, std::move(field), vec3(-0.5 * kCell * cells, 0, -0.5 * kCell * cells));
    scene.friction = kRough;
    scene.two_friction_directions = true;
    const std::uint32_t first = add_flat_shapes(scene);
    for_square(rows, kSpacing, [&](double x, double z, std::uint32_t i) {
        const double y = kRelief + kFlatHeight + random.uniform(0.05, 0.2);
        scene.bodies.push_back({vec3(x, y, z), first + i % kFlatShapes, about_y(random.uniform(0, 2 * kPi))});
    });
    return scene;
}

Scene bodies_on_pebbles(std::uint32_t rows) {
    constexpr double kSpacing = 1.2, kAside = 0.15;
    ShapeSpec ground;
    ground.kind = ShapeKind::halfspace;
    ground.extents = vec3(0, 1, 0);
    Scene scene;
    add_fixed(scene, std::move(ground), {});
    Random random(kSeed);
    std::vector<double> tops;
    for_square(rows, kSpacing, [&](double x, double z, std::uint32_t) {
        const double size = random.uniform(0.06, 0.12);
        ShapeSpec pebble = make_hull(size, random);
        double top = 0;
        for (const Vec3& v : pebble.vertices) top = std::max(top, double(v.y));
        tops.push_back(top);
        add_fixed(scene, std::move(pebble), vec3(x, 0, z));
    });
    scene.friction = kRough;
    scene.two_friction_directions = true;
    const std::uint32_t first = add_flat_shapes(scene);
    for_square(rows, kSpacing, [&](double x, double z, std::uint32_t i) {
        const double angle = random.uniform(0, 2 * kPi), y = tops[i] + kFlatHeight + 0.02;
        scene.bodies.push_back({vec3(x + kAside * std::cos(angle), y, z + kAside * std::sin(angle)),
                                first + i % kFlatShapes, about_y(random.uniform(0, 2 * kPi))});
    });
    return scene;
}

// The mesh is turned about two axes before it is saved, so that the decimals cut all three coordinates.
Scene ramp_of_decimals(std::uint32_t rows) {
    constexpr double kSlope = 12 * kPi / 180, kYaw = 0.3, kCell = 0.25, kSpacing = 1, kSpeed = 3, kLong = 24;
    const double cs = std::cos(kSlope), ss = std::sin(kSlope), cy = std::cos(kYaw), sy = std::sin(kYaw);
    // From (down the slope, off it, across it).
    const auto in_world = [&](double down, double off, double across) {
        const double x = cs * down + ss * off, y = -ss * down + cs * off;
        return vec3(cy * x + sy * across, y, -sy * x + cy * across);
    };
    const double wide = kSpacing * rows + 2;
    Scene scene;
    add_fixed(scene,
              grid_shape(
                  std::uint32_t(wide / kCell), std::uint32_t(kLong / kCell), kCell,
                  [&](double down, double across) {
        const Vec3 v = in_world(down, 0, across);
        return vec3(four_decimals(double(v.x)), four_decimals(double(v.y)), four_decimals(double(v.z)));
                  }),
              {});
    scene.friction = 0.5;  // of a pair 0.25, and the slope is 0.21: what slides stops after 13 m
    scene.two_friction_directions = true;
    scene.ground_normal = in_world(0, 1, 0);
    const std::uint32_t first = add_flat_shapes(scene);
    const Quat slope = about_z(-kSlope), yaw = about_y(kYaw);
    const Quat pose = {yaw.y * slope.z, yaw.y * slope.w, yaw.w * slope.z, yaw.w * slope.w};  // the yaw after the slope
    for (const bool slides : {false, true}) {
        for (std::uint32_t i = 0; i < 3 * rows; ++i) {
            const double down = -0.5 * kLong + (slides ? 4 : 1) + kSpacing * (i / rows),
                         across = kSpacing * (i % rows - 0.5 * (rows - 1));
            if (slides) scene.motions.push_back({std::uint32_t(scene.bodies.size()), in_world(kSpeed, 0, 0), {}});
            scene.bodies.push_back({in_world(down, kFlatHeight, across), first + i % kFlatShapes, pose});
        }
    }
    return scene;
}

Scene prisms_of_all_sides() {
    constexpr double kSpacing = 2;
    constexpr int kFewest = 5, kMost = 12, kStackBodies = 10;
    Scene scene = floor_scene(kSpacing * (kMost - kFewest + 1) / 2 + 2, 3);
    scene.stack_height = kStackBodies;
    for (int lateral_faces = kFewest; lateral_faces <= kMost; ++lateral_faces) {
        const std::uint32_t shape = add_shape(scene, prism(lateral_faces, 0.5, 1));
        const double x = kSpacing * (lateral_faces - 0.5 * (kFewest + kMost));
        for (int i = 0; i < kStackBodies; ++i) scene.bodies.push_back({vec3(x, i + 0.5, 0), shape, {}});
    }
    return scene;
}

}  // namespace abut::tools
