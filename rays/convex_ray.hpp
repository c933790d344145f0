// A ray and a convex shape: closed forms (closed_forms.hpp), or Newton's method on the distance for rounded and custom shapes.
#pragma once

#include <abut/shape_id.hpp>

#include "rays/kernels.hpp"
#include "rays/local_ray.hpp"
#include "shapes/tables.hpp"

namespace abut {

// Ray and hit are in the instance's own frame. Also for half-spaces.
LocalHit meet_convex(const ShapeTables& tables, const RayKernels& kernels, ShapeId instance, const LocalRay& ray);

// A ray and the points within `radius` of a segment.
LocalHit meet_capsule(const LocalRay& ray, const exact::Vec3d& a, const exact::Vec3d& b, double radius);

}  // namespace abut
