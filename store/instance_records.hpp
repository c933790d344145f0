// From what an instance was made from to the record that lanes read.
#pragma once

#include <optional>

#include <abut/status.hpp>

#include "shapes/tables.hpp"

namespace abut {

// Nothing where instances of `kind` may have this scale: positive, and the same along all axes but for boxes, hulls and ellipsoids.
std::optional<Error> check_scale(ShapeKind kind, Vec3 scale);

// Nothing where it is of unit length to within 1%.
std::optional<Error> check_orientation(const char* field, const Quat& orientation);
// Nothing where it is one of a shape on its body.
std::optional<Error> check_pose(const RelativePose& pose);

// `hull` for hulls, `custom` for custom shapes alone. An error where the shape's bounds are past float32's range.
Expected<InstanceRecord> make_record(ShapeKind kind, const InstanceSource& source, float rounding, const HullGeometry* hull,
                                     const CustomShape* custom);

// Local bounds, rounding included; of a half-space all there is.
void set_bounds(ShapeView& view, const InstanceRecord& record, const HullGeometry* hull, const CustomShape* custom);

}  // namespace abut
