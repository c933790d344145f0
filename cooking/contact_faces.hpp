// The faces of a hull as contacts see them: corners to clip, the four that span the most, and faces that are one but for their rounding as one.
//
// Points that lie nearly in a face split it: a cube with a vertex a millionth of its size below its bottom has four triangles there, and a contact on
// one of them is a quarter of the patch. Which triangle looks most along the normal, rounding decides. So neighbouring faces whose corners are in
// one plane to within kMergedThickness have a polygon in common, the convex outline of their corners in the plane halfway. Only contacts use it, and
// only where its thickness is a small part of promise 1's bound of the pair: scale, or a small neighbour, may show what the faces are.
//
// A group of faces grows from its largest face, and is limited by its own thickness, not by the steps from face to face: round hulls stay round.
#pragma once

#include "geometry/hull_geometry.hpp"

namespace abut {

// Fills vertex_first, vertex_face, corners, contact_faces and what merges them from loop and planes.
void lay_out_contact_faces(HullGeometry& hull);

// Faces' widths for instances of this scale alone: times its least factor they are the scaled faces' own.
void measure_widths(HullGeometry& hull, Vec3 scale);

}  // namespace abut
