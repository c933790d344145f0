// The point of a simplex of one to four vertices nearest to the origin: GJK's subproblem [Gilbert, Johnson, Keerthi
// 1988], by Voronoi regions [Ericson 2005]. Departure: cross products with cancellation are computed exactly, so the
// relative error of the nearest vector is tiny even if the vector is short. Plain cross products have the rounding
// error of the vertices, which is too large near contact.
#pragma once

#include "convex/exact/exact_core.hpp"

namespace abut::exact {

struct Simplex {
    Vertex p[4];
    int count = 0;
};

struct Nearest {
    Vec3d v{};                    // exactly zero if the simplex contains the origin
    double square = 0;            // |v|^2
    int count = 0;                // vertices of the feature that contains v
    int index[4] = {0, 0, 0, 0};  // ascending
};

Nearest nearest_to_origin(const Simplex& s);

// Keeps only the vertices of `feature`.
void keep(Simplex& s, const Nearest& feature);

}  // namespace abut::exact
