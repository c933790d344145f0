// The least depth and its proof, in double, for differences A - B with a curved core: a polytope would need as many vertices as the sphere
// of directions has cells here, and thousands where the depth is the same all around an axis.
//
// As in depth_proof.hpp, any convex part of A - B bounds the depth from below, and a cell of directions wants one part that does for
// all of it. Parts here are discs instead of points: a core of revolution holds one across its axis at each height, and so does A - B, less
// a point of the other core, or with a disc of that besides where the axes are parallel. The least value of a disc's support function over
// a cell between two parallels and two meridians of that axis has a closed form, so that depths which do not change around the axis need
// no more cells than they change along a meridian. Axes may be off by a degree, ellipsoids nearly round, and either core's axis may be the
// one that the depth does not change around.
#pragma once

#include "exact/core.hpp"

namespace abut::exact {

struct KnownDepth {
    Vec3d normal{};  // unit, A's axes
    double depth;    // the support plane's distance
};

// Improves on `best` until no direction is shallower by more than `allowed`; returns the lower bound of all depths that this proves, or 0
// where the cells run out. `inside`: any point of A - B, best the witness of the depth known.
double search_cells(const CorePair& pair, const Vec3d& inside, double allowed, KnownDepth& best);

}  // namespace abut::exact
