// The least depth and its proof, in double, for differences A - B of a solid hull and any core but a custom one.
//
// The directions along which one vertex of the hull is the farthest are a convex cell of the sphere, with the normals of the faces around the vertex
// as corners. In a cell the depth is linear but for the support function of the other core. A surface with radii of curvature of no more than r is
// what a ball of radius r is less another convex body [Schneider 2014, 3.2]: its support function is r less a convex function, so that the
// depth in a cell is nowhere less than at the corners, if it is r at least there. A small core inside a hull that is nearly a ball therefore needs no
// more than the normals of the faces, where cells of any other kind would need one for each of them. Any other
// core is its farthest points: a cell is cut into pieces in which one of them is enough.
#pragma once

#include "exact/cells.hpp"

namespace abut::exact {

// True if the pair is of this form.
bool has_vertex_cells(const CorePair& pair);

// Improves on `best` until no direction is shallower by more than `allowed`; returns the lower bound of all depths that this proves, or 0 if there
// were too many cells.
double search_vertex_cells(const CorePair& pair, double allowed, KnownDepth& best);

}  // namespace abut::exact
