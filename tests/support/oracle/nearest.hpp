// The point of a Minkowski difference nearest to the origin, from supports alone [Wolfe 1976; Gilbert 1966]: the hull
// of three points known of it is brought nearer by one support point after another. What counts is the proof it ends
// with: the support planes along the last direction bound the distance from below, the point found (a combination of
// points of A less the same of B) from above.
#pragma once

#include "support/oracle/placed.hpp"

namespace abut::oracle {

struct NearestPoint {
    bool encloses = false;  // four points of the difference have the origin strictly among them
    double upper = 0;       // how far the point found is from the origin
    double lower = 0;       // of the support planes along `normal`
    Vec3d normal;           // from A to B
};

// `start`: unit. Ends where the bounds are within `wanted` of each other, or no better point can be told from rounding.
NearestPoint nearest_to_origin(const Difference& difference, const Vec3d& start, double wanted);

}  // namespace abut::oracle
