// The identity of a convex instance (geometry/identity.hpp).
#pragma once

#include <abut/custom_shape.hpp>
#include <abut/shape_id.hpp>

#include "geometry/hull_geometry.hpp"
#include "geometry/identity.hpp"
#include "geometry/instance_record.hpp"

namespace abut {

// `hull` for hulls, `custom` for custom shapes alone: these are told apart by their names, as their numbers are the store's.
ShapeIdentity identity_of(ShapeKind kind, const InstanceRecord& record, const HullGeometry* hull, const CustomShape* custom);

}  // namespace abut
