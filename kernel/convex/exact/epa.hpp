// Penetration depth by EPA [van den Bergen 2001], best first, with both bounds: the nearest face of a polytope inside A
// - B bounds the depth from below, the support plane of any direction bounds it from above.
#pragma once

#include "convex/exact/exact_gjk.hpp"
#include "convex/exact/exact_polytope.hpp"

namespace abut::exact {

struct EpaResult {
    Vec3d normal{};    // unit; moving B along it by `depth` separates the cores
    double depth = 0;  // in grid units: the distance of the support plane
    double lower = 0;  // a lower bound on the depth in all directions
    Vertex witness{};  // w: the point depth * normal of A - B, to `error`; a: A's witness
    double error = 0;
};

// `simplex`: a tetrahedron that contains the origin. If a polytope of `capacity` vertices does not suffice, cells of
// directions are searched (convex/exact/cells.hpp, vertex_cells.hpp). Tests reduce the capacity.
EpaResult epa(const CorePair& pair, const Simplex& simplex, int capacity = kMaxVertices);

}  // namespace abut::exact
