// Merges the triangles of a convex hull into its polygons.
#pragma once

#include "base/memory.hpp"
#include "cooking/cooking_types.hpp"

namespace abut::cooking {

// Merges neighbours while all corners of the union lie between two planes no farther apart than `thickness`. Whatever
// the input, the result stays a polyhedron: loops are simple and strictly convex seen along their normal, three faces
// or more meet in each corner, and two faces share at most one edge. Loops are counter-clockwise from outside.
Loops merge_faces(const Vector<Vec3d>& grid, const Mesh& mesh, double thickness);

}  // namespace abut::cooking
