// Bounds of a posed shape along given axes: the support in both directions of each axis [van den Bergen 2003, 4.3], in
// double, rounded outwards.
#pragma once

#include <abut/math.hpp>
#include <abut/shape_id.hpp>

#include "base/double_math.hpp"
#include "shapes/tables.hpp"

namespace abut {

using maths::BoxD;
using maths::kNoBounds;

// The pose of an instance: its origin, and its local axes as columns.
struct PoseD {
    maths::Mat3 axes;
    maths::Vec3d position;
};

// The bounds of a convex instance, a mesh or a height field, rounding included; for the latter two the box of the local
// bounds. A half-space is bounded only along an axis that is exactly parallel to its normal.
BoxD tight_bounds(const ShapeTables& tables, ShapeId instance, const PoseD& pose);

// The local bounds of a convex instance's core, and the radius by which the shape extends beyond it. Not for
// half-spaces.
struct LocalBox {
    maths::Vec3d centre, half;
    double radius;
};
LocalBox local_box(const ShapeTables& tables, ShapeId instance);
// The radius of LocalBox.
double radius_of(const ShapeTables& tables, ShapeId instance);
// The centre of the local bounds of a convex shape or a compound.
maths::Vec3d centre_of_bounds(const ShapeTables& tables, ShapeId shape);

// The least of direction . x over a convex shape without its radius, from its own origin. Not for half-spaces.
double least_along(const ShapeTables& tables, ShapeId instance, const maths::Vec3d& direction);

// The bounds of the posed local box: cheaper than tight_bounds, but as tight for boxes only.
BoxD loose_bounds(const LocalBox& box, const PoseD& pose);

}  // namespace abut
