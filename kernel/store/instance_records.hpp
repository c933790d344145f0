// Makes the record that lanes read from the source of an instance.
#pragma once

#include <cmath>
#include <optional>

#include <abut/status.hpp>

#include "shapes/tables.hpp"

namespace abut {

// No error if instances of `kind` may have this scale: it must be positive and, except for boxes, hulls and ellipsoids,
// equal along all axes.
std::optional<Error> check_scale(ShapeKind kind, Vec3 scale);

inline Vec3 magnitude(Vec3 v) { return {std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}; }
inline Vec3 signs_of(Vec3 v) { return {v.x < 0 ? -1.0f : 1.0f, v.y < 0 ? -1.0f : 1.0f, v.z < 0 ? -1.0f : 1.0f}; }

// No error if its length is 1 up to 1%.
std::optional<Error> check_orientation(const char* field, const Quat& orientation);
// No error if it is a valid pose of a shape on its body.
std::optional<Error> check_pose(const RelativePose& pose);

// `hull`: for hulls only; `custom`: for custom shapes only. An error if the shape's bounds exceed float32's range.
Expected<InstanceRecord> make_record(ShapeKind kind, const InstanceSource& source, float rounding,
                                     const HullGeometry* hull, const CustomShape* custom);

// Sets the local bounds, rounding included; those of a half-space are infinite.
void set_bounds(ShapeView& view, const InstanceRecord& record, const HullGeometry* hull, const CustomShape* custom);

}  // namespace abut
