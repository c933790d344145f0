// See convex_ray.hpp.
//
// The distance from a convex shape is a convex function along the ray, so Newton's method from outside never passes the
// surface. It converges quadratically; on a grazing ray, the distance shrinks by a factor of four per step. A distance
// that grows means a miss. With the distance by GJK this is the ray cast of van den Bergen [2004].
#include "queries/rays/convex_ray.hpp"

#include <limits>

#include "base/tolerances.hpp"
#include "convex/exact/signed_distance.hpp"
#include "queries/rays/closed_forms.hpp"
#include "queries/rays/core_distance.hpp"
#include "shapes/hull_support.hpp"

namespace abut {
namespace {

using maths::Vec3d;

// A point of the ray counts as a hit up to this distance from the shape, as a fraction of the shape's size.
constexpr double kArrival = 1e-8;
// A grazing ray that starts one size away from the shape needs 14 steps.
constexpr int kMostAdvances = 64;

LocalHit hit_of(const Met<OneRay>& met) {
    LocalHit hit;
    hit.distance = met.distance, hit.normal = met.normal, hit.starts_inside = met.inside;
    return hit;
}

// The face whose normal is nearest to the hit's normal.
std::uint16_t nearest_face(const HullGeometry& hull, const Vec3d& scale, const Vec3d& normal) {
    std::uint16_t nearest = kNoFace;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint16_t face = 0; face < hull.face_count; ++face) {
        const float* const plane = hull.planes.data() + face;
        const Vec3d scaled = {plane[0] / scale.x, plane[hull.padded_faces] / scale.y,
                              plane[2 * hull.padded_faces] / scale.z};
        const Vec3d apart = maths::unit(scaled) - normal;
        if (const double squared = dot(apart, apart); squared < least) least = squared, nearest = face;
    }
    return nearest;
}

// Clips the ray by the planes of the faces of a solid hull.
LocalHit meet_faces(const RayKernels& kernels, const HullGeometry& hull, const LocalRay& about_centre,
                    const Vec3d& scale) {
    const auto unscaled = [&](const Vec3d& v) { return Vec3d{v.x / scale.x, v.y / scale.y, v.z / scale.z}; };
    const Vec3d o = unscaled(about_centre.origin), d = unscaled(about_centre.direction);
    const double origin[3] = {o.x, o.y, o.z}, direction[3] = {d.x, d.y, d.z};
    const PlanesSpan planes = kernels.meet_planes(hull, origin, direction);
    const float* const plane = hull.planes.data() + planes.entry;
    Span<OneRay> span;
    span.from = planes.from, span.to = planes.to;
    span.normal = unscaled({plane[0], plane[hull.padded_faces], plane[2 * hull.padded_faces]});
    LocalHit hit = hit_of(span.met(about_centre));
    hit.face = static_cast<std::uint16_t>(planes.entry);
    return hit;
}

// A flat hull is a polygon. Rays within its plane miss.
LocalHit meet_polygon(const HullGeometry& hull, const LocalRay& ray, const Vec3d& scale) {
    const std::uint32_t count = hull.face_first[1] - hull.face_first[0];
    const auto corner = [&](std::uint32_t i) {
        return times(scale, vertex_at(hull, hull.loop[hull.face_first[0] + i % count]));
    };
    Vec3d area{};
    for (std::uint32_t i = 1; i + 1 < count; ++i) area = area + cross(corner(i) - corner(0), corner(i + 1) - corner(0));
    LocalHit hit;
    if (maths::is_zero(area)) return hit;
    const Vec3d normal = maths::unit(area);
    const double closing = -dot(normal, ray.direction), distance = dot(normal, ray.origin - corner(0)) / closing;
    if (closing == 0 || !(distance >= 0 && distance <= ray.length)) return hit;
    const Vec3d point = ray.at(distance);
    for (std::uint32_t i = 0; i < count; ++i)
        if (dot(normal, cross(corner(i + 1) - corner(i), point - corner(i))) < 0) return hit;
    hit.distance = distance;
    hit.normal = closing > 0 ? normal : -normal;
    hit.face = nearest_face(hull, scale, hit.normal);
    return hit;
}

// Newton's method (see above). distance_at(point) returns the CoreDistance of the shape with its rounding.
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

// Newton's method with the distance by GJK in double.
LocalHit advance_exactly(const ShapeTables& tables, ShapeId id, const InstanceRecord& record, const LocalRay& ray) {
    const exact::Shape shape = exact::shape_of(tables, id);
    exact::Options options;
    options.separation_only = true;
    return advance(ray, record.size, [&](const Vec3d& point) {
        const exact::Answer answer = exact::point_distance(shape, point, options);
        return CoreDistance{answer.signed_distance, answer.normal};
    });
}

LocalHit meet_hull(const ShapeTables& tables, const RayKernels& kernels, ShapeId id, const InstanceRecord& record,
                   const LocalRay& ray) {
    const HullGeometry& hull = tables.hulls[record.geometry];
    const Vec3d scale = extents_of(record), centre = times(scale, maths::to_double(hull.centre));
    const LocalRay about_centre = {ray.origin - centre, ray.direction, ray.length};
    const auto vertex = [&](std::uint32_t i) { return times(scale, vertex_at(hull, i)); };
    if (hull.vertex_count == 1) return hit_of(meet_ball<OneRay>(about_centre, vertex(0), record.radius));
    if (hull.vertex_count == 2) return meet_capsule(about_centre, vertex(0), vertex(1), record.radius);
    if (record.radius > 0) {
        LocalHit hit = advance_exactly(tables, id, record, ray);
        if (hit.hits() && !hit.starts_inside) hit.face = nearest_face(hull, scale, hit.normal);
        return hit;
    }
    if (hull.report.dimension < 3) return meet_polygon(hull, about_centre, scale);
    return meet_faces(kernels, hull, about_centre, scale);
}

// The ray starts near the shape (clip_to_ball).
LocalHit meet_near(const ShapeTables& tables, const RayKernels& kernels, ShapeId id, const InstanceRecord& record,
                   const LocalRay& ray) {
    const Vec3d half = extents_of(record);
    const double radius = record.radius, size = record.size;
    const auto swept = [&](const CoreDistance& core) { return CoreDistance{core.distance - radius, core.normal}; };
    const auto meet_segment = [&] { return meet_capsule(ray, {0, -half.y, 0}, {0, half.y, 0}, radius); };
    switch (id.kind()) {
        case ShapeKind::sphere: return hit_of(meet_ball<OneRay>(ray, {0, 0, 0}, radius));
        case ShapeKind::capsule: return meet_segment();
        case ShapeKind::box:
            if (radius > 0) return advance(ray, size, [&](const Vec3d& p) { return swept(box_distance(half, p)); });
            return hit_of(meet_box<OneRay>(ray, half));
        case ShapeKind::cylinder:
            if (half.x == 0) return meet_segment();
            if (radius > 0)
                return advance(ray, size, [&](const Vec3d& p) { return swept(cylinder_distance(half.x, half.y, p)); });
            return hit_of(meet_cylinder<OneRay>(ray, half.x, half.y));
        case ShapeKind::cone:
            if (half.x == 0) return meet_segment();
            if (radius > 0)
                return advance(ray, size, [&](const Vec3d& p) { return swept(cone_distance(half.x, half.y, p)); });
            if (half.y == 0) return hit_of(meet_cylinder<OneRay>(ray, half.x, 0));
            return hit_of(meet_cone<OneRay>(ray, half.x, half.y));
        case ShapeKind::ellipsoid:
            if (record.rounding > 0) return advance_exactly(tables, id, record, ray);
            return hit_of(meet_ellipsoid<OneRay>(ray, half));
        case ShapeKind::hull: return meet_hull(tables, kernels, id, record, ray);
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

LocalHit meet_capsule(const LocalRay& ray, const Vec3d& a, const Vec3d& b, double radius) {
    return hit_of(abut::meet_capsule<OneRay>(ray, a, b, radius));
}

namespace {

LocalHit meet_any(const ShapeTables& tables, const RayKernels& kernels, ShapeId id, const LocalRay& ray) {
    const InstanceRecord& record = tables.record(id);
    if (id.kind() == ShapeKind::halfspace)
        return hit_of(meet_halfspace<OneRay>(ray, extents_of(record), offset_of(record), record.radius));
    Vec3d centre{};
    if (id.kind() == ShapeKind::hull)
        centre = times(extents_of(record), maths::to_double(tables.hulls[record.geometry].centre));
    Clipped<OneRay> clip = clip_to_ball<OneRay>({ray.origin - centre, ray.direction, ray.length}, record.bound_radius);
    if (!clip.left) return {};
    clip.near.origin = clip.near.origin + centre;
    LocalHit hit = meet_near(tables, kernels, id, record, clip.near);
    if (hit.starts_inside && clip.begin > 0) hit.starts_inside = false, hit.normal = -ray.direction;
    if (hit.hits()) hit.distance = maths::min(hit.distance + clip.begin, ray.length);
    return hit;
}

}  // namespace

LocalHit meet_convex(const ShapeTables& tables, const RayKernels& kernels, ShapeId id, const LocalRay& ray) {
    LocalHit hit = meet_any(tables, kernels, id, ray);
    if (hit.starts_inside)
        hit.face = kNoFace;
    else if (hit.hits() && id.kind() != ShapeKind::hull)
        hit.face = static_cast<std::uint16_t>(face_along<OneRay>(id.kind(), hit.normal));
    return hit;
}

}  // namespace abut
