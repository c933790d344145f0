// The library's point query for one shape.
#pragma once

#include <span>

#include <abut/math.hpp>
#include <abut/rays.hpp>
#include <abut/shape_store.hpp>

namespace abut::tools {

// Signed distances of points from one shape at the origin, and the child or triangle that each is nearest to; the other
// columns are empty.
PointDistances measure_points(const ShapeStore& store, ShapeId shape, std::span<const Vec3> points,
                              bool solid_meshes = false);

}  // namespace abut::tools
