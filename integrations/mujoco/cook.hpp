// From geoms to shapes.
#pragma once

#include <cstdint>
#include <vector>

#include <mujoco/mujoco.h>

#include <abut/abut.hpp>

namespace abut::mujoco {

// The geoms of a model as abut's shapes.
struct Cooked {
    ShapeStore store;
    std::vector<ShapeId> shapes;        // a geom's; unset where `known` is 0
    std::vector<std::uint8_t> known;    // whether abut answers for the geom
    std::vector<std::uint8_t> along_z;  // MuJoCo has its axis on Z, abut on Y
};

// The vertices of the mesh's convex hull, in the geom's frame: those that MuJoCo collides.
std::vector<Vec3> hull_points(const mjModel& model, int mesh);

// The error is that of the first geom that abut refuses; `cooked` has the others.
CallResult cook(const mjModel& model, Cooked& cooked);

}  // namespace abut::mujoco
