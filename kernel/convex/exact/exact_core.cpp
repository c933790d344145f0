// Support functions of the cores [van den Bergen 2003, 4.3].
#include "convex/exact/exact_core.hpp"

#include "shapes/hull_support.hpp"

namespace abut::exact {
namespace {

// The point of a circle about Y that is farthest along d; the circle's middle if all points are equally far.
Vec3d rim(double radius, double height, const Vec3d& d) {
    const double most = std::fabs(d.x) > std::fabs(d.z) ? std::fabs(d.x) : std::fabs(d.z);
    if (most == 0) return {0, height, 0};
    const double scale = scale_to_one(most), x = d.x * scale, z = d.z * scale, by = radius / std::sqrt(x * x + z * z);
    return {x * by, height, z * by};
}

// The length of d's part perpendicular to Y.
double radial_length(const Vec3d& d) { return std::sqrt(d.x * d.x + d.z * d.z); }

Vec3d cone_support(const Vec3d& half, const Vec3d& direction) {
    const Vec3d d = direction * scale_to_one(max_abs(direction));
    if (2 * half.y * d.y > half.x * radial_length(d)) return {0, half.y, 0};
    return rim(half.x, -half.y, d);
}

// The support point of an ellipsoid minus that of a sphere; both support points have the same normal.
Vec3d ellipsoid_support(const Vec3d& half, double erosion, const Vec3d& direction) {
    const Vec3d d = unit(direction);
    return times(half, unit(times(half, d))) - d * erosion;
}

Vec3d farthest_of(std::span<const Vec3d> points, const Vec3d& d) {
    Vec3d best = points[0];
    for (const Vec3d& point : points.subspan(1))
        if (dot(point, d) > dot(best, d)) best = point;
    return best;
}

}  // namespace

std::uint32_t farthest_core_vertex(const Core& core, const Vec3d& d) {
    if (core.kind == ShapeKind::hull) return farthest_vertex(*core.hull, times(core.half, d));
    return (d.x < 0 ? 1u : 0u) | (d.y < 0 ? 2u : 0u) | (d.z < 0 ? 4u : 0u);
}

Vec3d core_vertex(const Core& core, std::uint32_t i) {
    if (core.kind != ShapeKind::hull)
        return {i & 1 ? -core.half.x : core.half.x, i & 2 ? -core.half.y : core.half.y,
                i & 4 ? -core.half.z : core.half.z};
    return times(core.half, vertex_at(*core.hull, i));
}

Vec3d core_support(const Core& core, const Vec3d& d) {
    if (!core.points.empty()) return farthest_of(core.points, d) * core.units;
    switch (core.kind) {
        case ShapeKind::hull: return core_vertex(core, farthest_vertex(*core.hull, times(core.half, d)));
        case ShapeKind::cylinder: return rim(core.half.x, d.y < 0 ? -core.half.y : core.half.y, d);
        case ShapeKind::cone: return cone_support(core.half, d);
        case ShapeKind::ellipsoid: return ellipsoid_support(core.half, core.erosion, d);
        case ShapeKind::custom: return custom_support(*core.custom, core.half, unit(d));
        case ShapeKind::sphere:
        case ShapeKind::capsule:
        case ShapeKind::box:
        case ShapeKind::halfspace:
        case ShapeKind::compound:
        case ShapeKind::mesh:
        case ShapeKind::heightfield:
        case ShapeKind::none: break;
    }
    // A box; with extents of zero, the core of a capsule or sphere.
    return {d.x < 0 ? -core.half.x : core.half.x, d.y < 0 ? -core.half.y : core.half.y,
            d.z < 0 ? -core.half.z : core.half.z};
}

double core_reach(const Shape& shape) {
    const Vec3d& half = shape.extents;
    if (!shape.points.empty()) {
        double reach = 0;
        for (const Vec3d& point : shape.points) reach = max(reach, norm(point));
        return reach;
    }
    if (shape.kind == ShapeKind::hull) {
        // The reach follows from the scaled bounds, because the scale may be large along a short side.
        const HullGeometry& hull = *shape.hull;
        const Vec3d centre = to_double(hull.centre), low = centre - to_double(hull.bounds_min),
                    high = to_double(hull.bounds_max) - centre;
        return norm(times(half, {max(low.x, high.x), max(low.y, high.y), max(low.z, high.z)}));
    }
    if (shape.kind == ShapeKind::custom) return shape.reach;
    return shape.kind == ShapeKind::ellipsoid ? max_abs(half) : norm(half);
}

}  // namespace abut::exact
