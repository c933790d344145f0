// The pose of an instance in its body's frame. Kernels do not know this pose: when a call reads its bodies, each body
// gets the pose of its shape, and the points of the answers are moved back.
#pragma once

#include <span>

#include <abut/frame.hpp>

#include "shapes/placed_shape.hpp"
#include "shapes/tables.hpp"

namespace abut {

inline bool is_posed(const RelativePose& pose) { return !(pose.position == Vec3{} && pose.orientation == Quat{}); }

// Null if `id` names no living shape or one without a pose.
const RelativePose* instance_pose(const ShapeTables& tables, ShapeId id);

// Gives a body the orientation of its shape and returns the shape's origin, along world axes from the body's position.
maths::Vec3d compose_pose(const ShapeTables& tables, Body& body);
inline maths::Vec3d apply_shape_pose(const ShapeTables& tables, Body& body) {
    return tables.has_poses ? compose_pose(tables, body) : maths::Vec3d{0, 0, 0};
}
// apply_shape_pose in lanes, with equal bits: moves each shape from the pose of its body to its own pose.
void apply_shape_poses(const ShapeTables& tables, const PoseKernels& kernels, std::span<PlacedShape> shapes);

}  // namespace abut
