#include "uneven.hpp"

#include <algorithm>
#include <numbers>
#include <string>
#include <utility>

#include "scenes/random.hpp"

namespace abut::solver {
namespace {

using scenes::Random;

constexpr std::uint64_t kSeed = 17;
constexpr double kPi = std::numbers::pi, kDensity = 1000, kFlatHeight = 0.15, kRelief = 0.05;

Quatd about(const Vec3d& axis, double angle) {
    const Vec3d v = axis * std::sin(angle / 2);
    return {v.x, v.y, v.z, std::cos(angle / 2)};
}
Quatd product(const Quatd& p, const Quatd& q) {
    const Vec3d u{p.x, p.y, p.z}, v{q.x, q.y, q.z}, w = v * p.w + u * q.w + cross(u, v);
    return {w.x, w.y, w.z, p.w * q.w - dot(u, v)};
}

std::vector<Vec3> prism_points(int lateral_faces, double radius, double half_height) {
    std::vector<Vec3> points;
    for (int i = 0; i < lateral_faces; ++i) {
        const double angle = 2 * kPi * i / lateral_faces;
        for (const double y : {-half_height, half_height})
            points.push_back({float(radius * std::cos(angle)), float(y), float(radius * std::sin(angle))});
    }
    return points;
}

// Bodies of some 0.4 m that lie flat, their origins at kFlatHeight.
std::vector<Solid> flat_bodies(World& world) {
    const auto half = float(kFlatHeight);
    std::vector<Solid> all = {add_box(world.shapes, {0.2f, half, 0.2f}), add_box(world.shapes, {0.35f, half, 0.12f}),
                              add_cylinder(world.shapes, 0.22f, half)};
    for (const int lateral_faces : {5, 6, 12})
        all.push_back(add_hull(world.shapes, prism_points(lateral_faces, 0.22, kFlatHeight)));
    return all;
}

void add(World& world, const Solid& solid, const Vec3d& position, const Quatd& orientation) {
    world.add(solid, kDensity * solid.moments.volume, position, orientation);
}

// A grid of squares, two triangles each, about the origin; `vertex(x, z)` is where the corner at (x, z) lies.
template <class Vertex>
void add_grid(World& world, double wide_x, double wide_z, double cell, Vertex&& vertex) {
    const auto columns = std::uint32_t(std::ceil(wide_x / cell)), rows = std::uint32_t(std::ceil(wide_z / cell));
    Triangles grid;
    for (std::uint32_t r = 0; r <= rows; ++r)
        for (std::uint32_t c = 0; c <= columns; ++c) {
            const Vec3d v = vertex(cell * (c - 0.5 * columns), cell * (r - 0.5 * rows));
            grid.vertices.push_back({float(v.x), float(v.y), float(v.z)});
        }
    for (std::uint32_t r = 0; r < rows; ++r)
        for (std::uint32_t c = 0; c < columns; ++c) {
            const std::uint32_t a = r * (columns + 1) + c, b = a + columns + 1;
            grid.triangles.push_back({{a, b, b + 1}});
            grid.triangles.push_back({{a, b + 1, a + 1}});
        }
    world.add_static(*world.shapes.add_mesh(grid.vertices, grid.triangles), {});
}

// `add(x, z, i)` for rows x rows points about the origin.
template <class Add>
void for_square(int rows, double spacing, Add&& add_at) {
    for (int i = 0; i < rows * rows; ++i)
        add_at(spacing * (i % rows - 0.5 * (rows - 1)), spacing * (i / rows - 0.5 * (rows - 1)), std::size_t(i));
}

Quatd any_yaw(Random& random) { return about({0, 1, 0}, random.uniform(0, 2 * kPi)); }

constexpr double kSlope = 12 * kPi / 180, kRampYaw = 0.3;
Quatd ramp_pose() { return product(about({0, 1, 0}, kRampYaw), about({0, 0, 1}, -kSlope)); }
Vec3d on_ramp(const Vec3d& v) {
    const Quatd q = ramp_pose();
    const Vec3d u{q.x, q.y, q.z}, t = cross(u, v) * 2;
    return v + t * q.w + cross(u, t);
}

}  // namespace

void planks_on_waves(World& world, int rows) {
    constexpr double kSpacing = 1.4, kHigh = 0.15;
    const double wide = kSpacing * rows + 2;
    add_grid(world, wide, wide, 0.5, [](double x, double z) {
        return Vec3d{x, kHigh * std::sin(2 * x) * std::cos(1.6 * z), z};
    });
    const Solid plank = add_box(world.shapes, {0.5f, 0.05f, 0.1f});
    Random random(kSeed);
    for_square(rows, kSpacing, [&](double x, double z, std::size_t) {
        const double y = kHigh + random.uniform(0.3, 0.8);
        add(world, plank, {x, y, z}, any_yaw(random));
    });
}

void bodies_on_field(World& world, int rows) {
    constexpr double kSpacing = 1, kCell = 0.25;
    const auto side = std::uint32_t(std::ceil((kSpacing * rows + 2) / kCell)) + 1;
    Random random(kSeed);
    std::vector<float> heights(side * side);
    for (float& height : heights) height = float(random.uniform(0, kRelief));
    const double half = 0.5 * kCell * (side - 1);
    world.add_static(
        *world.shapes.add_heightfield(heights, side, side, {}, {.spacing_x = float(kCell), .spacing_z = float(kCell)}),
        {-half, 0, -half});
    const std::vector<Solid> solids = flat_bodies(world);
    for_square(rows, kSpacing, [&](double x, double z, std::size_t i) {
        const double y = kRelief + kFlatHeight + random.uniform(0.05, 0.2);
        add(world, solids[i % solids.size()], {x, y, z}, any_yaw(random));
    });
}

void bodies_on_ridges(World& world, int rows) {
    constexpr double kSpacing = 1.2, kCell = 0.2;
    const double wide = kSpacing * rows + 2;
    add_grid(world, wide, wide, kCell, [](double x, double z) {
        return Vec3d{x, std::lround(x / kCell + 1000.25) % 2 == 0 ? kRelief : 0.0, z};
    });
    std::vector<Solid> solids = flat_bodies(world);
    solids.push_back(add_box(world.shapes, {0.5f, float(kFlatHeight), 0.1f}));
    Random random(kSeed);
    for_square(rows, kSpacing, [&](double x, double z, std::size_t i) {
        const double y = kRelief + kFlatHeight + random.uniform(0.02, 0.1);
        add(world, solids[i % solids.size()], {x, y, z}, any_yaw(random));
    });
}

void bodies_on_pebbles(World& world, int rows) {
    constexpr double kSpacing = 1.2, kAside = 0.15;
    constexpr int kPoints = 12;
    world.add_static(*world.shapes.add_halfspace({0, 1, 0}, 0), {});
    const std::vector<Solid> solids = flat_bodies(world);
    Random random(kSeed);
    for_square(rows, kSpacing, [&](double x, double z, std::size_t i) {
        const double radius = random.uniform(0.03, 0.06);
        std::vector<Vec3> points;
        double top = 0;
        for (int k = 0; k < kPoints; ++k) {
            const Vec3d p = random.direction() * radius;
            points.push_back({float(p.x), float(p.y), float(p.z)});
            top = std::max(top, p.y);
        }
        world.add_static(add_hull(world.shapes, points).shape, {x, 0, z});
        const double angle = random.uniform(0, 2 * kPi);
        add(world, solids[i % solids.size()],
            {x + kAside * std::cos(angle), top + kFlatHeight + 0.02, z + kAside * std::sin(angle)}, any_yaw(random));
    });
}

// The mesh is rotated about two axes before it is saved, so that the decimals cut all three coordinates.
void ramp_of_decimals(World& world, int rows, int decimals) {
    constexpr double kSpacing = 1, kSpeed = 3, kLong = 24;
    const double scale = std::pow(10.0, decimals);
    add_grid(world, kLong, kSpacing * rows + 2, 0.25, [&](double down, double across) {
        const Vec3d v = on_ramp({down, 0, across});
        return Vec3d{std::round(scale * v.x) / scale, std::round(scale * v.y) / scale, std::round(scale * v.z) / scale};
    });
    const std::vector<Solid> solids = flat_bodies(world);
    for (const bool slides : {false, true})
        for (int i = 0; i < 3 * rows; ++i) {
            const double down = -0.5 * kLong + (slides ? 4 : 1) + kSpacing * (i / rows),
                         across = kSpacing * (i % rows - 0.5 * (rows - 1));
            add(world, solids[std::size_t(i) % solids.size()], on_ramp({down, kFlatHeight, across}), ramp_pose());
            if (slides) world.bodies.back().velocity = on_ramp({kSpeed, 0, 0});
        }
}

Vec3d ramp_normal() { return on_ramp({0, 1, 0}); }

void prism_stack(World& world, int lateral_faces) {
    const Solid prism = add_hull(world.shapes, prism_points(lateral_faces, 0.5, 0.5));
    for (int i = 0; i < kPrismsInStack; ++i) world.add(prism, 1000, {0, i + 0.5, 0});
}

std::vector<Stack> uneven_stacks() {
    std::vector<Stack> all;
    const auto add_scene = [&](const char* name, const char* what, void (*build)(World&)) -> Stack& {
        Stack stack;
        stack.name = name, stack.what = what;
        stack.uneven = stack.falls = true;
        stack.on_triangles = true;
        stack.size = 0.4;
        stack.build = build;
        all.push_back(std::move(stack));
        return all.back();
    };
    add_scene("planks/waves", "400 planks that fall onto a mesh of waves", [](World& w) { planks_on_waves(w, 20); });
    add_scene("bodies/field", "64 bodies that fall onto a height field with a relief of 5 cm",
              [](World& w) { bodies_on_field(w, 8); });
    add_scene("bodies/ridges", "64 bodies that fall onto ridges of 5 cm", [](World& w) { bodies_on_ridges(w, 8); });
    add_scene("bodies/pebbles", "64 bodies that fall onto a pebble each", [](World& w) { bodies_on_pebbles(w, 8); });
    const auto add_ramp = [&](const char* name, const char* what, void (*build)(World&)) {
        Stack& stack = add_scene(name, what, build);
        stack.friction = kRampFriction;
        stack.ground_normal = ramp_normal();
    };
    add_ramp("ramp/3-decimals", "24 bodies at rest and 24 that slide on a ramp saved with 3 decimals",
             [](World& w) { ramp_of_decimals(w, 8, 3); });
    add_ramp("ramp/4-decimals", "the same, 4 decimals", [](World& w) { ramp_of_decimals(w, 8, 4); });
    add_ramp("ramp/6-decimals", "the same, 6 decimals", [](World& w) { ramp_of_decimals(w, 8, 6); });
    for (int lateral_faces = 5; lateral_faces <= 12; ++lateral_faces) {
        Stack stack;
        stack.name = "prisms-" + std::to_string(lateral_faces) + "/box";
        stack.what = "10 prisms of " + std::to_string(lateral_faces) + " lateral faces, aligned";
        stack.uneven = true;
        stack.stack_height = kPrismsInStack;
        stack.build = [lateral_faces](World& world) {
            world.add_static(*world.shapes.add_box({20, 1, 20}), {0, -1, 0});
            prism_stack(world, lateral_faces);
        };
        all.push_back(std::move(stack));
    }
    return all;
}

}  // namespace abut::solver
