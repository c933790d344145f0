// See body_point.hpp. Hulls, ellipsoids and custom shapes use the exact path, other convex shapes closed forms,
// compounds and surfaces their trees.
#include "queries/rays/body_point.hpp"

#include "convex/exact/signed_distance.hpp"
#include "queries/rays/core_distance.hpp"
#include "queries/rays/mesh_ray.hpp"
#include "shapes/compound_tree.hpp"
#include "shapes/kinds.hpp"
#include "shapes/surface_walk.hpp"
#include "shapes/surfaces.hpp"
#include "surfaces/solids/solid.hpp"
#include "surfaces/triangles/probe.hpp"

namespace abut {
namespace {

using maths::Vec3d;

// The distance from a segment along Y about the origin. At a point of the segment the normal is +X, or +Y if the half
// height is 0.
CoreDistance segment_distance(double half_height, const Vec3d& point) {
    const Vec3d away = {point.x, point.y - maths::max(-half_height, maths::min(point.y, half_height)), point.z};
    if (maths::is_zero(away)) return {0, half_height > 0 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}};
    return {maths::norm(away), maths::unit(away)};
}

CoreDistance halfspace_distance(const InstanceRecord& record, const Vec3d& point) {
    const Vec3d given = extents_of(record), normal = maths::unit(given);
    return {dot(normal, point) - offset_of(record) / maths::norm(given), normal};
}

PointDistance distance_to_convex(const ShapeTables& tables, ShapeId id, const Vec3d& point, double most) {
    const InstanceRecord& record = tables.record(id);
    const Vec3d half = extents_of(record);
    const auto swept = [&](const CoreDistance& core) {
        PointDistance found;
        found.distance = core.distance - record.radius;
        found.normal = core.normal;
        return found;
    };
    switch (id.kind()) {
        case ShapeKind::sphere:
        case ShapeKind::capsule: return swept(segment_distance(half.y, point));
        case ShapeKind::box: return swept(box_distance(half, point));
        case ShapeKind::cylinder: return swept(cylinder_distance(half.x, half.y, point));
        case ShapeKind::cone: return swept(cone_distance(half.x, half.y, point));
        case ShapeKind::halfspace: return swept(halfspace_distance(record, point));
        default: break;
    }
    exact::Options options;
    options.max_distance = most;
    const exact::Answer answer = exact::point_distance(exact::shape_of(tables, id), point, options);
    PointDistance found;
    found.distance = answer.signed_distance;
    found.normal = answer.normal;
    found.status = answer.status;
    return found;
}

PointDistance distance_to_compound(const ShapeTables& tables, ShapeId shape, const Vec3d& point, double most) {
    const CompoundGeometry& compound = tables.compound(shape);
    PointDistance best;
    double reach = most;
    (void)descend(compound.nodes, box_volume({point, point}), reach, [&](std::uint32_t child) {
        const CompoundPart& part = compound.parts[child];
        const maths::Mat3 axes = maths::rotation(part.orientation);
        PointDistance found = distance_to_convex(tables, part.instance, transposed_times(axes, point - part.position),
                                                 maths::max(reach, 0));
        found.child = child;
        found.normal = axes * found.normal;
        if (found.distance < best.distance ||
            (found.distance == best.distance && child < best.child && best.distance < INFINITY))
            best = found;
        reach = maths::min(reach, best.distance);
        return true;
    });
    return best;
}

}  // namespace

// Visits the triangles that walk() of shapes/surface_walk.hpp visits, except those that find_near_triangles excludes by
// lower bounds on distances.
template <class Visit>
void ShapePoints::walk_mesh(ShapeId shape, const Volume& volume, bool is_one_sided, const Vec3d& point,
                            const double& reach, const Visit& visit) {
    if (shape != described_) describe_mesh(tables_, shape, false, mesh_), described_ = shape;
    PointWalk walk;
    walk.frame = &mesh_, walk.is_one_sided = is_one_sided;
    for (int axis = 0; axis < 3; ++axis) {
        const double at = component(point, axis);
        walk.low[axis] = volume.low[axis], walk.high[axis] = volume.high[axis];
        walk.point[axis] = static_cast<float>(at), walk.rest[axis] = static_cast<float>(at - double(walk.point[axis]));
    }
    walk.limit = limit_of(volume, reach);
    walk.stack.start(*mesh_.mesh);
    while (const std::uint32_t count = kernels_.find_near_triangles(walk)) {
        for (std::uint32_t i = 0; i < count; ++i) {
            if (walk.bounds[i] > walk.limit) continue;
            visit(walk.triangles[i]);
            walk.limit = limit_of(volume, reach);
        }
    }
}

PointDistance ShapePoints::distance_to_surface(ShapeId shape, const Vec3d& point) {
    const Surface surface = surface_of(tables_, shape);
    const bool is_solid = counts_as_solid(surface, solid_meshes_), inside = is_solid && is_inside(surface, point);
    const bool is_one_sided = !inside && !(is_solid && is_closed(surface)) && surface.sides() == MeshSides::front;
    PointDistance best;
    double reach = inside ? INFINITY : most_ + surface.rounding;  // from triangles without their rounding
    Vec3d away{};
    const auto visit = [&](std::uint32_t triangle) {
        const SurfaceCorners corners = corners_at(surface, triangle);
        if (is_one_sided && !is_in_front(point, corners)) return true;
        const Vec3d offset = offset_from(corners, point);
        const double distance = maths::norm(offset);
        const std::uint32_t input = input_index(surface, triangle);
        if (distance > reach || (distance == best.distance && input > best.child)) return true;
        best.distance = reach = distance, best.child = input;
        away = maths::is_zero(offset) ? normal_of(corners) : inside ? -offset : offset;
        return true;
    };
    const Volume volume = box_volume({point, point});
    if (surface.mesh != nullptr)
        walk_mesh(shape, widened(surface, volume), is_one_sided, point, reach, visit);
    else
        (void)walk(surface, volume, reach, visit);
    if (best.distance == INFINITY) return best;
    best.normal = maths::unit(away);
    best.distance = (inside ? -best.distance : best.distance) - surface.rounding;
    return best;
}

PointDistance ShapePoints::distance(ShapeId shape, const Vec3d& point) {
    PointDistance found;
    if (is_surface(shape.kind()))
        found = distance_to_surface(shape, point);
    else if (shape.kind() == ShapeKind::compound)
        found = distance_to_compound(tables_, shape, point, most_);
    else
        found = distance_to_convex(tables_, shape, point, most_);
    if (found.distance <= most_) return found;
    const Status status = found.status;
    found = {};
    found.status = status;
    return found;
}

}  // namespace abut
