// Evaluates the distances of a round. Each pair hits, or starts within the target (CastStart decides whether that is a
// hit), or continues along a new axis. See cast_runs.hpp.
#include "convex/contract/pair_records.hpp"
#include "queries/casts/cast_call.hpp"
#include "shapes/child_poses.hpp"

namespace abut {

using maths::Vec3d;

// Sets the bodies of an item at its time.
void CastRuns::place(const Call& call, std::uint32_t asked, bool with_triangles) {
    Item& item = items_[asked_[asked]];
    Body* const bodies = &placed_.bodies[2 * std::size_t(asked)];
    const bool is_self = item.a == item.b && item.child_a == item.child_b;
    placed_.body_pairs[asked] = {2 * asked, is_self ? 2 * asked : 2 * asked + 1};
    if (item.is_convex_pair()) {
        const Body* const moved = &moved_[2 * std::size_t(asked_[asked])];
        bodies[0] = moved[0], bodies[1] = moved[1];
        bodies[0].shape = item.shape_a, bodies[1].shape = item.shape_b;
        return;
    }
    const RigidMotion &ma = item.motion_a(), &mb = item.motion_b();
    const double time = item.moving.time;
    const ChildPoses poses_a(call.tables(), {{}, item.shape_a, ma.orientation_at(time)});
    const ChildPoses poses_b(call.tables(), {{}, item.shape_b, mb.orientation_at(time)});
    ChildPair& child = placed_.pairs[asked];
    child = {item.child_a, item.child_b, false, TriangleContact::unknown};
    const Vec3d b_from_a = mb.pose_at(time).position - ma.pose_at(time).position;
    place_child(poses_a, poses_b, b_from_a, child, bodies, with_triangles ? &placed_.triangles[asked] : nullptr);
}

// Evaluates the distance at an item's time.
void CastRuns::judge(const Call& call, std::uint32_t asked, const OutputView& out) {
    Item& item = items_[asked_[asked]];
    MotionPair& moving = item.moving;
    found_[asked_[asked]].hits = false;
    if (out.status[asked] != Status::ok) return finish(call, asked, out, out.status[asked]);
    item.starts = false;
    const double distance = out.signed_distance[asked];
    const bool is_first = item.part == 0 && moving.time == 0 && !item.was_asked;
    if (distance <= moving.target + moving.tolerance) {
        if (!is_first || distance <= moving.target || call.options.start == CastStart::closing_only)
            return meet(call, asked, out);
        // The pair starts within the tolerance only. It is no hit if it stays there, so the tolerance becomes half its
        // distance from the target.
        moving.tolerance = maths::max(0.5 * (distance - moving.target), item.least_tolerance);
        if (distance <= moving.target + moving.tolerance) return meet(call, asked, out);
    }
    item.was_asked = true;
    if (++item.rounds > kFewRounds && distance <= moving.target + item.full_tolerance) return meet(call, asked, out);
    if (item.rounds > kMostRounds) return finish(call, asked, out, Status::not_converged);
    moving.distance = distance, moving.normal = out.normal[asked];
    moving.has_axis = true, moving.starts = false, moving.needs_distance = false;
}

// Handles an item within the target: a hit, or a start that may not count.
void CastRuns::meet(const Call& call, std::uint32_t asked, const OutputView& out) {
    Item& item = items_[asked_[asked]];
    const bool is_first = item.part == 0 && item.moving.time == 0 && !item.was_asked;
    item.was_asked = true;
    if (is_first && call.options.start == CastStart::ignore) {
        item.is_decided = true;
        return;
    }
    finish(call, asked, out, Status::ok);
    if (!is_first || call.options.start == CastStart::stop) return;
    item.is_decided = found_[asked_[asked]].hits = false;
    item.starts = true;
}

void CastRuns::finish(const Call& call, std::uint32_t asked, const OutputView& out, Status status) {
    Item& item = items_[asked_[asked]];
    const RigidMotion &ma = item.motion_a(), &mb = item.motion_b();
    const double time = item.moving.time;
    // From the position of the caller's A to that of the child computed first.
    Vec3d origin{};
    if (!item.is_convex_pair() || item.is_entry_swapped) {
        const auto offset = [&](ShapeId shape, const RigidMotion& m, std::uint32_t child) {
            return ChildPoses(call.tables(), {{}, shape, m.orientation_at(time)})[child].offset;
        };
        const Vec3d b_from_a = mb.pose_at(time).position - ma.pose_at(time).position;
        origin = item.is_swapped ? b_from_a + offset(item.shape_b, mb, item.child_b)
                                 : offset(item.shape_a, ma, item.child_a);
        if (item.is_entry_swapped) origin = origin - b_from_a;
    }
    const bool is_mirrored = item.is_swapped != item.is_entry_swapped;
    const auto point = [&](const Vec3& p) { return is_zero(origin) ? p : finite_float(maths::to_double(p) + origin); };
    const Vec3 n = out.normal[asked];
    const ShapeId surface = item.shape_b;
    const std::uint32_t child_b =
        is_surface(surface.kind()) ? input_index(surface_of(call.tables(), surface), item.child_b) : item.child_b;
    found_[asked_[asked]] = {(item.part + time) / double(call.parts()),
                             out.signed_distance[asked],
                             is_mirrored ? Vec3{-n.x, -n.y, -n.z} : n,
                             point(is_mirrored ? out.point_b[asked] : out.point_a[asked]),
                             point(is_mirrored ? out.point_a[asked] : out.point_b[asked]),
                             item.is_entry_swapped ? child_b : item.child_a,
                             item.is_entry_swapped ? item.child_a : child_b,
                             status,
                             true,
                             item.is_entry_swapped};
    item.is_decided = true;
}

// CastStart::closing_only: if children of a pair start within the target, the nearest one is a hit if its points
// approach each other. Otherwise a hit of any of them counts only once the pair gets closer than at the start: on flat
// triangles, neighbours of the nearest one have other normals and would stop a sliding body.
void CastRuns::settle_starts(const Call& call) {
    for (std::size_t first = 0, end = 0; first < items_.size(); first = end) {
        std::size_t nearest = items_.size();
        for (end = first; end < items_.size() && items_[end].pair == items_[first].pair; ++end)
            if (items_[end].starts && (nearest == items_.size() || found_[end].distance < found_[nearest].distance))
                nearest = end;
        if (nearest == items_.size()) continue;
        if (closing_speed(call, items_[nearest], found_[nearest]) > items_[nearest].moving.tolerance) {
            found_[nearest].hits = items_[nearest].is_decided = true;
            continue;
        }
        const MotionPair& deepest = items_[nearest].moving;
        const double distance = maths::min(deepest.target, found_[nearest].distance) - 2 * deepest.tolerance;
        for (std::size_t i = first; i < end; ++i)
            items_[i].moving.target = maths::min(items_[i].moving.target, distance);
    }
}

// The speed at which the points of a hit approach each other.
double CastRuns::closing_speed(const Call& call, const Item& item, const FirstHit& hit) const {
    const std::size_t first = item.part * call.frame.bodies.size();
    const RigidMotion &a = motions_[first + (hit.is_swapped ? item.b : item.a)],
                      &b = motions_[first + (hit.is_swapped ? item.a : item.b)];
    const double time = item.moving.time;
    const Vec3d b_from_a = b.pose_at(time).position - a.pose_at(time).position;
    const Vec3d point_a = maths::to_double(hit.point_a), point_b = maths::to_double(hit.point_b) - b_from_a;
    return dot(maths::to_double(hit.normal), a.velocity_at(time, point_a) - b.velocity_at(time, point_b));
}

}  // namespace abut
