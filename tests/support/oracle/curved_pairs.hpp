// The way of a pair of which at least one core is curved, see oracle.hpp.
#pragma once

#include "support/oracle/placed.hpp"

namespace abut::oracle {

// Between the cores less their rolling balls: those come off with the radii. `larger` size scales what is too small to
// matter.
Exact solve_curved(const Placed& a, const Placed& b, const Vec3d& start, double larger);

// One of the solids is a half-space.
Exact solve_halfspace(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b);
double gap_along_halfspace(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, const Vec3d& normal);

}  // namespace abut::oracle
