// Cores whose difference is a point, a segment or a polygon have no depth there, and a normal only by convention: how to tell them,
// and how to give EPA a tetrahedron where GJK ended with less.
#pragma once

#include "exact/simplex.hpp"

namespace abut::exact {

struct Flatness {
    int dimension = 3;
    Vec3d axis{};  // 1: unit, along the segment; 2: unit, across the polygon
};

// Thinner than twice the tolerance counts as flat.
Flatness flatness(const CorePair& pair);

// Adds vertices to a simplex that holds the origin until it is a tetrahedron. False: A - B is exactly flat.
bool grow_to_tetrahedron(const CorePair& pair, Simplex& s);

// A direction square to a simplex of one to three vertices.
Vec3d square_to(const Simplex& s);

}  // namespace abut::exact
