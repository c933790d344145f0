// The least depth and its proof, in double, for differences A - B with a curved core. A polytope would need as many
// vertices as there are cells of directions here, and thousands if the depth is constant around an axis.
//
// As in depth_proof.hpp, any convex part of A - B bounds the depth from below, and each cell of directions needs one
// part that suffices for the whole cell. Here the parts are discs instead of points: a core of revolution contains a
// disc perpendicular to its axis at each height, and A - B contains that disc minus any point of the other core (or,
// for parallel axes, minus a disc of the other core). The minimum of a disc's support function over a cell between two
// parallels and two meridians of that axis has a closed form. So a depth that is constant around the axis needs only
// the cells along one meridian. Axes may be off by a degree, ellipsoids nearly round, and either core may provide the
// axis.
#pragma once

#include "convex/exact/exact_core.hpp"

namespace abut::exact {

struct KnownDepth {
    Vec3d normal{};  // unit, A's axes
    double depth;    // the distance of the support plane
};

// Improves `best` until no direction is shallower by more than `allowed`. Returns the proved lower bound of all depths,
// or 0 after too many cells. `inside`: any point of A - B, preferably the witness of the known depth.
double search_cells(const CorePair& pair, const Vec3d& inside, double allowed, KnownDepth& best);

}  // namespace abut::exact
