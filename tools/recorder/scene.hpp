// The scene that is recorded: mixed bodies above a walled pit.
#pragma once

#include <cstdint>
#include <vector>

#include "capture.hpp"
#include "shape_spec.hpp"

namespace abut::tools {

struct Scene {
    std::vector<ShapeSpec> shapes;
    std::vector<CaptureBody> bodies;
    std::uint32_t fixed_bodies = 0;  // floor and walls come first, and never move
};

// `count` bodies, equal shares of spheres, capsules, boxes and hulls of 8 to 32 vertices, the longest side 0.25 to 0.75 m. The pit's
// width grows with the cube root of `count`, so that piles of any size look alike.
Scene make_scene(std::uint32_t count, std::uint64_t seed);

}  // namespace abut::tools
