// The least depth and its proof, in double, for differences A - B of a solid hull and any core but a custom one.
//
// The directions in which one vertex of the hull is the farthest form a convex cell of the sphere; its corners are the
// normals of the faces at the vertex. In a cell the depth is linear except for the support function of the other core.
//
// A surface with radii of curvature of at most r is a ball of radius r minus another convex body [Schneider 2014, 3.2],
// so its support function is r minus a convex function. Hence the depth in a cell is least at the corners, if the depth
// at the corners is at least r. A small core inside a nearly round hull therefore needs only the face normals, where
// other kinds of cells would need one cell per face normal. Any other core is replaced by its farthest points: a cell
// is cut into pieces in which one of these points suffices.
//
// Lengths are grid units (exact_core.hpp). Directions and points are in the axes of the hull with the cells, except
// KnownDepth::normal, which is in A's.
#pragma once

#include "convex/exact/cells.hpp"

namespace abut::exact {

// True if the pair is of this form.
bool has_vertex_cells(const CorePair& pair);

// Improves `best` until no direction is shallower by more than `allowed`. Returns the proved lower bound of all depths,
// or 0 after too many cells.
double search_vertex_cells(const CorePair& pair, double allowed, KnownDepth& best);

}  // namespace abut::exact
