// See nested_surfaces.hpp.
#include "surfaces/solids/nested_surfaces.hpp"

#include <cmath>

#include "shapes/surfaces.hpp"
#include "surfaces/solids/solid.hpp"

namespace abut {
namespace {

using maths::Mat3;
using maths::Vec3d;

Mat3 axes_of(const Body& body) { return maths::rotation(maths::to_double(body.orientation)); }

// Calls visit(point) for one vertex of each part of a surface. If visit returns true, stops and returns true.
template <class Visit>
bool any_part(const Surface& surface, const Visit& visit) {
    if (surface.mesh != nullptr) {
        for (const std::uint32_t triangle : surface.mesh->parts)
            if (visit(maths::to_double(corners_at(surface, triangle).at[0]))) return true;
        return false;
    }
    std::uint32_t first = 0;
    while (!has_triangle(surface, first)) ++first;  // a height field has a triangle
    return visit(maths::to_double(corners_at(surface, first).at[0]));
}

}  // namespace

bool is_nested(const ShapeTables& tables, const Body& inner, const Body& solid) {
    const Surface outside = surface_of(tables, solid.shape);
    if (!is_solid(outside)) return false;
    const Mat3 axes = axes_of(inner), of_solid = axes_of(solid);
    const Vec3d between = maths::to_double(inner.position) - maths::to_double(solid.position);
    return any_part(surface_of(tables, inner.shape), [&](const Vec3d& point) {
        return is_inside(outside, maths::transposed_times(of_solid, between + axes * point));
    });
}

Vec3d farthest_corner(const ShapeTables& tables, const Body& body, const Vec3d& direction) {
    const Surface surface = surface_of(tables, body.shape);
    const Mat3 axes = axes_of(body);
    const Vec3d along = maths::transposed_times(axes, direction);
    Vec3d farthest{};
    double most = -INFINITY;
    for (std::uint32_t triangle = 0; triangle < surface.triangle_count(); ++triangle) {
        if (!has_triangle(surface, triangle)) continue;
        for (const Vec3& corner : corners_at(surface, triangle).at)
            if (const double height = maths::dot(along, maths::to_double(corner)); height > most)
                most = height, farthest = maths::to_double(corner);
    }
    return axes * farthest;
}

}  // namespace abut
