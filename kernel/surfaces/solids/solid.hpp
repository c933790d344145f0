// Surfaces that bound a solid: whether a point is inside, and where the point leaves the solid on the shortest path.
#pragma once

#include <cstdint>

#include <abut/shape_id.hpp>

#include "base/double_math.hpp"
#include "shapes/surface.hpp"
#include "shapes/tables.hpp"

namespace abut {

// True for a mesh that cooking found to be closed, with the fronts of its triangles outside.
inline bool is_closed(const Surface& surface) { return surface.mesh != nullptr && surface.mesh->is_closed; }

// True for a surface that was cooked as a solid.
inline bool is_solid(const Surface& surface) {
    return surface.mesh != nullptr ? surface.mesh->is_solid : surface.field->thickness > 0;
}
// As is_solid, for a query in which all closed meshes may be solids.
inline bool counts_as_solid(const Surface& surface, bool solid_meshes) {
    return is_solid(surface) || (solid_meshes && is_closed(surface));
}

// True if a point (in the surface's frame) is in the solid. Closed mesh: the point's winding number is positive. Height
// field: the point is behind a triangle, no farther than the thickness. The surface's rounding does not count.
bool is_inside(const Surface& solid, const maths::Vec3d& point);
// As is_inside, for a shape of any kind: false if the shape is no solid surface. `point`: in the shape's frame.
bool is_inside_solid(const ShapeTables& tables, ShapeId shape, const maths::Vec3d& point);

// The triangle that is nearest to a point; of equally near ones the first in the caller's list.
std::uint32_t nearest_triangle(const Surface& surface, const maths::Vec3d& point);

// Where a point in the solid leaves it through a triangle: the triangle's point nearest to it, and the unit direction
// to that point. The direction is the triangle's normal unless the nearest point is on an edge or a corner.
struct SolidExit {
    maths::Vec3d point, normal;
};
SolidExit exit_through(const Surface& solid, std::uint32_t triangle, const maths::Vec3d& inside);

}  // namespace abut
