// The stacks that people build, on a half-space, on a box, on a triangle mesh and on a height field.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "world.hpp"

namespace abut::solver {

struct Stack {
    std::string name;  // what stands, and on what: "cylinders-10/box"
    std::string what;
    double size = 1;            // metres: of one body, roughly
    double mass = 1000;         // of one body
    int substeps = 1;           // times as many as the settings say, where the solver needs them
    bool large = false;         // hundreds of bodies
    bool on_triangles = false;  // the ground is a mesh or a height field
    std::function<void(World&)> build;
    bool uneven = false;  // of uneven.hpp
    bool falls = false;   // bodies fall or slide at first, and come to rest somewhere
    double friction = 0;  // 0: as in the settings
    std::optional<Vec3d>
        ground_normal;  // the ground is a plane across it, so that a body that slides has no velocity along it
    std::size_t stack_height = 0;  // the bodies that move are stacks of as many, from below; 0: they are not

    // The settings that the solver needs for this scene.
    WorldSettings adjusted(WorldSettings settings) const;
    // Joules: what of 1e-3 for bodies of 1 m and 1,000 kg is left for these, in proportion to m g h.
    double rest_energy() const { return 1e-3 * mass / 1000 * size; }
};

// Those of uneven.hpp are the last.
const std::vector<Stack>& stacks();

struct Triangles {
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
};

// Flat ground about the origin: squares as two triangles each, or as four about a point inside; every third has one
// side cut in two, where its neighbour's is whole.
Triangles flat_triangles(std::uint32_t rows, std::uint32_t columns, float step);

}  // namespace abut::solver
