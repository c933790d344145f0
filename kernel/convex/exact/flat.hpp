// Detects cores whose difference is a point, a segment or a polygon: they have no depth, and a normal only by
// convention. Also extends GJK's final simplex to a tetrahedron for EPA.
#pragma once

#include "convex/exact/exact_simplex.hpp"

namespace abut::exact {

struct Flatness {
    int dimension = 3;
    Vec3d axis{};  // unit; dimension 1: along the segment; 2: normal of the polygon
};

// The flatness of A - B. A dimension thinner than twice the tolerance counts as flat.
Flatness flatness(const CorePair& pair);

// Adds vertices to a simplex that contains the origin until it is a tetrahedron. False if A - B is exactly flat.
bool grow_to_tetrahedron(const CorePair& pair, Simplex& s);

// A direction perpendicular to a simplex of one to three vertices.
Vec3d square_to(const Simplex& s);

}  // namespace abut::exact
