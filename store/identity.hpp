// The identity of a convex instance (geometry/identity.hpp).
#pragma once

#include <abut/custom_shape.hpp>
#include <abut/shape_id.hpp>

#include "geometry/hull_geometry.hpp"
#include "geometry/identity.hpp"
#include "geometry/instance_record.hpp"

namespace abut {

// `hull`: for hulls only. `custom`: for custom shapes only; their names distinguish them, because their indices differ between stores.
ShapeIdentity identity_of(ShapeKind kind, const InstanceRecord& record, const HullGeometry* hull, const CustomShape* custom);

}  // namespace abut
