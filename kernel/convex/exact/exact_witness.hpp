// Witness points: the weights of a feature's vertices that give a point, also for slivers.
#pragma once

#include "convex/exact/exact_core.hpp"

namespace abut::exact {

struct Weights {
    double value[3] = {1, 0, 0};  // of each vertex; not negative, with sum 1
    double error = 0;             // distance of the combination from the given point
};

// The weights of one to three vertices for a point on their hull, or within rounding of it.
Weights weights_of(const Vertex* vertices, int count, const Vec3d& p);

// The weighted combination of the points of A - B, and of A.
Vertex combine(const Vertex* vertices, int count, const Weights& weights);

// Barycentric coordinates of p's projection on the triangle's plane, negative outside; accurate along the longest edge
// even for a sliver.
struct Barycentric {
    double value[3];
};
Barycentric barycentric(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p);

}  // namespace abut::exact
