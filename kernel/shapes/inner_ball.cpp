// See inner_ball.hpp.
#include "shapes/inner_ball.hpp"

#include "shapes/custom_support.hpp"

namespace abut {
namespace {

using maths::min;
using maths::Vec3d;

double least_of(const Vec3d& v) { return min(v.x, min(v.y, v.z)); }

// The least distance of the base and the lateral face from the centre. At the centre, half the height, the cone has
// half the radius of its base.
double in_cone(double radius, double half_height) {
    const double slant = std::sqrt(radius * radius + 4 * half_height * half_height);
    return slant > 0 ? min(half_height, radius * half_height / slant) : 0;
}

// The least distance of the scaled hull's face planes, normal / scale . x <= d, from its centre.
double in_hull(const HullGeometry& hull, const Vec3d& scale) {
    if (hull.face_count == 0) return 0;
    const float* const planes = hull.planes.data();
    const std::size_t column = hull.padded_faces;
    double nearest = INFINITY;
    for (std::size_t f = 0; f < hull.face_count; ++f)
        nearest = min(nearest, planes[3 * column + f] / norm(Vec3d{planes[f] / scale.x, planes[column + f] / scale.y,
                                                                   planes[2 * column + f] / scale.z}));
    return maths::max(nearest, 0);
}

}  // namespace

InnerBall inner_ball(const ShapeTables& tables, ShapeId id) {
    const InstanceRecord& r = tables.record(id);
    const Vec3d extents = {r.extent_x, r.extent_y, r.extent_z};
    switch (id.kind()) {
        case ShapeKind::hull: {
            const HullGeometry& hull = tables.hulls[r.geometry];
            return {times(extents, maths::to_double(hull.centre)), in_hull(hull, extents) + r.radius};
        }
        case ShapeKind::cone: return {{0, 0, 0}, in_cone(extents.x, extents.y) + r.radius};
        case ShapeKind::ellipsoid: return {{0, 0, 0}, least_of(extents) + r.rounding};
        // Only support points are known, so one of them is the ball's centre.
        case ShapeKind::custom: return {custom_support(*tables.customs[r.geometry], extents, {0, 1, 0}), r.radius};
        case ShapeKind::sphere:
        case ShapeKind::capsule:
        case ShapeKind::box:
        case ShapeKind::cylinder:
        case ShapeKind::halfspace:
        case ShapeKind::compound:
        case ShapeKind::mesh:
        case ShapeKind::heightfield:
        case ShapeKind::none: break;
    }
    return {{0, 0, 0}, least_of(extents) + r.radius};
}

}  // namespace abut
