// The signed distance of a point from a body's shape of any kind.
#pragma once

#include <abut/shape_id.hpp>
#include <abut/status.hpp>

#include "geometry/double_math.hpp"
#include "shapes/tables.hpp"

namespace abut {

struct PointDistance {
    double distance = INFINITY;  // metres, negative inside; infinity: beyond the limit, or behind all triangles
    exact::Vec3d normal{};       // unit, outward
    std::uint32_t child = 0;     // the child of a compound, or the triangle of a surface by the caller's index
    Status status = Status::ok;
};

// In the shape's own frame. Distances beyond `most` may be infinity. `solid_meshes`: closed meshes have an inside.
PointDistance distance_to_shape(const ShapeTables& tables, ShapeId shape, const exact::Vec3d& point, double most, bool solid_meshes);

}  // namespace abut
