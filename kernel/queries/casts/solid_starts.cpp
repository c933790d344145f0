// Pairs whose A starts inside B's solid, where no triangle need be near. See cast_runs.hpp.
#include <abut/custom_shape.hpp>

#include "queries/casts/cast_call.hpp"
#include "shapes/child_poses.hpp"
#include "shapes/kinds.hpp"
#include "surfaces/solids/solid.hpp"
#include "surfaces/triangles/probe.hpp"

namespace abut {
namespace {

using maths::Vec3d;

// The point of a convex shape that is farthest along a direction, both in the shape's frame.
Vec3d farthest_point_of(const ShapeTables& tables, ShapeId shape, const Vec3d& direction) {
    const Vec3d swept = maths::unit(direction) * radius_of(tables, shape);
    if (has_known_core(shape.kind())) return farthest_point(core_of(tables, shape), direction) + swept;
    const InstanceRecord& r = tables.record(shape);
    const Point<double> at = tables.customs[r.geometry]->support({r.extent_x, r.extent_y, r.extent_z},
                                                                 {direction.x, direction.y, direction.z});
    return Vec3d{at.x, at.y, at.z} + swept;
}

}  // namespace

// The answer at time 0 if the centre of A, or of a child of A, is in B's solid. The deepest child gives the answer.
std::optional<FirstHit> CastRuns::start_in_solid(const Call& call, const Entry& entry) const {
    const ShapeTables& tables = call.tables();
    const Strided<ShapeId>& shapes = call.frame.bodies.columns().shapes;
    const ShapeId shape_a = shapes[entry.a];
    const Surface surface = surface_of(tables, shapes[entry.b]);
    if (!is_solid(surface) || shape_a.kind() == ShapeKind::halfspace) return {};
    const PoseD frame = motions_[entry.b].pose_at(0), body = motions_[entry.a].pose_at(0);
    std::optional<FirstHit> deepest;
    const auto try_child = [&](std::uint32_t child, ShapeId shape, const PoseD& world) {
        const PoseD pose = seen_from(frame, world);
        const Vec3d centre = pose.position + pose.axes * local_box(tables, shape).centre;
        if (!is_inside(surface, centre)) return;
        const std::uint32_t triangle = nearest_triangle(surface, centre);
        const SolidExit exit = exit_through(surface, triangle, centre);
        const Vec3d lowest =
            pose.position + pose.axes * farthest_point_of(tables, shape, transposed_times(pose.axes, -exit.normal));
        const double distance = dot(exit.normal, lowest - exit.point) - surface.rounding;
        if (deepest && !(distance < deepest->distance)) return;
        // From the position of the caller's A, in world axes.
        const bool swapped = entry.swapped();
        const Vec3d on_a = frame.axes * lowest + frame.position - (swapped ? frame : body).position;
        const Vec3d on_b = on_a - frame.axes * exit.normal * distance;
        const Vec3d normal = frame.axes * exit.normal * (swapped ? 1.0 : -1.0);
        const std::uint32_t index = input_index(surface, triangle);
        deepest = FirstHit{0,
                           static_cast<float>(distance),
                           finite_float(normal),
                           finite_float(swapped ? on_b : on_a),
                           finite_float(swapped ? on_a : on_b),
                           swapped ? index : child,
                           swapped ? child : index,
                           Status::ok,
                           true,
                           swapped};
    };
    for_each_child(tables, shape_a, body, try_child);
    return deepest;
}

// True if a start in a solid decides the pair. It is a hit; with CastStart::ignore it is none; with closing_only it is
// a hit if its points approach each other, and the pair's triangles are cast as usual if they do not.
bool CastRuns::try_solid_start(const Call& call, const Entry& entry) {
    const std::optional<FirstHit> hit = start_in_solid(call, entry);
    if (!hit) return false;
    if (call.options.start == CastStart::ignore) return true;
    if (call.options.start == CastStart::closing_only) {
        const Vec3d normal = maths::to_double(hit->normal) * (entry.swapped() ? -1.0 : 1.0);
        const double closing = closing_speed(call, entry, 0, 0, points_of(call, entry, 0, 0, *hit), normal);
        const double speed = maths::norm(motions_[entry.a].displacement - motions_[entry.b].displacement);
        if (!(closing > kNormalError * speed)) return false;
    }
    keep_first(call, entry.pair(), *hit);
    return true;
}

}  // namespace abut
