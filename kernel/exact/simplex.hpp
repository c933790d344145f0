// The point nearest the origin of a simplex of one to four vertices: GJK's subproblem [Gilbert, Johnson, Keerthi 1988], by Voronoi
// regions [Ericson 2005]. Departure: every cross product whose terms cancel is taken exactly, so that the nearest vector is right to a
// tiny fraction of its own length however short it is. A plain one is right only to the vertices' rounding, useless near contact.
#pragma once

#include "exact/core.hpp"

namespace abut::exact {

struct Simplex {
    Vertex p[4];
    int count = 0;
};

struct Nearest {
    Vec3d v{};                    // exactly zero where the simplex holds the origin
    double square = 0;            // |v|^2
    int count = 0;                // of the vertices that span the feature v lies in
    int index[4] = {0, 0, 0, 0};  // ascending
};

Nearest nearest_to_origin(const Simplex& s);

// Keeps the vertices of `feature` only.
void keep(Simplex& s, const Nearest& feature);

}  // namespace abut::exact
