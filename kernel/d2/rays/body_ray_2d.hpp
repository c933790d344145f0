// A ray or a point and one body in the plane, in double.
#pragma once

#include "d2/convex/plane_core.hpp"

namespace abut::d2 {

// A ray in a shape's frame. The direction is unit.
struct RayD {
    Vec2D origin, direction;
    double length;
};
struct RayHitD {
    double at = HUGE_VAL;   // along the ray; infinite: no hit
    Vec2D normal = {0, 0};  // outward; zero if the ray starts inside
    std::uint32_t child = 0;
    bool starts_inside = false;
};
// The first hit within the ray's length. `shape`: a living shape.
RayHitD meet_shape(const ShapeTables& tables, ShapeId shape, const RayD& ray);

struct PointDistanceD {
    double distance = HUGE_VAL;               // negative inside
    Vec2D normal = {0, 0}, nearest = {0, 0};  // normal: outward; nearest: a point of the surface
    std::uint32_t child = 0;
};
// The signed distance of a point, in a shape's frame, if it is at most `bound`.
PointDistanceD measure_shape(const ShapeTables& tables, ShapeId shape, Vec2D point, double bound);

}  // namespace abut::d2
