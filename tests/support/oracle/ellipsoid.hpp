// A point and an ellipsoid: the closest point of the surface is radii^2 p / (radii^2 + t) for the greatest root t of a
// decreasing convex function, negative inside [Eberly 2013]. Every t > -(least radius)^2 bounds the distance from below
// by Lagrangian duality, so that the answer carries its proof.
#pragma once

#include "support/oracle/oracle.hpp"

namespace abut::oracle {

// `point` in the ellipsoid's frame; the normal points outward, from the ellipsoid to the point. Bounds are of the
// signed distance.
Exact ellipsoid_to_point(const Vec3d& radii, const Vec3d& point);

}  // namespace abut::oracle
