// Welds equal vertices of a mesh, and drops degenerate and duplicate triangles.
#pragma once

#include <cstdint>
#include <span>

#include <abut/cooking.hpp>
#include <abut/math.hpp>

#include "base/memory.hpp"

namespace abut::cooking {

// By vertex, the first equal vertex or, with a tolerance, the first remaining vertex within it; the vertex itself if
// there is none.
Vector<std::uint32_t> weld(std::span<const Vec3> vertices, float tolerance);

struct KeptTriangle {
    std::uint32_t corners[3];
    std::uint32_t input;
};

// The triangle's height over its longest edge, divided by that edge; 0 if corners coincide.
double least_height(Vec3 corner, Vec3 second, Vec3 third);

// The triangles that stay, in their order. Counts dropped triangles and needles.
Vector<KeptTriangle> kept_triangles(std::span<const Vec3> vertices, std::span<const std::uint32_t> first_of,
                                    std::span<const MeshTriangle> triangles, MeshSides sides, MeshReport& report);

}  // namespace abut::cooking
