// See solid.hpp. The winding number is the number of backs minus the number of fronts that a ray from the point
// crosses. The ray is parallel to an axis and takes the shortest path out of the surface's bounds. A ray through an
// edge counts as if it were shifted slightly, equally for all triangles (planar_cross.hpp), so only points on the
// surface are ambiguous.
#include "surfaces/solids/solid.hpp"

#include <algorithm>
#include <cmath>

#include "base/tolerances.hpp"
#include "shapes/kinds.hpp"
#include "shapes/surface_walk.hpp"
#include "shapes/surfaces.hpp"
#include "surfaces/solids/planar_cross.hpp"
#include "surfaces/triangles/probe.hpp"

namespace abut {
namespace {

using maths::Vec3d;

// A ray from a point along an axis, or against it.
struct AxisRay {
    Vec3d origin;
    int axis;
    bool is_backward;
    double length;  // to the end of the bounds; negative if the origin is outside

    AxisRay(const Vec3d& point, const maths::BoxD& bounds)
        : origin(point), axis(0), is_backward(false), length(INFINITY) {
        for (int i = 0; i < 3; ++i) {
            const double ahead = component(bounds.high, i) - component(point, i),
                         behind = component(point, i) - component(bounds.low, i);
            if (ahead < length) axis = i, is_backward = false, length = ahead;
            if (behind < length) axis = i, is_backward = true, length = behind;
        }
    }

    Volume volume() const {
        const Vec3d offset = {axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0};
        return box_volume(is_backward ? maths::BoxD{origin - offset, origin} : maths::BoxD{origin, origin + offset});
    }

    // A corner in the ray's frame: x and y across the ray, z along it. The winding of triangles is kept.
    Vec3d seen(const Vec3& corner) const {
        const Vec3d p = maths::to_double(corner) - origin;
        const int next = (axis + 1) % 3, other = (axis + 2) % 3;
        if (is_backward) return {component(p, other), component(p, next), -component(p, axis)};
        return {component(p, next), component(p, other), component(p, axis)};
    }

    // 1 if the ray leaves through the triangle's back, -1 if it enters through its front, else 0.
    int winding(const SurfaceCorners& corners) const {
        const Vec3d a = seen(corners.at[0]), b = seen(corners.at[1]), c = seen(corners.at[2]);
        const int sign = planar_cross_sign(c, b);
        if (sign == 0 || planar_cross_sign(a, c) != sign || planar_cross_sign(b, a) != sign) return 0;
        const double u = planar_cross(c, b), v = planar_cross(a, c), w = planar_cross(b, a);
        return (u * a.z + v * b.z + w * c.z) / (u + v + w) > 0 ? -sign : 0;
    }
};

// The triangle of a height field below or above a point; kNoTriangle outside the field and in a hole.
std::uint32_t triangle_in_line(const Surface& surface, const Vec3d& point) {
    const HeightfieldGeometry& field = *surface.field;
    const double x = point.x / surface.scale.x / field.spacing_x, z = point.z / surface.scale.z / field.spacing_z;
    if (!(x >= 0 && z >= 0 && x <= field.columns - 1 && z <= field.rows - 1)) return kNoTriangle;
    const std::uint32_t column = std::min(std::uint32_t(x), field.columns - 2),
                        row = std::min(std::uint32_t(z), field.rows - 2), cell = row * (field.columns - 1) + column;
    const double right = x - column, down = z - row;
    const bool has_other_diagonal = (field.flags(cell) & kCellOtherDiagonal) != 0,
               is_second = has_other_diagonal ? right + down > 1 : right > down;
    const std::uint32_t triangle = 2 * cell + std::uint32_t(is_second);
    return is_there(field, triangle) ? triangle : kNoTriangle;
}

bool is_below(const Surface& surface, const Vec3d& point) {
    const std::uint32_t triangle = triangle_in_line(surface, point);
    if (triangle == kNoTriangle) return false;
    const SurfaceCorners corners = corners_at(surface, triangle);
    const Vec3d normal = normal_of(corners);
    const double height = maths::dot(normal, point - maths::to_double(corners.at[0])) / std::fabs(normal.y);
    return height <= 0 && -height <= double(surface.field->thickness) * std::fabs(double(surface.scale.y));
}

}  // namespace

bool is_inside(const Surface& solid, const Vec3d& point) {
    if (solid.mesh == nullptr) return is_below(solid, point);
    const AxisRay ray(point, bounds_of(solid));
    if (ray.length < 0) return false;
    int winding = 0;
    (void)walk_within(solid, ray.volume(), 0, [&](std::uint32_t triangle) {
        winding += ray.winding(corners_at(solid, triangle));
        return true;
    });
    return winding > 0;
}

bool is_inside_solid(const ShapeTables& tables, ShapeId shape, const Vec3d& point) {
    if (!is_surface(shape.kind())) return false;
    const Surface surface = surface_of(tables, shape);
    return is_solid(surface) && is_inside(surface, point);
}

std::uint32_t nearest_triangle(const Surface& surface, const Vec3d& point) {
    std::uint32_t nearest = 0;
    double reach = INFINITY, least = INFINITY;
    (void)walk(surface, box_volume({point, point}), reach, [&](std::uint32_t triangle) {
        const double distance = distance_to(point, corners_at(surface, triangle));
        const bool is_first = input_index(surface, triangle) < input_index(surface, nearest);
        if (distance < least || (distance == least && is_first)) nearest = triangle, least = reach = distance;
        return true;
    });
    return nearest;
}

SolidExit exit_through(const Surface& solid, std::uint32_t triangle, const Vec3d& inside) {
    const SurfaceCorners corners = corners_at(solid, triangle);
    const Vec3d offset = offset_from(corners, inside), normal = normal_of(corners);
    const double length = maths::norm(offset);
    const bool is_on_surface = length <= kOnSurfaceShare * maths::max_abs(inside),
               is_over_face = std::fabs(maths::dot(offset, normal)) >= kOverFaceCosine * length;
    return {inside - offset, is_on_surface || is_over_face ? normal : -offset * (1 / length)};
}

}  // namespace abut
