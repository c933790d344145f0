// See body_ray.hpp.
#include "queries/rays/body_ray.hpp"

#include "queries/rays/box_ray.hpp"
#include "queries/rays/closed_forms.hpp"
#include "queries/rays/convex_ray.hpp"
#include "queries/rays/triangle_ray.hpp"
#include "shapes/kinds.hpp"
#include "shapes/surface_walk.hpp"
#include "shapes/surfaces.hpp"
#include "surfaces/solids/solid.hpp"

namespace abut {
namespace {

using maths::Vec3d;

LocalHit meet_compound(const ShapeTables& tables, ShapeId shape, const LocalRay& ray, const MeetOptions& options) {
    const CompoundGeometry& compound = tables.compound(shape);
    const maths::BoxD bounds = {maths::to_double(compound.bounds_min), maths::to_double(compound.bounds_max)};
    const BoxRay boxes(ray, bounds, 0);
    LocalHit best;
    if (boxes.misses()) return best;
    LocalRay rest = ray;  // the ray, shortened to the best hit
    const auto meet = [&](std::uint32_t child, float) {
        const CompoundPart& part = compound.parts[child];
        const maths::Mat3 axes = maths::rotation(part.orientation);
        const LocalRay in_child = {transposed_times(axes, rest.origin - part.position),
                                   transposed_times(axes, rest.direction), rest.length};
        LocalHit hit = meet_convex(tables, *options.kernels, part.instance, in_child);
        if (!hit.hits()) return true;
        hit.child = child;
        hit.normal = axes * hit.normal;
        if (comes_before(hit, best)) best = hit, rest.length = hit.distance;
        return !options.any;
    };
    (void)descend(
        compound.nodes, [&] { return boxes.limit(rest.length); },
        [&](const SixteenBoxes& some, float* out) { boxes.bounds_of(some, out); }, meet);
    return best;
}

// A triangle swept by a sphere is the union of its edges' capsules and of the prism between its two faces, moved
// outwards by the radius.
LocalHit meet_swept(const SurfaceCorners& corners, const LocalRay& ray, double radius) {
    const Vec3d p[3] = {corners[0], corners[1], corners[2]};
    LocalHit best;
    for (int k = 0; k < 3; ++k)
        if (const LocalHit hit = meet_capsule(ray, p[k], p[(k + 1) % 3], radius); comes_before(hit, best)) best = hit;
    const Vec3d normal = normal_of(corners);
    Span<OneRay> span;
    span.cut_by_plane(dot(normal, ray.origin - p[0]) - radius, dot(normal, ray.direction), normal);
    span.cut_by_plane(dot(normal, p[0] - ray.origin) - radius, -dot(normal, ray.direction), -normal);
    for (int k = 0; k < 3; ++k) {
        const Vec3d out = cross(p[(k + 1) % 3] - p[k], normal);
        span.cut_by_plane(dot(out, ray.origin - p[k]), dot(out, ray.direction), out);
    }
    const Met<OneRay> met = span.met(ray);
    LocalHit hit;
    hit.distance = met.distance, hit.normal = met.normal, hit.starts_inside = met.inside;
    if (comes_before(hit, best)) best = hit;
    return best;
}

LocalHit meet_surface(const ShapeTables& tables, ShapeId shape, const LocalRay& ray, const MeetOptions& options) {
    const Surface surface = surface_of(tables, shape);
    if (options.sides != QuerySides::back && counts_as_solid(surface, options.solid_meshes) &&
        is_inside(surface, ray.origin))
        return start_inside();
    const BoxRay boxes(ray, bounds_of(surface), double(box_slack(surface)) + surface.rounding);
    LocalHit best;
    if (boxes.misses()) return best;
    const TriangleRay triangle_ray(ray);
    const float sign = sign_of_sides(options.sides, surface.sides() == MeshSides::front ? 1.0f : 0.0f);
    LocalRay rest = ray;
    const auto meet = [&](std::uint32_t triangle) {
        const SurfaceCorners corners = corners_at(surface, triangle);
        LocalHit hit;
        if (surface.rounding > 0) {
            hit = meet_swept(corners, rest, surface.rounding);
            if (!hit.hits()) return true;
        } else {
            const TriangleRay::Crossing crossing = triangle_ray(corners);
            if (!crossing.meets || !(crossing.distance >= 0 && crossing.distance <= rest.length)) return true;
            if (crossing.from_front ? sign < 0 : sign > 0) return true;
            const Vec3d normal = normal_of(corners);
            hit.distance = crossing.distance;
            hit.normal = crossing.from_front ? normal : -normal;
        }
        hit.child = input_index(surface, triangle);
        if (comes_before(hit, best)) best = hit, rest.length = hit.distance;
        return !options.any;
    };
    (void)walk_boxes(
        surface, [&] { return boxes.limit(rest.length); },
        [&](const SixteenBoxes& some, float* out) { boxes.bounds_of(some, out); }, meet);
    return best;
}

}  // namespace

LocalHit meet_shape(const ShapeTables& tables, ShapeId shape, const LocalRay& ray, const MeetOptions& options) {
    if (is_surface(shape.kind())) return meet_surface(tables, shape, ray, options);
    if (shape.kind() == ShapeKind::compound) return meet_compound(tables, shape, ray, options);
    return meet_convex(tables, *options.kernels, shape, ray);
}

}  // namespace abut
