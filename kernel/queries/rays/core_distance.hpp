// The signed distance of a point from the core of a box, cylinder or cone, and the outward normal, in closed form, in
// the shape's frame.
#pragma once

#include "base/double_math.hpp"
#include "shapes/instance_record.hpp"

namespace abut {

// The extents in the shape's frame; for a hull the scale, for a half-space its normal.
inline maths::Vec3d extents_of(const InstanceRecord& record) {
    return {record.extent_x, record.extent_y, record.extent_z};
}

struct CoreDistance {
    double distance;      // metres, negative inside
    maths::Vec3d normal;  // unit
};

CoreDistance box_distance(const maths::Vec3d& half, const maths::Vec3d& point);
CoreDistance cylinder_distance(double radius, double half_height, const maths::Vec3d& point);
CoreDistance cone_distance(double radius, double half_height, const maths::Vec3d& point);

}  // namespace abut
