// A ray and a convex shape: closed forms, or Newton's method on the distance for rounded and custom shapes.
#pragma once

#include <abut/shape_id.hpp>

#include "rays/local_ray.hpp"
#include "shapes/tables.hpp"

namespace abut {

// Ray and hit are in the instance's own frame. Also for half-spaces.
LocalHit meet_convex(const ShapeTables& tables, ShapeId instance, const LocalRay& ray);

// A ray and the points within `radius` of a segment.
LocalHit meet_capsule(const LocalRay& ray, const exact::Vec3d& a, const exact::Vec3d& b, double radius);

// Clips the ray to a ball about the origin; `begin` is where the rest begins. From there, a far origin costs no precision. False if nothing is left.
bool clip_to_ball(const LocalRay& ray, double radius, LocalRay& near, double& begin);

}  // namespace abut
