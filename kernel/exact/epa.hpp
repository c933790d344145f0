// Penetration depth by EPA [van den Bergen 2001], best first, with both bounds: the nearest face of a polytope inside A - B bounds the
// depth from below, the support plane of any direction from above.
#pragma once

#include "exact/gjk.hpp"
#include "exact/polytope.hpp"

namespace abut::exact {

struct EpaResult {
    Vec3d normal{};    // unit; moving B along it by `depth` parts the cores
    double depth = 0;  // grid units: the support plane's distance
    double lower = 0;  // proved: no direction is shallower
    Vertex witness{};  // w: the point depth * normal of A - B, to `error`; a: A's witness
    double error = 0;
};

// `simplex` is a tetrahedron that holds the origin. Exact for hulls of any size: where a polytope of `capacity` vertices does not do,
// the sphere of directions is searched piece by piece; of curved cores in cells (exact/cells.hpp). (Less than the full capacity is for
// tests.)
EpaResult epa(const CorePair& pair, const Simplex& simplex, int capacity = kMaxVertices);

}  // namespace abut::exact
