// Shapes where their bodies place them, in double: plain structs, the border between baseline and wide code.
#pragma once

#include <cstddef>
#include <cstdint>

#include <abut/frame.hpp>

namespace abut {

// A shape with the pose that a body of its own would have. Lanes read four words each of the position and the
// orientation.
struct PlacedShape {
    DVec3 position;
    ShapeId shape;
    std::uint32_t unused = 0;
    Quat orientation = {};
    Vec3 offset = {};  // from the body's position
    std::uint32_t unused_too = 0;
};
static_assert(sizeof(PlacedShape) == 64 && offsetof(PlacedShape, orientation) == 32);

// Shapes at the poses of their bodies, and the poses on these bodies that they will get.
struct PosedShapes {
    static constexpr std::uint32_t kMost = 256;
    std::uint32_t count;  // <= kMost
    bool have_centres;    // else no centre is read
    PlacedShape* shapes[kMost];
    const RelativePose* poses[kMost];
    double centres
        [kMost]
        [4];  // of hulls that their poses rotate, in the shape's frame; zero for other shapes. The fourth is not used
};

struct PoseKernels {
    void (*compose_poses)(PosedShapes& posed);
};

}  // namespace abut
