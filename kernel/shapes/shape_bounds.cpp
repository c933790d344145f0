// See shape_bounds.hpp. Row i of the rotation matrix is world axis i in the shape's frame: the direction of its
// support.
#include "shapes/shape_bounds.hpp"

#include "base/rounding.hpp"
#include "base/tolerances.hpp"
#include "shapes/custom_support.hpp"
#include "shapes/hull_support.hpp"
#include "shapes/kinds.hpp"
#include "shapes/surfaces.hpp"

namespace abut {
namespace {

using maths::Mat3;
using maths::Vec3d;

struct Interval {
    double low, high;
};

struct Instance {
    ShapeKind kind;
    const InstanceRecord& record;
    const HullGeometry* hull;
    const CustomShape* custom;
    Surface surface;  // for meshes and height fields

    Instance(const ShapeTables& tables, ShapeId id)
        : kind(id.kind()),
          record(tables.kinds[std::uint32_t(kind)].records[id.slot()]),
          hull(kind == ShapeKind::hull ? &tables.hulls[record.geometry] : nullptr),
          custom(tables.custom(kind, record.geometry)),
          surface(is_surface(kind) ? surface_of(tables, id) : Surface{}) {}

    Vec3d extents() const { return {record.extent_x, record.extent_y, record.extent_z}; }
    // The radius beyond extents().
    double radius() const { return kind == ShapeKind::ellipsoid ? record.rounding : record.radius; }
};

// The support value along d of a circle of radius r about local Y, in the plane perpendicular to Y.
double circle(double r, const Vec3d& d) { return std::sqrt(d.x * d.x + d.z * d.z) * r; }

Interval cone_interval(const Vec3d& half, const Vec3d& d) {
    const double base = circle(half.x, d), apex = half.y * d.y;
    return {maths::min(apex, -apex - base), maths::max(apex, base - apex)};
}

Interval hull_interval(const HullGeometry& hull, const Vec3d& scale, const Vec3d& d) {
    const Vec3d along = times(d, scale);
    const double centre = maths::dot(along, maths::to_double(hull.centre));
    const auto reach = [&](const Vec3d& direction) {
        return maths::dot(vertex_at(hull, farthest_vertex(hull, direction)), along);
    };
    return {centre + reach(-along), centre + reach(along)};
}

Interval box_interval(const BoxD& box, const Vec3d& d) {
    const auto part = [](double low, double high, double along) {
        return along < 0 ? Interval{high * along, low * along} : Interval{low * along, high * along};
    };
    const Interval x = part(box.low.x, box.high.x, d.x), y = part(box.low.y, box.high.y, d.y),
                   z = part(box.low.z, box.high.z, d.z);
    return {x.low + y.low + z.low, x.high + y.high + z.high};
}

Interval core_interval(const Instance& instance, const Vec3d& d) {
    const Vec3d half = instance.extents();
    double extent = 0;
    switch (instance.kind) {
        case ShapeKind::cylinder: extent = half.y * std::fabs(d.y) + circle(half.x, d); break;
        case ShapeKind::cone: return cone_interval(half, d);
        case ShapeKind::ellipsoid: extent = maths::norm(times(half, d)); break;
        case ShapeKind::hull: return hull_interval(*instance.hull, half, d);
        case ShapeKind::custom:
            return {-custom_reach(*instance.custom, half, -d), custom_reach(*instance.custom, half, d)};
        case ShapeKind::sphere:
        case ShapeKind::capsule:
        case ShapeKind::box: extent = maths::dot(half, absolute(d)); break;
        case ShapeKind::mesh:
        case ShapeKind::heightfield: return box_interval(solid_bounds_of(instance.surface), d);
        case ShapeKind::halfspace:
        case ShapeKind::compound:
        case ShapeKind::none: break;
    }
    return {-extent, extent};
}

bool is_axis(const Vec3d& d) { return int(d.x == 0) + int(d.y == 0) + int(d.z == 0) == 2; }

// Along an axis every product is exact.
Interval widened(const Interval& core, const Vec3d& d, double radius) {
    const double error =
        is_axis(d) ? 0 : kBoundsRounding * (maths::max(std::fabs(core.low), std::fabs(core.high)) + radius);
    return {-sum_above(radius + error, -core.low), sum_above(core.high, radius + error)};
}

Interval placed(const Interval& interval, double at) {
    return {-sum_above(-interval.low, -at), sum_above(interval.high, at)};
}

Interval halfspace_interval(const Vec3d& normal, double offset, double towards, double at) {
    Interval interval = {-INFINITY, INFINITY};
    if (towards > 0) interval.high = placed({0, offset / towards}, at).high;
    if (towards < 0) interval.low = placed({offset / towards, 0}, at).low;
    return is_axis(normal) ? interval : Interval{-INFINITY, INFINITY};
}

BoxD halfspace_bounds(const InstanceRecord& record, const PoseD& pose) {
    const Vec3d normal = pose.axes * Vec3d{record.extent_x, record.extent_y, record.extent_z}, at = pose.position;
    const double offset = offset_of(record) + double(record.radius) * maths::norm(normal);
    const Interval x = halfspace_interval(normal, offset, normal.x, at.x),
                   y = halfspace_interval(normal, offset, normal.y, at.y),
                   z = halfspace_interval(normal, offset, normal.z, at.z);
    return {{x.low, y.low, z.low}, {x.high, y.high, z.high}};
}

}  // namespace

BoxD tight_bounds(const ShapeTables& tables, ShapeId id, const PoseD& pose) {
    const Instance instance(tables, id);
    if (instance.kind == ShapeKind::halfspace) return halfspace_bounds(instance.record, pose);
    const auto interval = [&](const Vec3d& row, double at) {
        return placed(widened(core_interval(instance, row), row, instance.radius()), at);
    };
    const Interval x = interval(pose.axes.row_x, pose.position.x), y = interval(pose.axes.row_y, pose.position.y),
                   z = interval(pose.axes.row_z, pose.position.z);
    return {{x.low, y.low, z.low}, {x.high, y.high, z.high}};
}

LocalBox local_box(const ShapeTables& tables, ShapeId id) {
    const Instance instance(tables, id);
    if (instance.hull == nullptr) return {{0, 0, 0}, instance.extents(), instance.radius()};
    const Vec3d low = maths::to_double(instance.hull->bounds_min), high = maths::to_double(instance.hull->bounds_max);
    return {times(instance.extents(), (low + high) * 0.5), times(instance.extents(), (high - low) * 0.5),
            instance.radius()};
}

double radius_of(const ShapeTables& tables, ShapeId id) { return Instance(tables, id).radius(); }

double least_along(const ShapeTables& tables, ShapeId instance, const Vec3d& direction) {
    return core_interval(Instance(tables, instance), direction).low;
}

Vec3d centre_of_bounds(const ShapeTables& tables, ShapeId shape) {
    if (shape.kind() != ShapeKind::compound) return local_box(tables, shape).centre;
    const CompoundGeometry& compound = tables.compound(shape);
    return (maths::to_double(compound.bounds_min) + maths::to_double(compound.bounds_max)) * 0.5;
}

BoxD loose_bounds(const LocalBox& box, const PoseD& pose) {
    const Mat3& m = pose.axes;
    const Vec3d centre = pose.position + m * box.centre;
    const Vec3d extents = {maths::dot(absolute(m.row_x), box.half) + box.radius,
                           maths::dot(absolute(m.row_y), box.half) + box.radius,
                           maths::dot(absolute(m.row_z), box.half) + box.radius};
    return {centre - extents, centre + extents};
}

}  // namespace abut
