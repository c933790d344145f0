// Evaluates the distances of a round: each pair comes within the target or goes on. See cast_runs.hpp.
#include "convex/contract/pair_records.hpp"
#include "queries/casts/cast_call.hpp"
#include "shapes/child_poses.hpp"

namespace abut {

using maths::Vec3d;

namespace {

// A pair that starts within the tolerance counts as within the target if its distance exceeds the target by at most
// this part of the tolerance.
constexpr double kLeastStart = 0.01;
// If no axis proves a later time, a pair hits if its distance exceeds the target by at most this many times promise 1's
// error bound on distances.
constexpr double kMostBounds = 4;

}  // namespace

// Sets the bodies of an item at its time.
void CastRuns::place(const Call& call, std::uint32_t asked) {
    const Item& item = items_[live_[asked]];
    const bool is_self = item.entry.a == item.entry.b && item.child_a == item.child_b;
    if (item.is_convex_pair()) return placed_.set_pair(asked, 2 * live_[asked], is_self);
    const RigidMotion &ma = item.motion_a(), &mb = item.motion_b();
    const double time = item.moving.time;
    const ChildPoses poses_a(call.tables(), {{}, item.shape_a, ma.orientation_at(time)});
    const ChildPoses poses_b(call.tables(), {{}, item.shape_b, mb.orientation_at(time)});
    ChildPair child = {item.child_a, item.child_b, false, TriangleContact::unknown};
    const Vec3d b_from_a = mb.pose_at(time).position - ma.pose_at(time).position;
    place_child(poses_a, poses_b, b_from_a, is_self, child, placed_, asked);
}

// Evaluates the distance at an item's time: it has come within the target, or goes on along a new axis.
void CastRuns::judge(const Call& call, std::uint32_t asked) {
    Item& item = items_[live_[asked]];
    MotionPair& moving = item.moving;
    const Status status = answers_.status[asked];
    item.is_met = found_[live_[asked]].hits = false;
    // A body that continues its motion may meet the free part of a face.
    if (item.is_at_start() && call.options.start == CastStart::closing_only) settle_joined(call, true, asked);
    if (status != Status::ok) return finish(call, asked, status);
    const double distance = answers_.signed_distance[asked];
    moving.distance = distance, moving.normal = answers_.normal[asked];
    moving.has_axis = true, moving.needs_distance = false;
    bool is_within = distance <= moving.target + moving.tolerance;
    if (is_within && distance > moving.target && item.is_at_start() && call.options.start != CastStart::closing_only) {
        // The pair starts within the tolerance, but not within the target. It is no hit if it stays there, so the
        // tolerance becomes half the excess of its distance over the target.
        moving.tolerance = maths::max(0.5 * (distance - moving.target), kLeastStart * item.tolerance);
        is_within = distance <= moving.target + moving.tolerance;
    }
    // No axis proves a later time: distances are not accurate enough here, or one shape follows the other's surface.
    ++item.rounds;
    if (moving.is_stuck || item.rounds > kFewRounds)
        is_within |= distance <= moving.target + maths::max(moving.tolerance, kMostBounds * moving.bound);
    if (is_within || item.rounds > kMostRounds) finish(call, asked, is_within ? Status::ok : Status::not_converged);
    item.is_met = is_within && call.options.start != CastStart::stop;
    if (item.is_met) return;
    moving.starts = false;
    if (item.is_ignored && !item.is_decided) follow_ignored(call, item, distance);
}

// Makes the answer of an item a hit.
void CastRuns::finish(const Call& call, std::uint32_t asked, Status status) {
    const OutputView& out = answers_;
    Item& item = items_[live_[asked]];
    const RigidMotion &ma = item.motion_a(), &mb = item.motion_b();
    const double time = item.moving.time;
    // From the position of the caller's A to the position of the child that is computed first.
    Vec3d origin{};
    if (!item.is_convex_pair() || item.entry.swapped()) {
        const auto offset = [&](ShapeId shape, const RigidMotion& m, std::uint32_t child) {
            return ChildPoses(call.tables(), {{}, shape, m.orientation_at(time)})[child].offset;
        };
        const Vec3d b_from_a = mb.pose_at(time).position - ma.pose_at(time).position;
        origin = item.is_swapped ? b_from_a + offset(item.shape_b, mb, item.child_b)
                                 : offset(item.shape_a, ma, item.child_a);
        if (item.entry.swapped()) origin = origin - b_from_a;
    }
    const bool is_mirrored = item.is_swapped != item.entry.swapped();
    const auto point = [&](const Vec3& p) { return is_zero(origin) ? p : finite_float(maths::to_double(p) + origin); };
    const Vec3 n = out.normal[asked];
    const ShapeId surface = item.shape_b;
    const std::uint32_t child_b =
        is_surface(surface.kind()) ? input_index(surface_of(call.tables(), surface), item.child_b) : item.child_b;
    found_[live_[asked]] = {(item.part + time) / double(call.parts()),
                            out.signed_distance[asked],
                            is_mirrored ? Vec3{-n.x, -n.y, -n.z} : n,
                            point(is_mirrored ? out.point_b[asked] : out.point_a[asked]),
                            point(is_mirrored ? out.point_a[asked] : out.point_b[asked]),
                            item.entry.swapped() ? child_b : item.child_a,
                            item.entry.swapped() ? item.child_a : child_b,
                            status,
                            true,
                            item.entry.swapped()};
    item.is_decided = true;
}

}  // namespace abut
