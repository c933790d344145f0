// Computes children in the order of the times from which on they may be met, a few at a time, until the first hit comes
// before the next child's time. For pairs whose motion is straight as seen from B. See cast_runs.hpp.
#include <algorithm>

#include "queries/casts/cast_call.hpp"
#include "queries/casts/swept_box.hpp"
#include "shapes/child_poses.hpp"
#include "shapes/surface_walk.hpp"
#include "surfaces/triangles/probe.hpp"

namespace abut {
namespace {

using maths::Vec3d;

constexpr ChildRounds kRounds = {8, 4, 512, kMostItems};

BoxD widened(const BoxD& box, double by) {
    const Vec3d all_round = {by, by, by};
    return {box.low - all_round, box.high + all_round};
}

// The bounds of a child of A, at `pose` in B's frame, at time 0. If A rotates, the bounds contain the child in all
// orientations about A's centre of rotation, which moves straight.
BoxD bounds_on_way(const LocalBox& local, const PoseD& pose, const RigidMotion& a, const PoseD& frame) {
    if (!a.rotates()) return loose_bounds(local, pose);
    const Vec3d about = transposed_times(frame.axes, a.centre - frame.position);
    const Vec3d from = pose.position + pose.axes * local.centre - about;
    return widened({about, about}, maths::norm(from) + maths::norm(local.half) + local.radius);
}

}  // namespace

// True if children can be computed in the order of time. If the start counts, all children within the target at the
// start must be known together.
bool CastRuns::goes_straight(const Call& call, const Entry& entry) const {
    return call.parts() == 1 && call.options.start == CastStart::stop && !motions_[entry.b].rotates() &&
           call.frame.bodies.columns().shapes[entry.a].kind() != ShapeKind::halfspace;
}

// The latest time at which a hit of the pair matters.
double CastRuns::latest_of(const Call& call, std::uint32_t pair) const {
    double latest = call.latest(pair);
    if (first_[pair].hits) latest = maths::min(latest, first_[pair].time);
    if (call.options.reduction == CastReduction::first_of_body)
        latest = maths::min(latest, body_time_[call.body_of(pair)]);
    return latest;
}

// Lists the next children of a pair.
void CastRuns::list_next(const Call& call, Straight& pair, std::uint32_t most, OrderedChild* next) const {
    const ShapeTables& tables = call.tables();
    const Strided<ShapeId>& shapes = call.frame.bodies.columns().shapes;
    const ShapeId shape_a = shapes[pair.entry.a], shape_b = shapes[pair.entry.b];
    const RigidMotion &a = motions_[pair.entry.a], &b = motions_[pair.entry.b];
    const PoseD frame = b.pose_at(0), start = seen_from(frame, a.pose_at(0));
    const Vec3d way = transposed_times(frame.axes, a.displacement - b.displacement);
    const double target = call.target(pair.entry.pair());
    const double sizes = tables.record(shape_a).bound_radius + tables.record(shape_b).bound_radius;
    const double reach = target + kReachSlack * (target + 2 * sizes);
    FirstChildren first(pair.order, next, most, latest_of(call, pair.entry.pair()));
    const auto limit = [&] { return static_cast<float>(first.limit()); };
    const FacingTriangles facing = facing_triangles(call, pair.entry);
    const auto list_parts = [&](std::uint32_t child, const BoxD& box) {
        const SweptBox swept(widened(box, reach), way);
        (void)descend(
            tables.compound(shape_b).nodes, limit,
            [&](const SixteenBoxes& boxes, float* times) { swept.entry_times(boxes, times); },
            [&](std::uint32_t other, float time) {
            return first.add({time, child, other}), true;
            });
    };
    const auto list_triangles = [&](std::uint32_t child, const BoxD& box) {
        const Surface surface = surface_of(tables, shape_b);
        const double wide = reach + surface.rounding;
        const SweptBox swept(widened(box, wide + box_slack(surface)), way), tight(box, way);
        const auto add = [&](std::uint32_t triangle) {
            const SurfaceCorners corners = corners_at(surface, triangle);
            if (facing.take(corners)) first.add({tight.entry_time(corners, wide), child, triangle});
            return true;
        };
        (void)walk_boxes(
            surface, limit, [&](const SixteenBoxes& boxes, float* times) { swept.entry_times(boxes, times); }, add);
    };
    const auto list_of = [&](std::uint32_t child, ShapeId shape, const PoseD& pose) {
        const BoxD box = bounds_on_way(local_box(tables, shape), pose, a, frame);
        call.with_triangles ? list_triangles(child, box) : list_parts(child, box);
    };
    for_each_child(tables, shape_a, start, list_of);
    first.finish();
}

void CastRuns::run_straight(const Call& call) {
    hits_.clear(), ignored_.clear();
    search_children(
        call.runner.executor, kRounds, straight_, upcoming_,
        [&](Straight& pair, OrderedChild* next, std::uint32_t most) { list_next(call, pair, most, next); },
        [&](std::span<const Straight> some, const OrderedChild* next, std::uint32_t most) {
        items_.clear();
        for (std::size_t i = 0; i < some.size(); ++i)
            for (const OrderedChild& child : std::span(next + i * most, some[i].order.listed))
                add_item(call, some[i].entry, child.a, child.b, child.key);
        run_items(call);
        },
        [&](const Straight& pair) { return is_over(call, pair); });
    answer_hits(call);
}

// True if no later child can be hit before the first hit, or too many were computed.
bool CastRuns::is_over(const Call& call, const Straight& pair) {
    const std::uint32_t i = pair.entry.pair();
    const bool is_done = !pair.order.has_more || pair.order.last.key > latest_of(call, i) ||
                         (call.options.reduction == CastReduction::any && body_time_[0] <= 1);
    if (is_done) {
        if (first_[i].hits) note_hit(call, pair.entry, 0);
        return true;
    }
    if (pair.order.all <= call.max_child_pairs) return false;
    call.status[i] = Status::no_room;
    std::size_t& most = call.runner.counters->most_child_pairs;
    most = std::max<std::size_t>(most, pair.order.all);
    return true;
}

}  // namespace abut
