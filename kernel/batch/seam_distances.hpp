// Distances to compounds whose children share faces: an overlap ends where the union of the children does. A child's
// normal that leads into a joined sibling is no way out, unless the child rises beyond the sibling, as a step does, and
// the other body reaches that part. Instead, the least deep of these is the child's answer:
// - child and siblings become one convex shape, until its way out leads into no other sibling, if it is their union
//   there;
// - the child or one of these siblings is left through a face that siblings allow, as in seams.hpp;
// - the body is moved along the normal of the sibling's face beyond which the child rises.
#pragma once

#include "batch/seam_bodies.hpp"

namespace abut {

// A child pair's answer as the kernels give it: points from the position of the child that is computed first.
struct SeamAnswer {
    float distance;
    Vec3 normal, point_a, point_b;
};

// Changes the answer of a child pair that touches or overlaps. `at_covered_faces`: only where siblings cover a whole
// face of the child, so that a body that moves on meets nothing there, and by the first of these ways, as the child may
// be higher than another one's face.
void settle_distance(const SeamBodies& bodies, const ChildPair& pair, bool at_covered_faces, SeamAnswer& answer);

}  // namespace abut
