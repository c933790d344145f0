// Witness points: the weights by which a feature's vertices make up a given point, for slivers too.
#pragma once

#include "exact/core.hpp"

namespace abut::exact {

struct Weights {
    double value[3] = {1, 0, 0};  // of each vertex; none negative, their sum is 1
    double error = 0;             // from the point asked for to the combination
};

// The weights of one to three vertices, for a point on (or within rounding of) their hull.
Weights weights_of(const Vertex* vertices, int count, const Vec3d& p);

// The combination's point of A - B, and of A.
Vertex combine(const Vertex* vertices, int count, const Weights& weights);

// Barycentric coordinates of p's projection on the triangle's plane, consistent along its longest edge; negative outside.
struct Barycentric {
    double value[3];
};
Barycentric barycentric(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p);

}  // namespace abut::exact
