// See bounds.hpp. A world axis is a row of the rotation: the direction, in the shape's own axes, whose support is asked for.
#include "shapes/bounds.hpp"

#include <abut/compiler.hpp>

#include "geometry/custom_shape.hpp"
#include "geometry/four_wide.hpp"
#include "geometry/kinds.hpp"
#include "geometry/rounding.hpp"
#include "shapes/surfaces.hpp"
#include "tolerances.hpp"

namespace abut {
namespace {

using exact::Mat3;
using exact::Vec3d;

struct Interval {
    double low, high;
};

struct Instance {
    ShapeKind kind;
    const InstanceRecord& record;
    const HullGeometry* hull;
    const CustomShape* custom;
    Surface surface;  // of meshes and height fields

    Instance(const ShapeTables& tables, ShapeId id)
        : kind(id.kind()),
          record(tables.kinds[std::uint32_t(kind)].records[id.slot()]),
          hull(kind == ShapeKind::hull ? &tables.hulls[record.geometry] : nullptr),
          custom(tables.custom(kind, record.geometry)),
          surface(is_surface(kind) ? surface_of(tables, id) : Surface{}) {}

    Vec3d extents() const { return {record.extent_x, record.extent_y, record.extent_z}; }
    // Past extents().
    double radius() const { return kind == ShapeKind::ellipsoid ? record.rounding : record.radius; }
};

// Along d, and square to local Y, a circle of radius r about Y.
double circle(double r, const Vec3d& d) { return std::sqrt(d.x * d.x + d.z * d.z) * r; }

Interval cone_interval(const Vec3d& half, const Vec3d& d) {
    const double base = circle(half.x, d), apex = half.y * d.y;
    return {exact::least(apex, -apex - base), exact::most(apex, base - apex)};
}

// Two at a time: the baseline of every machine, spelt out because compilers do not find it by themselves.
ABUT_VECTOR(Double2, double, 2);
ABUT_VECTOR(Int4, std::int32_t, 4);

Double2 load2(const float* p) { return Double2{double(p[0]), double(p[1])}; }

#if defined(ABUT_GNU_EXTENSIONS)
Double2 lesser(Double2 a, Double2 b) { return a < b ? a : b; }
Double2 greater(Double2 a, Double2 b) { return a > b ? a : b; }
#else
Double2 lesser(const Double2& a, const Double2& b) {
    return Double2::each([&](int i) { return a[i] < b[i] ? a[i] : b[i]; });
}
Double2 greater(const Double2& a, const Double2& b) {
    return Double2::each([&](int i) { return a[i] > b[i] ? a[i] : b[i]; });
}
#endif

// The padding repeats a vertex.
Interval hull_interval(const HullGeometry& hull, const Vec3d& scale, const Vec3d& d) {
    const Vec3d along = times(d, scale);
    const float *px = hull.column_x(), *py = hull.column_y(), *pz = hull.column_z();
    Double2 low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (std::uint32_t i = 0; i < hull.padded_count; i += 2) {
        const Double2 value = load2(px + i) * along.x + load2(py + i) * along.y + load2(pz + i) * along.z;
        low = lesser(value, low);
        high = greater(value, high);
    }
    const double centre = exact::dot(along, exact::to_double(hull.centre));
    return {centre + (low[0] < low[1] ? low[0] : low[1]), centre + (high[0] > high[1] ? high[0] : high[1])};
}

// Of the vertices, to the rounding of floats; the lowest of equal ones.
Vec3d hull_point(const HullGeometry& hull, const Vec3d& scale, const Vec3d& d) {
    const Vec3d along = times(d, scale);
    const double largest = max_abs(along), shrink = largest > 0 ? 1 / largest : 0;  // within the range of floats
    const auto x = static_cast<float>(along.x * shrink), y = static_cast<float>(along.y * shrink), z = static_cast<float>(along.z * shrink);
    const float *px = hull.column_x(), *py = hull.column_y(), *pz = hull.column_z();
    Float4 most = load4(px) * x + load4(py) * y + load4(pz) * z;
    Int4 first = {0, 0, 0, 0};
    for (std::uint32_t i = 4; i < hull.padded_count; i += 4) {
        const Float4 value = load4(px + i) * x + load4(py + i) * y + load4(pz + i) * z;
        const Int4 is_more = value > most;
        first = (first & ~is_more) | (is_more & static_cast<std::int32_t>(i));
        most = abut::greater(value, most);
    }
    int lane = 0;
    for (int k = 1; k < 4; ++k)
        if (most[k] > most[lane] || (most[k] == most[lane] && first[k] + k < first[lane] + lane)) lane = k;
    const auto best = static_cast<std::uint32_t>(first[lane] + lane);
    return times(scale, exact::to_double(hull.centre) + Vec3d{px[best], py[best], pz[best]});
}

// On the rim of a disk of radius r about Y.
Vec3d rim_point(double r, double y, const Vec3d& d) {
    const double length = std::sqrt(d.x * d.x + d.z * d.z), share = length > 0 ? r / length : 0;
    return {d.x * share, y, d.z * share};
}

Interval box_interval(const BoxD& box, const Vec3d& d) {
    const auto part = [](double low, double high, double along) {
        return along < 0 ? Interval{high * along, low * along} : Interval{low * along, high * along};
    };
    const Interval x = part(box.low.x, box.high.x, d.x), y = part(box.low.y, box.high.y, d.y), z = part(box.low.z, box.high.z, d.z);
    return {x.low + y.low + z.low, x.high + y.high + z.high};
}

Interval core_interval(const Instance& instance, const Vec3d& d) {
    const Vec3d half = instance.extents();
    double extent = 0;
    switch (instance.kind) {
        case ShapeKind::cylinder: extent = half.y * std::fabs(d.y) + circle(half.x, d); break;
        case ShapeKind::cone: return cone_interval(half, d);
        case ShapeKind::ellipsoid: extent = exact::norm(times(half, d)); break;
        case ShapeKind::hull: return hull_interval(*instance.hull, half, d);
        case ShapeKind::custom: return {-custom_reach(*instance.custom, half, -d), custom_reach(*instance.custom, half, d)};
        case ShapeKind::sphere:
        case ShapeKind::capsule:
        case ShapeKind::box: extent = exact::dot(half, absolute(d)); break;
        case ShapeKind::mesh:
        case ShapeKind::heightfield: return box_interval(bounds_of(instance.surface), d);
        case ShapeKind::halfspace:
        case ShapeKind::compound:
        case ShapeKind::none: break;
    }
    return {-extent, extent};
}

bool is_axis(const Vec3d& d) { return int(d.x == 0) + int(d.y == 0) + int(d.z == 0) == 2; }

// Along an axis every product is exact.
Interval widened(const Interval& core, const Vec3d& d, double radius) {
    const double error = is_axis(d) ? 0 : kBoundsRounding * (exact::most(std::fabs(core.low), std::fabs(core.high)) + radius);
    return {-sum_above(radius + error, -core.low), sum_above(core.high, radius + error)};
}

Interval placed(const Interval& side, double at) { return {-sum_above(-side.low, -at), sum_above(side.high, at)}; }

Interval halfspace_interval(const Vec3d& normal, double offset, double towards, double at) {
    Interval side = {-INFINITY, INFINITY};
    if (towards > 0) side.high = placed({0, offset / towards}, at).high;
    if (towards < 0) side.low = placed({offset / towards, 0}, at).low;
    return is_axis(normal) ? side : Interval{-INFINITY, INFINITY};
}

BoxD halfspace_bounds(const InstanceRecord& record, const PoseD& pose) {
    const Vec3d normal = pose.axes * Vec3d{record.extent_x, record.extent_y, record.extent_z}, at = pose.position;
    const double offset = offset_of(record) + double(record.radius) * exact::norm(normal);
    const Interval x = halfspace_interval(normal, offset, normal.x, at.x), y = halfspace_interval(normal, offset, normal.y, at.y),
                   z = halfspace_interval(normal, offset, normal.z, at.z);
    return {{x.low, y.low, z.low}, {x.high, y.high, z.high}};
}

}  // namespace

BoxD tight_bounds(const ShapeTables& tables, ShapeId id, const PoseD& pose) {
    const Instance instance(tables, id);
    if (instance.kind == ShapeKind::halfspace) return halfspace_bounds(instance.record, pose);
    const auto side = [&](const Vec3d& row, double at) { return placed(widened(core_interval(instance, row), row, instance.radius()), at); };
    const Interval x = side(pose.axes.row_x, pose.position.x), y = side(pose.axes.row_y, pose.position.y), z = side(pose.axes.row_z, pose.position.z);
    return {{x.low, y.low, z.low}, {x.high, y.high, z.high}};
}

LocalBox local_box(const ShapeTables& tables, ShapeId id) {
    const Instance instance(tables, id);
    if (instance.hull == nullptr) return {{0, 0, 0}, instance.extents(), instance.radius()};
    const Vec3d low = exact::to_double(instance.hull->bounds_min), high = exact::to_double(instance.hull->bounds_max);
    return {times(instance.extents(), (low + high) * 0.5), times(instance.extents(), (high - low) * 0.5), instance.radius()};
}

double radius_of(const ShapeTables& tables, ShapeId id) { return Instance(tables, id).radius(); }

bool farthest_point(const ShapeTables& tables, ShapeId id, const Vec3d& direction, Vec3d& point) {
    const Instance instance(tables, id);
    const Vec3d half = instance.extents(), d = direction;
    switch (instance.kind) {
        case ShapeKind::sphere:
        case ShapeKind::capsule:
        case ShapeKind::box: point = {std::copysign(half.x, d.x), std::copysign(half.y, d.y), std::copysign(half.z, d.z)}; return true;
        case ShapeKind::cylinder: point = rim_point(half.x, std::copysign(half.y, d.y), d); return true;
        case ShapeKind::cone: point = 2 * half.y * d.y > circle(half.x, d) ? Vec3d{0, half.y, 0} : rim_point(half.x, -half.y, d); return true;
        case ShapeKind::ellipsoid: {
            const Vec3d seen = times(half, d);
            point = exact::is_zero(seen) ? Vec3d{} : times(half, exact::unit(seen));
            return true;
        }
        case ShapeKind::hull: point = hull_point(*instance.hull, half, d); return true;
        default: return false;
    }
}

double least_along(const ShapeTables& tables, ShapeId instance, const Vec3d& direction) {
    return core_interval(Instance(tables, instance), direction).low;
}

Vec3d centre_of_bounds(const ShapeTables& tables, ShapeId shape) {
    if (shape.kind() != ShapeKind::compound) return local_box(tables, shape).centre;
    const CompoundGeometry& compound = tables.compound(shape);
    return (exact::to_double(compound.bounds_min) + exact::to_double(compound.bounds_max)) * 0.5;
}

BoxD loose_bounds(const LocalBox& box, const PoseD& pose) {
    const Mat3& m = pose.axes;
    const Vec3d centre = pose.position + m * box.centre;
    const Vec3d extents = {exact::dot(absolute(m.row_x), box.half) + box.radius, exact::dot(absolute(m.row_y), box.half) + box.radius,
                           exact::dot(absolute(m.row_z), box.half) + box.radius};
    return {centre - extents, centre + extents};
}

}  // namespace abut
