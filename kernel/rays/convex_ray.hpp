// A ray and a convex shape: closed forms; along the tangent planes of the distance where a rounding or a custom shape has none.
#pragma once

#include <abut/shape_id.hpp>

#include "rays/local_ray.hpp"
#include "shapes/tables.hpp"

namespace abut {

// Both in the instance's own frame. Half-spaces too.
LocalHit meet_convex(const ShapeTables& tables, ShapeId instance, const LocalRay& ray);

// The points within `radius` of the segment from a to b.
LocalHit meet_capsule(const LocalRay& ray, const exact::Vec3d& a, const exact::Vec3d& b, double radius);

// The part of the ray that can meet anything in a ball about the origin, and where it begins: far origins cost no digits from there on. False: none.
bool clip_to_ball(const LocalRay& ray, double radius, LocalRay& near, double& begin);

}  // namespace abut
