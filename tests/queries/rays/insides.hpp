// Closed meshes whose inside is known: by what they were made from, or by the winding number, the sum of the solid
// angles of their triangles.
#pragma once

#include <string>
#include <vector>

#include "queries/rays/rays.hpp"

namespace abut::rays {

struct Inside {
    std::string name;
    MeshData mesh;
    Vec3 scale = {1, 1, 1};
};

// Balls, tori, boxes with dents, thin shells, a ball within a ball.
std::vector<Inside> make_insides();

struct Corners {
    oracle::Vec3d at[3];
};
double distance_to(const Corners& triangle, const oracle::Vec3d& point);

struct InsideTally {
    bool is_closed = false;
    std::size_t inside = 0, outside = 0, wrong = 0;
};
// Random points, many of them near the surface, at vertices' coordinates and on lines through edges: the sign, the
// distance (by brute force over all triangles), and whether a ray starts inside.
InsideTally judge_insides(const Inside& subject, std::size_t points, std::uint64_t seed);

}  // namespace abut::rays
