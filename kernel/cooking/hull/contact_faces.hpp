// The faces of a hull for contacts: the corners to clip, the four corners with the largest area, and merged faces,
// which differ only by rounding.
//
// Points that lie nearly in a face split it: a cube with a vertex a millionth of its size below its bottom has four
// triangles there. Rounding decides which of them is best aligned with the normal, and its contacts span a quarter of
// the patch. So neighbouring faces whose corners are in one plane up to kMergedThickness share a polygon, the convex
// outline of their corners in the middle plane. Only contacts use it, and only if its thickness is a small part of
// promise 1's bound of the pair: a scale or a small other shape may make the faces distinct.
//
// A group of faces grows from its largest face, and is limited by its own thickness, not by the steps from face to
// face: round hulls stay round.
#pragma once

#include "shapes/hull_geometry.hpp"

namespace abut {

// Fills vertex_first, vertex_face, corners, contact_faces, merged_faces, merged and drop from loop and planes.
void lay_out_contact_faces(HullGeometry& hull);

// Sets the widths of faces for instances of this scale only: times the scale's least factor, they are the widths of the
// scaled faces.
void measure_widths(HullGeometry& hull, Vec3 scale);

}  // namespace abut
