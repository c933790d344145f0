// Meshes about the origin, of a size of about 1.
#pragma once

#include <cstdint>
#include <vector>

#include <abut/cooking.hpp>
#include <abut/math.hpp>

#include "scenes/random.hpp"

namespace abut::surfaces {

struct Mesh {
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
};

Mesh torus(std::uint32_t around, std::uint32_t across);
// Of rings and sectors; its radius is 1 less up to `dents`.
Mesh ball(std::uint32_t rings, std::uint32_t sectors, double dents, scenes::Random& random);
// Each face has cells x cells quads, whose inner vertices are moved inwards by up to `dents`.
Mesh dented_box(std::uint32_t cells, double dents, scenes::Random& random);
// Two sheets of cells x cells quads, one above the other.
Mesh shell(std::uint32_t cells, double thickness);
// Triangles that share nothing.
Mesh soup(std::uint32_t count, double longest, scenes::Random& random);

}  // namespace abut::surfaces
