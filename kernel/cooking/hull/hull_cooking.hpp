// From a cloud of points to the hull that the kernels read.
#pragma once

#include <span>

#include <abut/math.hpp>
#include <abut/shape_store.hpp>
#include <abut/status.hpp>

#include "shapes/hull_geometry.hpp"

namespace abut {

// The result depends on the set of points alone, not on their order, and scales bit for bit with powers of two.
Expected<HullGeometry> cook_geometry(std::span<const Vec3> points, const HullOptions& options);

// Cooks the hull `first` again for instances of this scale, which may make vertices matter that the first cooking
// dropped (hull_scale.hpp). An error if that makes too many vertices.
Expected<HullGeometry> cook_for_scale(const HullGeometry& first, Vec3 scale);

}  // namespace abut
