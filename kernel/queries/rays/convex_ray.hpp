// Where a ray meets a convex shape, by closed forms (closed_forms.hpp) or, for rounded and custom shapes, by Newton's
// method on the distance.
#pragma once

#include <abut/shape_id.hpp>

#include "queries/rays/local_ray.hpp"
#include "queries/rays/ray_kernels.hpp"
#include "shapes/tables.hpp"

namespace abut {

// Ray and hit are in the instance's own frame. Half-spaces are convex shapes, too.
LocalHit meet_convex(const ShapeTables& tables, const RayKernels& kernels, ShapeId instance, const LocalRay& ray);

// Where a ray meets the points within `radius` of the segment from a to b.
LocalHit meet_capsule(const LocalRay& ray, const maths::Vec3d& a, const maths::Vec3d& b, double radius);

}  // namespace abut
