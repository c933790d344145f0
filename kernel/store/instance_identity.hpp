// The identity of a convex instance (shapes/shape_identity.hpp).
#pragma once

#include <abut/custom_shape.hpp>
#include <abut/shape_id.hpp>

#include "shapes/hull_geometry.hpp"
#include "shapes/instance_record.hpp"
#include "shapes/shape_identity.hpp"

namespace abut {

// `hull`: for hulls only. `custom`: for custom shapes only; their names distinguish them, because their indices differ
// between stores.
ShapeIdentity identity_of(ShapeKind kind, const InstanceRecord& record, const HullGeometry* hull,
                          const CustomShape* custom);

}  // namespace abut
