// The triangles of a mesh with equal vertices made one, and without those that are degenerate or there already.
#pragma once

#include <cstdint>
#include <span>

#include <abut/cooked_mesh.hpp>
#include <abut/math.hpp>

#include "host/memory.hpp"

namespace abut::cooking {

// For each vertex the first that is equal to it or, of those that are left, within the tolerance of it; itself where there is none.
Vector<std::uint32_t> weld(std::span<const Vec3> vertices, float tolerance);

struct KeptTriangle {
    std::uint32_t corners[3];
    std::uint32_t input;
};

// The triangle's height over its longest edge, in parts of that; 0 where corners are one.
double least_height(Vec3 corner, Vec3 second, Vec3 third);

// In the order given. Counts what is dropped, and needles.
Vector<KeptTriangle> kept_triangles(std::span<const Vec3> vertices, std::span<const std::uint32_t> first_of, std::span<const MeshTriangle> triangles,
                                    MeshSides sides, MeshReport& report);

}  // namespace abut::cooking
