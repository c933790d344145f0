// See convex_ray.hpp.
//
// The distance from a convex shape is a convex function along the ray. So Newton's method from outside never passes the surface. It converges
// quadratically, at grazing rays by a factor of four per step; if the distance grows, the ray misses. With the distance by GJK this is the ray cast
// of van den Bergen [2004].
#include "rays/convex_ray.hpp"

#include "exact/signed_distance.hpp"
#include "geometry/hull_support.hpp"
#include "rays/core_distance.hpp"
#include "tolerances.hpp"

namespace abut {
namespace {

using exact::Vec3d;

// The ball about the near part's origin is larger than the shape's by this factor; the latter is rounded up to a float.
constexpr double kBallExcess = 1 + 1e-9;
// Rounding of the distance between the ray's line and a centre, as a part of the coordinates.
constexpr double kLineRounding = 1e-15;
// The distance, as a part of the size, at which a ray has arrived.
constexpr double kArrival = 1e-8;
// Grazing rays need 14 from a distance of one size.
constexpr int kMostAdvances = 64;

Vec3d extents_of(const InstanceRecord& record) { return {record.extent_x, record.extent_y, record.extent_z}; }

// An infinite cylinder about local Y.
void cut_by_tube(Span& span, const Vec3d& o, const Vec3d& d, double radius) {
    const double square = d.x * d.x + d.z * d.z;
    if (square == 0) {
        if (o.x * o.x + o.z * o.z > radius * radius) span.to = -INFINITY;
        return;
    }
    const double middle = -(o.x * d.x + o.z * d.z) / square, across = o.x * d.z - o.z * d.x;
    const double chord = radius * radius - across * across / square;
    if (chord < 0) {
        span.to = -INFINITY;
        return;
    }
    const double half = std::sqrt(chord / square), enters = middle - half;
    span.cut(enters, middle + half, {o.x + d.x * enters, 0, o.z + d.z * enters});
}

void cut_by_slab(Span& span, const Vec3d& o, const Vec3d& d, int axis, double half) {
    const Vec3d out = {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
    span.cut_by_plane(component(o, axis) - half, component(d, axis), out);
    span.cut_by_plane(-component(o, axis) - half, -component(d, axis), -out);
}

Span meet_box(const LocalRay& ray, const Vec3d& half) {
    Span span;
    for (int axis = 0; axis < 3; ++axis) cut_by_slab(span, ray.origin, ray.direction, axis, component(half, axis));
    return span;
}

Span meet_cylinder(const LocalRay& ray, double radius, double half_height) {
    Span span;
    cut_by_slab(span, ray.origin, ray.direction, 1, half_height);
    cut_by_tube(span, ray.origin, ray.direction, radius);
    return span;
}

// The nappe below the apex: cosine * radial <= sine * w, where w >= 0 is the depth below the apex; sine and cosine of the half angle at the apex.
void cut_by_nappe(Span& span, const Vec3d& o, const Vec3d& d, double apex, double sine, double cosine) {
    const double w = apex - o.y;
    const double a = cosine * cosine * (d.x * d.x + d.z * d.z) - sine * sine * d.y * d.y;
    const double b = cosine * cosine * (o.x * d.x + o.z * d.z) + sine * sine * w * d.y;
    const double c = cosine * cosine * (o.x * o.x + o.z * o.z) - sine * sine * w * w;
    const auto normal_at = [&](double t) {
        const Vec3d p = o + d * t;
        const double radial = std::sqrt(p.x * p.x + p.z * p.z);
        return radial > 0 ? Vec3d{cosine * p.x / radial, sine, cosine * p.z / radial} : Vec3d{0, 1, 0};
    };
    const auto nothing = [&] { span.to = -INFINITY; };
    const double square = b * b - a * c;
    if (a > 0) {
        if (square < 0) return nothing();
        const double root = b < 0 ? -b + std::sqrt(square) : -b - std::sqrt(square), first = root / a, second = root != 0 ? c / root : 0;
        const double enters = exact::least(first, second), leaves = exact::most(first, second);
        if (w - d.y * 0.5 * (enters + leaves) < 0) return nothing();
        span.cut(enters, leaves, normal_at(enters));
        return;
    }
    // Steeper than the slope: the ray enters or leaves the lower nappe.
    const double root = b < 0 ? -b + std::sqrt(exact::most(square, 0)) : -b - std::sqrt(exact::most(square, 0));
    if (root == 0 && c > 0) return nothing();
    const double second = root != 0 ? c / root : 0, first = a < 0 ? root / a : second;
    if (d.y < 0) {
        const double enters = a < 0 ? exact::most(first, second) : second;
        span.cut(enters, INFINITY, normal_at(enters));
    } else {
        span.to = exact::least(span.to, a < 0 ? exact::least(first, second) : second);
    }
}

Span meet_cone(const LocalRay& ray, double radius, double half_height) {
    const double slope = std::sqrt(radius * radius + 4 * half_height * half_height);
    Span span;
    cut_by_slab(span, ray.origin, ray.direction, 1, half_height);
    cut_by_nappe(span, ray.origin, ray.direction, half_height, radius / slope, 2 * half_height / slope);
    return span;
}

// In the frame in which it is the unit ball.
Span meet_ellipsoid(const LocalRay& ray, const Vec3d& radii) {
    const Vec3d inverse = {1 / radii.x, 1 / radii.y, 1 / radii.z}, o = times(ray.origin, inverse), d = times(ray.direction, inverse);
    const Vec3d across = cross(o, d);
    const double square = dot(d, d), chord = 1 - dot(across, across) / square;
    Span span;
    if (chord < 0) {
        span.to = -INFINITY;
        return span;
    }
    const double middle = -dot(o, d) / square, half = std::sqrt(chord / square);
    span.cut(middle - half, middle + half, times(o + d * (middle - half), inverse));
    return span;
}

LocalHit meet_ball(const LocalRay& ray, const Vec3d& centre, double radius) {
    const Vec3d o = ray.origin - centre;
    const double middle = -dot(o, ray.direction);
    const Vec3d nearest = o + ray.direction * middle;
    const double chord = radius * radius - dot(nearest, nearest);
    if (chord < 0) return {};
    const double half = std::sqrt(chord);
    Span span;
    span.cut(middle - half, middle + half, o + ray.direction * (middle - half));
    return span.hit(ray);
}

// The planes of a solid's faces, in unscaled coordinates about the hull's centre.
Span meet_planes(const HullGeometry& hull, const Vec3d& o, const Vec3d& d, const Vec3d& scale) {
    const float *x = hull.planes.data(), *y = x + hull.padded_faces, *z = y + hull.padded_faces, *offset = z + hull.padded_faces;
    double from = -INFINITY, to = INFINITY;
    std::uint32_t entry = 0;
    for (std::uint32_t i = 0; i < hull.face_count; ++i) {
        const Vec3d n = {x[i], y[i], z[i]};
        // No branches: every other one would be mispredicted.
        const double height = dot(n, o) - offset[i], slope = dot(n, d), at = -height / slope;
        const double enters = slope < 0 ? at : -INFINITY, leaves = slope > 0 ? at : slope < 0 || height <= 0 ? INFINITY : -INFINITY;
        entry = enters > from ? i : entry;
        from = enters > from ? enters : from;
        to = leaves < to ? leaves : to;
    }
    const Vec3d n = {x[entry], y[entry], z[entry]};
    Span span;
    span.from = from, span.to = to;
    span.normal = {n.x / scale.x, n.y / scale.y, n.z / scale.z};
    return span;
}

// A flat polygon; rays within its plane miss.
LocalHit meet_polygon(const HullGeometry& hull, const LocalRay& ray, const Vec3d& scale) {
    const std::uint32_t count = hull.face_first[1] - hull.face_first[0];
    const auto corner = [&](std::uint32_t i) { return times(scale, vertex_at(hull, hull.loop[hull.face_first[0] + i % count])); };
    Vec3d area{};
    for (std::uint32_t i = 1; i + 1 < count; ++i) area = area + cross(corner(i) - corner(0), corner(i + 1) - corner(0));
    LocalHit hit;
    if (exact::is_zero(area)) return hit;
    const Vec3d normal = exact::unit(area);
    const double closing = -dot(normal, ray.direction), distance = dot(normal, ray.origin - corner(0)) / closing;
    if (closing == 0 || !(distance >= 0 && distance <= ray.length)) return hit;
    const Vec3d point = ray.at(distance);
    for (std::uint32_t i = 0; i < count; ++i)
        if (dot(normal, cross(corner(i + 1) - corner(i), point - corner(i))) < 0) return hit;
    hit.distance = distance;
    hit.normal = closing > 0 ? normal : -normal;
    return hit;
}

// Newton's method (see above). `distance_at(point)`: of the shape, rounding included.
template <class DistanceAt>
LocalHit advance(const LocalRay& ray, double size, const DistanceAt& distance_at) {
    LocalHit hit;
    double at = 0;
    Vec3d normal{};
    for (int i = 0; i < kMostAdvances; ++i) {
        const CoreDistance found = distance_at(ray.at(at));
        if (found.distance <= 0 && i == 0) return start_inside();
        if (found.distance > 0) normal = found.normal;
        const double closing = -dot(normal, ray.direction);
        if (found.distance > 0 && closing <= 0) return {};
        if (found.distance <= kArrival * size) {
            hit.distance = at;
            hit.normal = normal;
            return hit;
        }
        at += found.distance / closing;
        if (at > ray.length) return {};
    }
    hit.distance = at;
    hit.normal = normal;
    hit.status = Status::not_converged;
    return hit;
}

// ... with the distance by GJK in double.
LocalHit advance_exactly(const ShapeTables& tables, ShapeId id, const InstanceRecord& record, const LocalRay& ray) {
    const exact::Shape shape = exact::shape_of(tables, id);
    exact::Options options;
    options.separation_only = true;
    return advance(ray, record.size, [&](const Vec3d& point) {
        const exact::Answer answer = exact::point_distance(shape, point, options);
        return CoreDistance{answer.signed_distance, answer.normal};
    });
}

LocalHit meet_hull(const ShapeTables& tables, ShapeId id, const InstanceRecord& record, const LocalRay& ray) {
    const HullGeometry& hull = tables.hulls[record.geometry];
    const Vec3d scale = extents_of(record), centre = times(scale, exact::to_double(hull.centre));
    const LocalRay about_centre = {ray.origin - centre, ray.direction, ray.length};
    if (hull.vertex_count == 1) return meet_ball(about_centre, times(scale, vertex_at(hull, 0)), record.radius);
    if (hull.vertex_count == 2) return meet_capsule(about_centre, times(scale, vertex_at(hull, 0)), times(scale, vertex_at(hull, 1)), record.radius);
    if (record.radius > 0) return advance_exactly(tables, id, record, ray);
    if (hull.report.dimension < 3) return meet_polygon(hull, about_centre, scale);
    const auto unscaled = [&](const Vec3d& v) { return Vec3d{v.x / scale.x, v.y / scale.y, v.z / scale.z}; };
    return meet_planes(hull, unscaled(about_centre.origin), unscaled(ray.direction), scale).hit(ray);
}

LocalHit meet_halfspace(const InstanceRecord& record, const LocalRay& ray) {
    const Vec3d given = extents_of(record), normal = exact::unit(given);
    const double height = dot(normal, ray.origin) - (offset_of(record) / exact::norm(given) + record.radius);
    Span span;
    span.cut_by_plane(height, dot(normal, ray.direction), normal);
    return span.hit(ray);
}

// For a ray close to the shape.
LocalHit meet_near(const ShapeTables& tables, ShapeId id, const InstanceRecord& record, const LocalRay& ray) {
    const Vec3d half = extents_of(record);
    const double radius = record.radius, size = record.size;
    const auto swept = [&](const CoreDistance& core) { return CoreDistance{core.distance - radius, core.normal}; };
    const auto meet_segment = [&] { return meet_capsule(ray, {0, -half.y, 0}, {0, half.y, 0}, radius); };
    switch (id.kind()) {
        case ShapeKind::sphere: return meet_ball(ray, {}, radius);
        case ShapeKind::capsule: return meet_segment();
        case ShapeKind::box:
            if (radius > 0) return advance(ray, size, [&](const Vec3d& p) { return swept(box_distance(half, p)); });
            return meet_box(ray, half).hit(ray);
        case ShapeKind::cylinder:
            if (half.x == 0) return meet_segment();
            if (radius > 0) return advance(ray, size, [&](const Vec3d& p) { return swept(cylinder_distance(half.x, half.y, p)); });
            return meet_cylinder(ray, half.x, half.y).hit(ray);
        case ShapeKind::cone:
            if (half.x == 0) return meet_segment();
            if (radius > 0) return advance(ray, size, [&](const Vec3d& p) { return swept(cone_distance(half.x, half.y, p)); });
            if (half.y == 0) return meet_cylinder(ray, half.x, 0).hit(ray);
            return meet_cone(ray, half.x, half.y).hit(ray);
        case ShapeKind::ellipsoid:
            if (record.rounding > 0) return advance_exactly(tables, id, record, ray);
            return meet_ellipsoid(ray, half).hit(ray);
        case ShapeKind::hull: return meet_hull(tables, id, record, ray);
        case ShapeKind::custom: return advance_exactly(tables, id, record, ray);
        case ShapeKind::halfspace:
        case ShapeKind::compound:
        case ShapeKind::mesh:
        case ShapeKind::heightfield:
        case ShapeKind::none: break;
    }
    return {};
}

}  // namespace

bool clip_to_ball(const LocalRay& ray, double radius, LocalRay& near, double& begin) {
    const double middle = -dot(ray.origin, ray.direction), reach = radius * kBallExcess + kLineRounding * exact::max_abs(ray.origin);
    const Vec3d nearest = ray.at(middle);
    if (middle + reach < 0 || dot(nearest, nearest) > reach * reach) return false;
    begin = exact::most(0, middle - reach);
    if (begin > ray.length) return false;
    near = {ray.at(begin), ray.direction, ray.length - begin};
    return true;
}

// The hit is on the tube if the ray enters it between its ends, otherwise on the ball at the nearer end.
LocalHit meet_capsule(const LocalRay& ray, const Vec3d& a, const Vec3d& b, double radius) {
    const Vec3d axis = b - a, o = ray.origin - a;
    const double along = dot(axis, axis);
    const auto share_of = [&](const Vec3d& p) { return along > 0 ? exact::most(0, exact::least(dot(p, axis) / along, 1)) : 0.0; };
    const Vec3d from_axis = o - axis * share_of(o);
    if (dot(from_axis, from_axis) <= radius * radius) return start_inside();
    double end = share_of(o);
    if (along > 0) {
        // Relative to the axis: without the components along it.
        const Vec3d out = o - axis * (dot(o, axis) / along), way = ray.direction - axis * (dot(ray.direction, axis) / along);
        const double square = dot(way, way);
        if (square > 0) {
            const double middle = -dot(out, way) / square;
            const Vec3d nearest = out + way * middle;
            const double chord = radius * radius - dot(nearest, nearest);
            if (chord < 0) return {};
            const double enters = middle - std::sqrt(chord / square), at = dot(o + ray.direction * enters, axis) / along;
            if (at >= 0 && at <= 1) {
                LocalHit hit;
                if (enters < 0 || enters > ray.length) return hit;
                hit.distance = enters;
                const Vec3d normal = out + way * enters;
                hit.normal = exact::unit(exact::is_zero(normal) ? -way : normal);
                return hit;
            }
            end = at < 0 ? 0 : 1;
        } else {
            end = dot(ray.direction, axis) > 0 ? 0 : 1;
        }
    }
    return meet_ball(ray, end > 0.5 ? b : a, radius);
}

LocalHit meet_convex(const ShapeTables& tables, ShapeId id, const LocalRay& ray) {
    const InstanceRecord& record = tables.record(id);
    if (id.kind() == ShapeKind::halfspace) return meet_halfspace(record, ray);
    Vec3d centre{};
    if (id.kind() == ShapeKind::hull) centre = times(extents_of(record), exact::to_double(tables.hulls[record.geometry].centre));
    LocalRay near;
    double begin = 0;
    if (!clip_to_ball({ray.origin - centre, ray.direction, ray.length}, record.bound_radius, near, begin)) return {};
    near.origin = near.origin + centre;
    LocalHit hit = meet_near(tables, id, record, near);
    if (hit.starts_inside && begin > 0) hit.starts_inside = false, hit.normal = -ray.direction;
    if (hit.hits()) hit.distance = exact::least(hit.distance + begin, ray.length);
    return hit;
}

}  // namespace abut
