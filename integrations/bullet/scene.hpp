// Scenes for Bullet's world: what the recorder records and what the adapter is judged by.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "capture.hpp"
#include "shape_spec.hpp"

namespace abut::tools {

class Random;

// What a body sets out with, in world axes.
struct Motion {
    std::uint32_t body = 0;
    Vec3 velocity, spin;  // m/s, rad/s
};

struct Scene {
    std::vector<ShapeSpec> shapes;
    std::vector<CaptureBody> bodies;
    std::uint32_t fixed_bodies = 0;  // floor and walls come first, and never move
    std::vector<Motion> motions;     // of what is not still at first
    double friction = 0.5;           // of every body; Bullet multiplies the two of a pair
    double rolling_friction = 0;     // Bullet's coefficient, of every body that moves
    // Bullet's solver with two directions of friction for each contact: with one, its default, bodies creep at up to
    // 0.345 mm/s.
    bool two_friction_directions = false;
    // Bullet's single step of 10 iterations lets falling bodies drive each other centimetres deep, and some stay there.
    int substeps = 4;  // of a step of 1/60 s
    // Unit vector. The ground is a plane across it, so that a body that slides has no velocity along it.
    std::optional<Vec3> ground_normal;
    std::uint32_t stack_height = 0;  // the bodies that move are stacks of as many, from below; 0: they are not
};

// A body of its own shape that never moves. Precondition: no body that moves has been added.
void add_fixed(Scene& scene, ShapeSpec spec, Vec3 position, Quat orientation = {});
void add_fixed_box(Scene& scene, Vec3 half_extents, Vec3 position, Quat orientation = {});
// A hull of 8 to 32 vertices, all on an ellipsoid whose longest axis is `side` metres.
ShapeSpec make_hull(double side, Random& random);
Quat random_rotation(Random& random);

// Mixed bodies above a walled pit: `count` bodies, equal shares of spheres, capsules, boxes and hulls of 8 to 32
// vertices, the longest side 0.25 to 0.75 m. The pit's width grows with the cube root of `count`, so that piles of any
// size look alike.
Scene make_pit(std::uint32_t count, std::uint64_t seed);

}  // namespace abut::tools
