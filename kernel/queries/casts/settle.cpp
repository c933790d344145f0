// What a pair that is within the target at the start may do (CastStart). See cast_runs.hpp.
//
// CastStart::closing_only has one rule for convex pairs and parts. A part within the target at time 0 is a hit at time
// 0 if its points approach each other along their normal. Otherwise this initial contact is ignored: the part is no hit
// until it has separated, unless it gets deeper. A part that comes within the target later is a hit, unless it
// continues an ignored part: it is met where it touches that part, it does not rise above that part along the contact's
// normal, and the gap along that normal does not close. So a body slides over the seams of a floor, and stops at a
// wall.
//
// Without rotation, the gap is linear and the signed distance convex in time, so that an ignored part is no hit until
// the end of its part of the path. With rotation the distance is computed at short intervals.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "convex/exact/exact_core.hpp"
#include "convex/exact/signed_distance.hpp"
#include "queries/casts/cast_call.hpp"
#include "shapes/child_poses.hpp"
#include "shapes/kinds.hpp"
#include "shapes/surfaces.hpp"
#include "surfaces/triangles/cone.hpp"
#include "surfaces/triangles/probe.hpp"

namespace abut {

using maths::Vec3d;

namespace {

// Errors as kNormalError: of the normal of a curved shape, and of points that rotate.
constexpr double kCurvedNormalError = 1e-4, kSwingError = 1e-4;
// Between two distances of an ignored part the bodies move, relative to each other, by at most kStepSizes of the
// smaller size, but for no less than kLeastStep of the part of the path.
constexpr double kStepSizes = 0.25, kLeastStep = 1.0 / 256;
// The heights of parts in one plane differ by at most so many tolerances of the cast and so many bounds of promise 1.
constexpr double kSameHeight = 2, kSameHeightBounds = 0.25;
// Unit directions that differ by less than this are equal.
constexpr double kSameDirection = 1e-3;

// The distance of a point from a child, in the body's frame, metres. If it exceeds `most`, the result may be any value
// above `most`.
double distance_of_part(const ShapeTables& tables, ShapeId shape, std::uint32_t child, Vec3d point, double most) {
    if (is_surface(shape.kind())) {
        const Surface surface = surface_of(tables, shape);
        return distance_to(point, corners_at(surface, child)) - surface.rounding;
    }
    if (shape.kind() == ShapeKind::compound) {
        const CompoundPart& part = tables.compound(shape).parts[child];
        point = maths::transposed_times(maths::rotation(part.orientation), point - part.position);
        shape = part.instance;
    }
    exact::Options options;
    options.max_distance = most;
    return exact::point_distance(exact::shape_of(tables, shape), point, options).signed_distance;
}

// The point whose velocity decides whether a child's gap along a direction closes, as TwoPoints: the point of the core
// below the hit's point. The surface of a round shape rolls, which does not close its gap. `own`: the hit's direction
// out of the child. For a curved shape that is met elsewhere, it is the farthest point. Half-spaces and triangles do
// not roll.
Vec3d rigid_point(const ShapeTables& tables, ShapeId shape, std::uint32_t child, const PoseD& body, const Vec3d& along,
                  const Vec3d& own, const Vec3d& of_hit) {
    if (shape.kind() == ShapeKind::halfspace || is_surface(shape.kind())) return of_hit;
    PoseD pose = {body.axes, {}};
    if (shape.kind() == ShapeKind::compound) {
        const CompoundPart& part = tables.compound(shape).parts[child];
        pose = {body.axes * maths::rotation(part.orientation), body.axes * part.position};
        shape = part.instance;
    }
    if (!is_curved(shape.kind()) || maths::norm(along - own) < kSameDirection)
        return of_hit - own * double(tables.record(shape).radius);
    const Vec3d local = maths::transposed_times(pose.axes, along);
    return pose.position + pose.axes * core_support(exact::shape_of(tables, shape), local);
}

}  // namespace

double CastRuns::Item::swing() const {
    const auto of = [](const MovingCore& core, double radius) {
        return core.motion->half_angle * maths::max(0, radius);
    };
    return 2 * (of(moving.a, moving.axis_radius_a) + of(moving.b, moving.axis_radius_b));
}

double CastRuns::Item::speed() const {
    return maths::norm(moving.b.motion->displacement - moving.a.motion->displacement) + swing();
}

void CastRuns::settle(const Call& call) {
    met_.clear();
    for (const std::uint32_t i : live_)
        if (items_[i].is_met) met_.push_back(i);
    if (met_.empty()) return;
    if (call.options.start == CastStart::closing_only) return settle_closing(call);
    for (const std::uint32_t i : met_)
        if (items_[i].is_at_start())
            for (Item& item : items_of_pair(i)) item.is_decided = true, found_[&item - items_.data()].hits = false;
}

// The items of a pair are adjacent.
std::span<CastRuns::Item> CastRuns::items_of_pair(std::uint32_t i) {
    std::size_t first = i, end = i;
    while (first > 0 && items_[first - 1].pair() == items_[i].pair()) --first;
    while (end < items_.size() && items_[end].pair() == items_[i].pair()) ++end;
    return std::span(items_).subspan(first, end - first);
}

// The deepest starts of a pair are settled first, because shallow ones may touch beside the deepest one's face. Parts
// that are met later wait, because a part that is met before them may be ignored and continue in them.
void CastRuns::settle_closing(const Call& call) {
    std::sort(met_.begin(), met_.end(), [&](std::uint32_t i, std::uint32_t k) {
        const auto key = [&](std::uint32_t of) {
            return std::make_tuple(!items_[of].is_at_start(), items_[of].pair(), found_[of].distance, of);
        };
        return key(i) < key(k);
    });
    const auto later =
        std::partition_point(met_.begin(), met_.end(), [&](std::uint32_t i) { return items_[i].is_at_start(); });
    const std::span<const std::uint32_t> starts = {met_.data(), std::size_t(later - met_.begin())};
    gaps_.resize(starts.size());
    for_each_block(call.runner.executor, starts.size(), kCastBlock, [&](std::size_t first, std::size_t end) {
        for (std::size_t m = first; m < end; ++m) {
            const Item& item = items_[starts[m]];
            gaps_[m] = gap_along(call, item, item, normal_of(call, item));
        }
        kernels_->measure_gaps({static_cast<std::uint32_t>(end - first), &gaps_[first]});
    });
    for (std::size_t m = 0; m < starts.size(); ++m) {
        const std::uint32_t i = starts[m];
        AxisGap& own = gaps_[m];
        const Vec3d normal = items_[i].is_swapped ? -own.axis : own.axis;
        std::uint32_t by = continued_by(call, i, own);
        if (by == kNoContact && !closes_gap(call, i, normal, own.gap)) {
            by = static_cast<std::uint32_t>(initial_contacts_.size());
            initial_contacts_.push_back({i, normal});
        }
        if (by != kNoContact) ignore(call, i, by, own.gap);
    }
    for (auto i = later; i != met_.end(); ++i) {
        Item& item = items_[*i];
        const std::span<const Item> all = items_of_pair(*i);
        item.waits = !item.is_ignored &&  // or the ignored part got deeper
                     std::any_of(all.begin(), all.end(), [](const Item& of) { return of.contact != kNoContact; });
        item.is_decided = !item.waits;
        if (item.waits) waiting_.push_back(*i);
    }
}

// Settles waiting items, in the order of time, up to the time that all other items of the pair have reached.
void CastRuns::settle_waiting(const Call& call) {
    const auto time_of = [&](std::uint32_t i) { return items_[i].time_of(call.parts()); };
    std::erase_if(waiting_, [&](std::uint32_t i) { return is_done(call, items_[i]); });
    std::sort(waiting_.begin(), waiting_.end(), [&](std::uint32_t i, std::uint32_t k) {
        return std::make_tuple(items_[i].pair(), time_of(i), i) < std::make_tuple(items_[k].pair(), time_of(k), k);
    });
    std::size_t kept = 0;
    double reached = 0;
    for (std::size_t w = 0; w < waiting_.size(); ++w) {
        const std::uint32_t i = waiting_[w];
        Item& item = items_[i];
        if (w == 0 || items_[waiting_[w - 1]].pair() != item.pair()) {
            reached = std::numeric_limits<double>::infinity();
            for (const Item& other : items_of_pair(i))
                if (!other.is_decided && !other.waits) reached = maths::min(reached, other.time_of(call.parts()));
        }
        if (time_of(i) > reached) {
            waiting_[kept++] = i;
            continue;
        }
        item.waits = false;
        AxisGap along;
        if (const std::uint32_t by = continued_by(call, i, along); by == kNoContact) {
            item.is_decided = true;
            keep_first(call, item.pair(), found_[i]);
        } else {
            ignore(call, i, by, along.gap);
            if (item.is_decided) continue;
            live_.push_back(i);
            reached = maths::min(reached, time_of(i));
        }
    }
    waiting_.resize(kept);
}

// The initial contact of an ignored part that this part continues. At the start the two need not touch. `along`: out,
// the gap along the contact's normal.
std::uint32_t CastRuns::continued_by(const Call& call, std::uint32_t i, AxisGap& along) {
    const Item& item = items_[i];
    const double time = item.time_of(call.parts());
    std::uint32_t tried = kNoContact;
    bool is_continued = false;
    for (const Item& other : items_of_pair(i)) {
        if (!(time < other.ignored_until) || &other == &item) continue;
        if (other.contact != tried) is_continued = continues(call, i, initial_contacts_[other.contact], along);
        tried = other.contact;
        if (is_continued && (item.is_at_start() || touches(call, i, other))) return other.contact;
    }
    return kNoContact;
}

// The normal of the latest distance, in world axes, from the entry's a to its b. A triangle's own normal replaces a
// normal that its neighbours do not allow.
Vec3d CastRuns::normal_of(const Call& call, const Item& item) const {
    const Vec3d found = maths::to_double(item.moving.normal), normal = item.is_swapped ? -found : found;
    if (!is_surface(item.shape_b.kind()) || item.shape_a.kind() == ShapeKind::halfspace) return normal;
    const PoseD surface_pose = item.motion_b().pose_at(item.moving.time);
    const PoseD body = seen_from(surface_pose, item.motion_a().pose_at(item.moving.time));
    const Surface surface = surface_of(call.tables(), item.shape_b);
    const Vec3d centre = body.position + body.axes * centre_of_bounds(call.tables(), item.shape_a);
    const double coordinate = maths::max_abs(centre) + call.tables().record(item.shape_a).bound_radius;
    const SeenSurface seen = {surface, centre, centre, coordinate, call.options.sides};
    const SurfaceCorners corners = corners_at(surface, item.child_b);
    const Vec3d face = seen.normal_at(corners);
    const Vec3d direction = -maths::transposed_times(surface_pose.axes, normal);
    const bool is_allowed = normal_source_of(seen, item.child_b, corners, face, direction) == NormalSource::feature;
    return is_allowed ? normal : -(surface_pose.axes * face);
}

// The request for the gap of the part `of` along a normal, at the time that `at` has reached.
AxisGap CastRuns::gap_along(const Call& call, const Item& of, const Item& at, const Vec3d& normal) const {
    AxisGap gap = {of.moving.a, of.moving.b, of.is_swapped ? -normal : normal, at.moving.time, 0};
    const std::size_t first = at.part * call.frame.bodies.size();
    (of.is_swapped ? gap.b : gap.a).motion = &motions_[first + of.entry.a];
    (of.is_swapped ? gap.a : gap.b).motion = &motions_[first + of.entry.b];
    return gap;
}

// True if a part does not rise above an ignored part along the contact's normal, and the gap does not close. The
// contact ends where the gap exceeds the target.
bool CastRuns::continues(const Call& call, std::uint32_t i, const InitialContact& contact, AxisGap& along) const {
    const Item& item = items_[i];
    AxisGap gaps[2] = {gap_along(call, item, item, contact.normal),
                       gap_along(call, items_[contact.item], item, contact.normal)};
    kernels_->measure_gaps({2, gaps});
    const double rise = gaps[1].gap - gaps[0].gap;
    if (rise > kSameHeight * item.tolerance + kSameHeightBounds * item.moving.bound ||
        gaps[1].gap > call.target(item.pair()) + item.tolerance || closes_gap(call, i, contact.normal, gaps[0].gap))
        return false;
    along = gaps[0];
    return true;
}

// True if, on both bodies, the points of an item's hit also lie on the children or triangles of `other`: on a shared
// face, edge or vertex.
bool CastRuns::touches(const Call& call, std::uint32_t i, const Item& other) const {
    const Item& item = items_[i];
    const FirstHit& hit = found_[i];
    // An error of the height moves the points of a round surface laterally, as far as the surface rises by that height.
    const double height = kSameHeight * item.tolerance + kSameHeightBounds * item.moving.bound,
                 size = item.tolerance / double(call.options.tolerance), room = std::sqrt(2 * size * height);
    const PoseD pose_a = item.motion_a().pose_at(item.moving.time), pose_b = item.motion_b().pose_at(item.moving.time);
    const Vec3d origin = item.entry.swapped() ? pose_b.position : pose_a.position;
    const auto is_on = [&](ShapeId shape, const PoseD& pose, std::uint32_t child, const Vec3& point) {
        const Vec3d from_body = maths::transposed_times(pose.axes, maths::to_double(point) + origin - pose.position);
        return distance_of_part(call.tables(), shape, child, from_body, room) <= room;
    };
    const bool swapped = item.entry.swapped();
    return (item.child_a == other.child_a ||
            is_on(item.shape_a, pose_a, other.child_a, swapped ? hit.point_b : hit.point_a)) &&
           (item.child_b == other.child_b ||
            is_on(item.shape_b, pose_b, other.child_b, swapped ? hit.point_a : hit.point_b));
}

CastRuns::TwoPoints CastRuns::points_of(const Call& call, const Entry& entry, std::uint32_t part, double time,
                                        const FirstHit& hit) const {
    const std::size_t first = part * call.frame.bodies.size();
    const bool swapped = entry.swapped();
    // Points are relative to the position of the caller's A.
    const Vec3d b_from_a =
        motions_[first + entry.b].pose_at(time).position - motions_[first + entry.a].pose_at(time).position;
    return {maths::to_double(swapped ? hit.point_b : hit.point_a) + (swapped ? b_from_a : Vec3d{}),
            maths::to_double(swapped ? hit.point_a : hit.point_b) - (swapped ? Vec3d{} : b_from_a)};
}

// The speed at which two points approach each other along a normal from the entry's a to its b, metres per part.
double CastRuns::closing_speed(const Call& call, const Entry& entry, std::uint32_t part, double time,
                               const TwoPoints& points, const Vec3d& normal) const {
    const std::size_t first = part * call.frame.bodies.size();
    return dot(normal, motions_[first + entry.a].velocity_at(time, points.a) -
                           motions_[first + entry.b].velocity_at(time, points.b));
}

// True if an item's gap along a normal shrinks, and would fall below the target by more than the tolerance before the
// end of the part. An ignored contact thus stays within the tolerance over many calls.
bool CastRuns::closes_gap(const Call& call, std::uint32_t i, const Vec3d& normal, double gap) const {
    const Item& item = items_[i];
    const double time = item.moving.time;
    TwoPoints points = points_of(call, item.entry, item.part, time, found_[i]);
    const Vec3d own = maths::to_double(found_[i].normal) * (item.entry.swapped() ? -1.0 : 1.0);
    points.a =
        rigid_point(call.tables(), item.shape_a, item.child_a, item.motion_a().pose_at(time), normal, own, points.a);
    points.b =
        rigid_point(call.tables(), item.shape_b, item.child_b, item.motion_b().pose_at(time), -normal, -own, points.b);
    const double closing = closing_speed(call, item.entry, item.part, time, points, normal);
    const bool is_round = is_curved(item.moving.a.kind) || is_curved(item.moving.b.kind);
    const double error = (is_round ? kCurvedNormalError : kNormalError) * item.speed() + kSwingError * item.swing();
    return closing > error &&
           gap - closing * (end_of_part(call, item) - time) < call.target(item.pair()) - item.tolerance;
}

// Ignores the item: it is no hit while it gets no deeper than `gap`.
void CastRuns::ignore(const Call& call, std::uint32_t i, std::uint32_t contact, double gap) {
    Item& item = items_[i];
    MotionPair& moving = item.moving;
    found_[i].hits = item.is_decided = moving.starts = false;
    item.is_ignored = true, item.contact = contact;
    item.ignored_until = std::numeric_limits<double>::infinity();
    const double room = maths::max(item.tolerance, moving.bound);
    moving.target = maths::min(call.target(item.pair()), gap) - room, moving.tolerance = 0.5 * room;
    if (item.swing() > 0) return follow_ignored(call, item, moving.distance);
    if (!end_part(call, item)) item.is_decided = true;
}

// For an item whose initial contact is ignored: ends that if the item has separated; otherwise sets the time of its
// next distance.
void CastRuns::follow_ignored(const Call& call, Item& item, double distance) {
    MotionPair& moving = item.moving;
    const double end = end_of_part(call, item), target = call.target(item.pair());
    if (distance > target + item.tolerance) {
        item.is_ignored = false;
        item.ignored_until = item.time_of(call.parts());
        moving.target = target, moving.tolerance = item.tolerance, moving.latest = end;
        return;
    }
    const double size = item.tolerance / double(call.options.tolerance), speed = item.speed();
    const double step = speed > 0 ? maths::max(kLeastStep, kStepSizes * size / speed) : 1;
    moving.latest = maths::min(end, moving.time + step);
}

}  // namespace abut
