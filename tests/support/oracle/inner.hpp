// Depth of overlapping curved cores by a polytope inscribed in their Minkowski difference M, refined where it is
// shallowest [van den Bergen 2001]. What it ends with proves itself and rests neither on convexity nor on exact
// arithmetic:
//
// - Faces make a closed surface at all times, as a sum of oriented triangles: those that a new point sees are exchanged for the cone
//   over their common boundary. Every face keeps a plane with all its corners on or beyond it, an inner point strictly below it, and
//   only points beyond the plane replace it: the surface never sweeps over the inner point, and goes round it once.
// - A ball about the origin that lies below all planes is on the inner point's side of every face, so the surface goes round all of
//   it: the polytope, and M, contain the ball. Its radius bounds the depth from below.
// - The least support of M along any direction tried bounds it from above.
#pragma once

#include "support/oracle/placed.hpp"

namespace abut::oracle {

struct InnerDepth {
    double at_most = 0;   // attained along `normal`; negative where that shows the cores to be apart
    double at_least = 0;  // negative where the polytope does not reach the origin
    Vec3d normal;         // from A to B
    int points = 0;       // of the polytope
};

// Ends where the bounds are within `wanted`, or after some thousands of points. `hint`: a unit direction tried first.
InnerDepth depth_by_inner_polytope(const Difference& difference, const Vec3d& hint, double wanted);

}  // namespace abut::oracle
