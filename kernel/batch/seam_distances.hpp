// Distances to compounds whose children share faces: an overlap ends where the union of the children ends. If a child's
// normal leads into a joined sibling, it is no separating direction, unless the child rises beyond the sibling, as a
// step does, and the other body reaches the part beyond. Otherwise the child's answer is the least deep of these:
// - child and siblings become one convex shape, until its normal leads into no other sibling, if the shape is their
// union there;
// - the other body leaves the child, or one of these siblings, through a face that siblings allow, as in seams.hpp;
// - the other body moves along the normal of the sibling's face beyond which the child rises.
#pragma once

#include "batch/seam_bodies.hpp"

namespace abut {

// A child pair's answer from the kernels: points relative to the position of the child that is computed first.
struct SeamAnswer {
    float distance;
    Vec3 normal, point_a, point_b;
};

// Changes the answer of a child pair that touches or overlaps. `at_covered_faces`: only where siblings cover a whole
// face of the child, so that a body that moves on meets nothing there, and only by the first of the three answers,
// because the child may be higher than another child's face.
void settle_distance(const SeamBodies& bodies, const ChildPair& pair, bool at_covered_faces, SeamAnswer& answer);

}  // namespace abut
