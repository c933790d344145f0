// Bounds for the caller's broad phase: body by body, in double, rounded outwards once.
#include <abut/bounds.hpp>

#include "frame_checks.hpp"
#include "isa/fp_environment.hpp"
#include "pairs/child_poses.hpp"
#include "pairs/good_pose.hpp"
#include "shapes/bounds.hpp"
#include "shapes/rounding.hpp"

namespace abut {
namespace {

BoxD bounds_of(const ShapeStore::Tables& tables, const Body& body) {
    if (!tables.lives(body.shape) || !is_good_pose(body)) return kNoBounds;
    const PoseD pose = pose_of(body);
    if (body.shape.kind() != ShapeKind::compound) return tight_bounds(tables, body.shape, pose);
    BoxD all = kNoBounds;
    for (const CompoundPart& part : tables.compound(body.shape).parts)
        all = joined(all, tight_bounds(tables, part.instance, moved(pose, part)));
    return all;
}

}  // namespace

CallResult world_bounds(const ShapeStore& shapes, Strided<Body> bodies, std::span<Bounds> bounds) {
    if (CallResult result = check_size("world_bounds: bounds", bounds, bodies.size(), false); !result) return result;
    const FpEnvironment environment;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const BoxD box = bounds_of(shapes.tables(), bodies[i]);
        bounds[i] = {{round_down(box.low.x), round_down(box.low.y), round_down(box.low.z)},
                     {round_up(box.high.x), round_up(box.high.y), round_up(box.high.z)}};
    }
    return {};
}

}  // namespace abut
