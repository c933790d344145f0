// Rays to be counted: one at each of many bodies of a kind of shape, or all at one mesh.
#pragma once

#include <string>
#include <vector>

#include <abut/narrow_phase.hpp>

namespace abut::bench {

struct RayRow {
    ShapeStore shapes;
    std::vector<Body> bodies;
    std::vector<Pair> pairs;  // of a ray and a body
    std::vector<Vec3> origins, directions;

    Frame frame() const { return {.shapes = &shapes, .bodies = bodies, .pairs = pairs}; }
    Rays rays() const { return {.origins = origins, .directions = directions}; }
};

inline constexpr const char* kRayRows[] = {"sphere",   "capsule", "box",       "hull8", "hull32",
                                           "cylinder", "cone",    "ellipsoid", "mixed", "mesh"};

// `shape`: of a row of the benchmarks ("box", "hull32"), "mixed" or "mesh".
RayRow make_ray_row(const std::string& shape, std::size_t rays);

}  // namespace abut::bench
