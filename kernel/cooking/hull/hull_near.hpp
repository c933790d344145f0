// The distance of a point from a convex hull given by its support function. An inaccurate support function makes the
// bound larger, never wrong.
#pragma once

#include "base/double_gjk.hpp"
#include "cooking/cooking_types.hpp"

namespace abut::cooking {

inline constexpr double kFar = -1.0;

// An upper bound on p's distance from the hull; kFar if it is above `tolerance` or the search stalls above that.
// `start` is a point of the hull, support(direction) a support point. Stops once the bound is a sixteenth of the
// tolerance: callers need no better one.
template <class Support>
double distance_within(Vec3d p, Vec3d start, double tolerance, Support support) {
    Vec3d v = start - p;
    const auto end = maths::gjk(v, {0.01, tolerance, tolerance / 16}, [&](Vec3d d) { return support(d) - p; });
    const double distance = end == maths::GjkEnd::overlap ? 0 : norm(v);
    return end != maths::GjkEnd::beyond && distance <= tolerance ? distance : kFar;
}

// An upper bound on p's distance from the hull; 0 inside. If it is above `enough`, it is the distance up to rounding.
template <class Support>
double distance_above(Vec3d p, Vec3d start, double enough, Support support) {
    Vec3d v = start - p;
    if (norm(v) <= enough) return norm(v);
    const auto end = maths::gjk(v, {1e-12, INFINITY, enough}, [&](Vec3d d) { return support(d) - p; });
    return end == maths::GjkEnd::overlap ? 0 : norm(v);
}

}  // namespace abut::cooking
