// See cast_runs.hpp.
#include "pipeline/cast_runs.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "frame/pair_records.hpp"
#include "frame/valid_pose.hpp"
#include "pairs/child_walk.hpp"
#include "parallel/fp_environment.hpp"
#include "parallel/parallel_for.hpp"

namespace abut {
namespace {

using exact::Vec3d;

constexpr std::size_t kBlockItems = 128;
// Items that are computed together.
constexpr std::size_t kMostItems = 1u << 17;
// For one part of a path; the 99th percentile of fast thin spinners is 49. Pairs that stay within the tolerance for more than the few are hits there.
constexpr std::uint32_t kFewRounds = 200, kMostRounds = 500;
// Children are looked for at so many times at most, each of which serves a motion of this many sizes of the smaller body.
constexpr double kSliceSizes = 2;
constexpr int kMostSlices = 64;
// A tolerance is no less than this many of promise 1's bounds, so that every distance beyond it leaves room for a step.
constexpr double kLeastBounds = 4;

template <class Each>
void for_each_block(const Executor& executor, std::size_t count, const Each& each) {
    parallel_for(executor, (count + kBlockItems - 1) / kBlockItems, [&](std::size_t block) {
        const FpEnvironment environment;
        const std::size_t end = std::min(count, (block + 1) * kBlockItems);
        for (std::size_t i = block * kBlockItems; i < end; ++i) each(static_cast<std::uint32_t>(i));
    });
}

struct Sizes {
    double smaller, larger;
};
// A half-space has no size: the other's stands for both.
Sizes sizes_of(const ShapeTables& tables, ShapeId a, ShapeId b) {
    const double size_a = tables.record(a.kind() == ShapeKind::halfspace ? b : a).size;
    const double size_b = tables.record(b.kind() == ShapeKind::halfspace ? a : b).size;
    return {exact::least(size_a, size_b), exact::most(size_a, size_b)};
}

void put_end(const Bodies& bodies, std::size_t i, double (&position)[3], float (&orientation)[4]) {
    const auto put = [&](const auto& at, const Quat& q) {
        position[0] = at.x, position[1] = at.y, position[2] = at.z;
        orientation[0] = q.x, orientation[1] = q.y, orientation[2] = q.z, orientation[3] = q.w;
    };
    if (bodies.records().empty()) return put(bodies.position(i), bodies[i].orientation);
    const Body& body = *reinterpret_cast<const Body*>(bodies.records().address(i));
    put(body.position, body.orientation);
}

MovingCore core_of(const ShapeTables& tables, ShapeId shape) {
    const InstanceRecord& record = tables.record(shape);
    const ShapeIdentity& identity = tables.kinds[static_cast<std::uint32_t>(shape.kind())].identities[shape.slot()];
    return {nullptr, &record, shape.kind() == ShapeKind::hull ? &tables.hulls[record.geometry] : nullptr, identity.origin_radius};
}

bool comes_before(const FirstHit& x, const FirstHit& y) {
    const auto depth = [](const FirstHit& hit) { return hit.time == 0 ? hit.distance : 0.0f; };
    const auto first = [](const FirstHit& hit) { return hit.is_swapped ? hit.child_b : hit.child_a; };
    const auto second = [](const FirstHit& hit) { return hit.is_swapped ? hit.child_a : hit.child_b; };
    return std::make_tuple(x.time, depth(x), first(x), second(x)) < std::make_tuple(y.time, depth(y), first(y), second(y));
}

}  // namespace

struct CastRuns::Call {
    const Frame& frame;
    const Motions& motions;
    const CastOptions& options;
    std::uint32_t max_child_pairs;
    const ChunkRunner& runner;
    Status* status;

    const ShapeTables& tables() const { return tables_of(*frame.shapes); }
    std::size_t parts() const { return motions.ends.size(); }
    std::uint32_t body_of(std::uint32_t pair) const { return frame.pairs[pair].a; }
    double target(std::uint32_t pair) const { return options.targets.empty() ? options.target : options.targets[pair]; }
    double latest(std::uint32_t pair) const { return options.latest.empty() ? 1.0 : double(options.latest[pair]); }
};

void CastRuns::move_bodies(const Call& call) {
    const std::size_t bodies = call.frame.bodies.size(), blocks = (bodies + kBlockItems - 1) / kBlockItems;
    if (motions_.size() < bodies * call.parts()) motions_.resize(bodies * call.parts());
    parallel_for(call.runner.executor, blocks * call.parts(), [&](std::size_t block) {
        const FpEnvironment environment;
        const std::size_t part = block / blocks, first = block % blocks * kBlockItems, count = std::min(kBlockItems, bodies - first);
        const Bodies &from = part == 0 ? call.frame.bodies : call.motions.ends[part - 1], &to = call.motions.ends[part];
        MotionEnds ends[kBlockItems];
        for (std::size_t i = 0; i < count; ++i) {
            put_end(from, first + i, ends[i].from, ends[i].orientation);
            put_end(to, first + i, ends[i].to, ends[i].end_orientation);
            const Vec3 centre = call.motions.centers.empty() ? Vec3{} : call.motions.centers[first + i];
            ends[i].centre[0] = centre.x, ends[i].centre[1] = centre.y, ends[i].centre[2] = centre.z;
        }
        call.runner.kernels->start_motions({static_cast<std::uint32_t>(count), ends, &motions_[part * bodies + first]});
    });
}

void CastRuns::add_item(const Call& call, const Entry& entry, std::uint32_t child_a, std::uint32_t child_b) {
    const ShapeTables& tables = call.tables();
    const std::uint32_t pair = entry.pair();
    Item& item = items_.emplace_back();
    MotionPair& moving = item.moving;
    const Strided<ShapeId>& shapes = call.frame.bodies.columns().shapes;
    item.shape_a = shapes[entry.a], item.shape_b = shapes[entry.b];
    const auto [smaller, larger] = sizes_of(tables, item.shape_a, item.shape_b);
    item.least_tolerance = kLeastBounds * (kToleranceSmaller * smaller + kToleranceLarger * larger);
    item.is_entry_swapped = entry.swapped();
    item.pair = pair, item.a = entry.a, item.b = entry.b, item.child_a = child_a, item.child_b = child_b;
    moving.target = call.target(pair);
    moving.tolerance = item.full_tolerance = exact::most(double(call.options.tolerance) * smaller, item.least_tolerance);
    item.in_lanes = has_known_core(item.shape_a.kind()) && has_known_core(item.shape_b.kind());
    if (item.in_lanes) {
        moving.a = core_of(tables, item.shape_a), moving.b = core_of(tables, item.shape_b);
        // Whether a start closes is decided by its distance.
        moving.needs_distance = call.options.start == CastStart::closing_only;
    }
    begin_part(call, item);
}

void CastRuns::begin_part(const Call& call, Item& item) const {
    const std::size_t first = item.part * call.frame.bodies.size();
    MotionPair& moving = item.moving;
    moving.a.motion = &motions_[first + item.a], moving.b.motion = &motions_[first + item.b];
    moving.step = 0, moving.ratio = 1;
    moving.time = 0, moving.latest = exact::least(1.0, call.latest(item.pair) * double(call.parts()) - item.part);
    moving.has_axis = false, moving.starts = item.part == 0;
    moving.axis_radius_a = moving.axis_radius_b = -1;
    if (item.in_lanes) return;
    moving.axis_radius_a = MovingShape(call.tables(), item.shape_a, item.child_a, *moving.a.motion).find_axis_radius();
    moving.axis_radius_b = MovingShape(call.tables(), item.shape_b, item.child_b, *moving.b.motion).find_axis_radius();
    moving.needs_distance = true;
}

// Pairs of convex bodies, in the order of the frame's pairs.
void CastRuns::list_convex(const Call& call) {
    items_.clear();
    for (const KindRange& range : frame_pairs_.ranges) {
        frame_pairs_.for_each(range, [&](std::uint32_t, std::uint32_t pair_and_swap) {
            const Entry entry = entry_of(call.frame.pairs, pair_and_swap, range.kind_a == range.kind_b);
            if (call.status[entry.pair()] == Status::ok) add_item(call, entry, 0, 0);
            if (items_.size() == kMostItems) run_items(call, false);
        });
    }
    run_items(call, false);
}

void CastRuns::list_children(const Call& call, std::span<const Entry> entries, bool with_triangles) {
    items_.clear();
    for (const Entry& entry : entries) {
        if (call.status[entry.pair()] != Status::ok) continue;
        if (!list_children_of(call, entry, with_triangles)) {
            call.status[entry.pair()] = Status::no_room;
            continue;
        }
        if (items_.size() + listed_.size() > kMostItems) run_items(call, with_triangles);
        for (const ChildPair& child : listed_) add_item(call, entry, child.a, child.b);
    }
    run_items(call, with_triangles);
}

// Both bodies at a time, the second one seen from the first.
CastRuns::TwoBodies CastRuns::bodies_at(const Call& call, const Entry& entry, std::size_t part, double time) const {
    const std::size_t first = part * call.frame.bodies.size();
    const Strided<ShapeId>& shapes = call.frame.bodies.columns().shapes;
    const RigidMotion &a = motions_[first + entry.a], &b = motions_[first + entry.b];
    const Vec3d from = a.pose_at(time).position, to = b.pose_at(time).position;
    const auto [rounded, more] = rounded_offset({from.x, from.y, from.z}, {to.x, to.y, to.z});
    const Vec3 rest = {static_cast<float>(more.x), static_cast<float>(more.y), static_cast<float>(more.z)};
    return {{rest, shapes[entry.a], a.orientation_at(time)}, {rounded, shapes[entry.b], b.orientation_at(time)}};
}

// A part of a path in slices of time. Children that come within the target in a slice are within its reach at its middle.
CastRuns::Slices CastRuns::slices_of(const Call& call, const Entry& entry, std::size_t part) const {
    const ShapeTables& tables = call.tables();
    const Strided<ShapeId>& shapes = call.frame.bodies.columns().shapes;
    const ShapeId shape_a = shapes[entry.a], shape_b = shapes[entry.b];
    const auto reach_of = [&](ShapeId shape, const RigidMotion& m) {
        const ShapeIdentity& identity = tables.kinds[static_cast<std::uint32_t>(shape.kind())].identities[shape.slot()];
        return shape.kind() == ShapeKind::halfspace ? double(kMostMetres) : exact::norm(m.arm) + identity.origin_radius + tables.record(shape).radius;
    };
    const std::size_t first = part * call.frame.bodies.size();
    const RigidMotion &a = motions_[first + entry.a], &b = motions_[first + entry.b];
    const auto [smaller, larger] = sizes_of(tables, shape_a, shape_b);
    const double apart = exact::most(exact::norm(b.centre - a.centre), exact::norm(b.centre + b.displacement - a.centre - a.displacement));
    const double reach_a = reach_of(shape_a, a), reach_b = reach_of(shape_b, b);
    const double distance = exact::norm(b.displacement - a.displacement) + 2 * a.half_angle * exact::least(reach_a, apart + reach_b) +
                            2 * b.half_angle * exact::least(reach_b, apart + reach_a);
    const int count = int(exact::least(kMostSlices, exact::most(1, std::ceil(distance / (kSliceSizes * smaller)))));
    const double reach = call.target(entry.pair()) + 0.5 * distance / count;
    return {count, reach + kReachSlack * (reach + apart + smaller + larger)};
}

// Adds the children that are near at a time; of a one-sided surface the triangles that have `centre` in front of them.
void CastRuns::list_near(const Call& call, const TwoBodies& bodies, double reach, const Vec3d* centre, bool with_triangles) {
    const ChildWalk walk(call.tables(), bodies.a, bodies.b);
    const auto add = [&](std::uint32_t child_a, std::uint32_t child_b) {
        const bool is_behind = centre != nullptr && !is_in_front(*centre, corners_at(surface_of(call.tables(), bodies.b.shape), child_b));
        if (!is_behind) listed_.push_back({child_a, child_b, false, TriangleContact::unknown});
        return true;
    };
    if (with_triangles)
        walk.around(reach, add);
    else
        walk(reach, [&](std::uint32_t child_a, std::uint32_t child_b, const Probe&) { return add(child_a, child_b); });
}

// Lists all pairs of children that may come within the target; false if there are too many.
bool CastRuns::list_children_of(const Call& call, const Entry& entry, bool with_triangles) {
    const ShapeTables& tables = call.tables();
    const TwoBodies start = bodies_at(call, entry, 0, 0);
    const bool is_one_sided =
        with_triangles && surface_of(tables, start.b.shape).sides() == MeshSides::front && start.a.shape.kind() != ShapeKind::halfspace;
    Vec3d centre{};
    if (is_one_sided) {
        const PoseD pose = seen_from(pose_of(start.b), pose_of(start.a));
        centre = pose.position + pose.axes * centre_of_bounds(tables, start.a.shape);
    }
    listed_.clear();
    for (std::size_t part = 0; part < call.parts(); ++part) {
        const Slices slices = slices_of(call, entry, part);
        for (int slice = 0; slice < slices.count; ++slice) {
            list_near(call, bodies_at(call, entry, part, (slice + 0.5) / slices.count), slices.reach, is_one_sided ? &centre : nullptr,
                      with_triangles);
            if (slice + 1 < slices.count && listed_.size() < call.max_child_pairs) continue;
            std::sort(listed_.begin(), listed_.end(), [](const ChildPair& x, const ChildPair& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
            const auto same = [](const ChildPair& x, const ChildPair& y) { return x.a == y.a && x.b == y.b; };
            listed_.erase(std::unique(listed_.begin(), listed_.end(), same), listed_.end());
            if (listed_.size() <= call.max_child_pairs) continue;
            call.runner.counters->most_child_pairs = std::max(call.runner.counters->most_child_pairs, listed_.size());
            return false;
        }
    }
    return true;
}

// The bodies of an item at its time.
void CastRuns::place(const Call& call, std::uint32_t asked, bool with_triangles) {
    Item& item = items_[asked_[asked]];
    Body* const bodies = &placed_.bodies[2 * std::size_t(asked)];
    const bool is_self = item.a == item.b && item.child_a == item.child_b;
    placed_.body_pairs[asked] = {2 * asked, is_self ? 2 * asked : 2 * asked + 1};
    if (item.in_lanes) {
        const Body* const moved = &moved_[2 * std::size_t(asked_[asked])];
        bodies[0] = moved[0], bodies[1] = moved[1];
        bodies[0].shape = item.shape_a, bodies[1].shape = item.shape_b;
        return;
    }
    const RigidMotion &ma = *item.moving.a.motion, &mb = *item.moving.b.motion;
    const double time = item.moving.time;
    const ChildPoses poses_a(call.tables(), {{}, item.shape_a, ma.orientation_at(time)});
    const ChildPoses poses_b(call.tables(), {{}, item.shape_b, mb.orientation_at(time)});
    ChildPair& child = placed_.pairs[asked];
    child = {item.child_a, item.child_b, false, TriangleContact::unknown};
    const Vec3d b_from_a = mb.pose_at(time).position - ma.pose_at(time).position;
    place_child(poses_a, poses_b, b_from_a, child, bodies, with_triangles ? &placed_.triangles[asked] : nullptr);
    item.is_swapped = child.is_swapped;
}

void CastRuns::finish(const Call& call, std::uint32_t asked, const OutputView& out, Status status) {
    Item& item = items_[asked_[asked]];
    const RigidMotion &ma = *item.moving.a.motion, &mb = *item.moving.b.motion;
    const double time = item.moving.time;
    // From the position of the caller's A to that of the child that was computed first.
    Vec3d origin{};
    if (!is_convex(item.shape_a.kind()) || !is_convex(item.shape_b.kind()) || item.is_entry_swapped) {
        const auto offset = [&](ShapeId shape, const RigidMotion& m, std::uint32_t child) {
            return ChildPoses(call.tables(), {{}, shape, m.orientation_at(time)})[child].offset;
        };
        const Vec3d b_from_a = mb.pose_at(time).position - ma.pose_at(time).position;
        origin = item.is_swapped ? b_from_a + offset(item.shape_b, mb, item.child_b) : offset(item.shape_a, ma, item.child_a);
        if (item.is_entry_swapped) origin = origin - b_from_a;
    }
    const bool is_mirrored = item.is_swapped != item.is_entry_swapped;
    const auto point = [&](const Vec3& p) { return is_zero(origin) ? p : finite_float(exact::to_double(p) + origin); };
    const Vec3 n = out.normal[asked];
    const ShapeId surface = item.shape_b;
    const std::uint32_t child_b = is_surface(surface.kind()) ? input_index(surface_of(call.tables(), surface), item.child_b) : item.child_b;
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

// The speed at which the points of a hit approach each other.
double CastRuns::closing_speed(const Call& call, const Item& item, const FirstHit& hit) const {
    const std::size_t first = item.part * call.frame.bodies.size();
    const RigidMotion &a = motions_[first + (hit.is_swapped ? item.b : item.a)], &b = motions_[first + (hit.is_swapped ? item.a : item.b)];
    const double time = item.moving.time;
    const Vec3d b_from_a = b.pose_at(time).position - a.pose_at(time).position;
    const Vec3d point_a = exact::to_double(hit.point_a), point_b = exact::to_double(hit.point_b) - b_from_a;
    return dot(exact::to_double(hit.normal), a.velocity_at(time, point_a) - b.velocity_at(time, point_b));
}

// Within the target: a hit, or a start that may be none.
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

// CastStart::closing_only: where children of a pair start within the target, the nearest one is a hit if its points approach each other. Else a hit of any
// of them is where the pair gets closer than it was: on flat triangles neighbours of the nearest one have other normals, and would stop a body that slides.
void CastRuns::settle_starts(const Call& call) {
    for (std::size_t first = 0, end = 0; first < items_.size(); first = end) {
        std::size_t nearest = items_.size();
        for (end = first; end < items_.size() && items_[end].pair == items_[first].pair; ++end)
            if (items_[end].starts && (nearest == items_.size() || found_[end].distance < found_[nearest].distance)) nearest = end;
        if (nearest == items_.size()) continue;
        if (closing_speed(call, items_[nearest], found_[nearest]) > items_[nearest].moving.tolerance) {
            found_[nearest].hits = items_[nearest].is_decided = true;
            continue;
        }
        const MotionPair& deepest = items_[nearest].moving;
        const double distance = exact::least(deepest.target, found_[nearest].distance) - 2 * deepest.tolerance;
        for (std::size_t i = first; i < end; ++i) items_[i].moving.target = exact::least(items_[i].moving.target, distance);
    }
}

// What the distance at an item's time says: a hit, or the axis along which it goes on.
void CastRuns::judge(const Call& call, std::uint32_t asked, const OutputView& out) {
    Item& item = items_[asked_[asked]];
    MotionPair& moving = item.moving;
    found_[asked_[asked]].hits = false;
    if (out.status[asked] != Status::ok) return finish(call, asked, out, out.status[asked]);
    item.starts = false;
    const double distance = out.signed_distance[asked];
    const bool is_first = item.part == 0 && moving.time == 0 && !item.was_asked;
    if (distance <= moving.target + moving.tolerance) {
        if (!is_first || distance <= moving.target || call.options.start == CastStart::closing_only) return meet(call, asked, out);
        // Not within the target: what stays so is no hit.
        moving.tolerance = exact::most(0.5 * (distance - moving.target), item.least_tolerance);
        if (distance <= moving.target + moving.tolerance) return meet(call, asked, out);
    }
    item.was_asked = true;
    if (++item.rounds > kFewRounds && distance <= moving.target + item.full_tolerance) return meet(call, asked, out);
    if (item.rounds > kMostRounds) return finish(call, asked, out, Status::not_converged);
    moving.distance = distance, moving.normal = out.normal[asked];
    moving.has_axis = true, moving.starts = false, moving.needs_distance = false;
}

// One by one: children, triangles, half-spaces and custom shapes.
void CastRuns::advance_one(const Call& call, Item& item) const {
    MotionPair& moving = item.moving;
    if (moving.needs_distance) return;
    const MovingShape a(call.tables(), item.shape_a, item.child_a, *moving.a.motion, moving.axis_radius_a);
    const MovingShape b(call.tables(), item.shape_b, item.child_b, *moving.b.motion, moving.axis_radius_b);
    const MovingPair pair(a, b);
    const Vec3d n = exact::to_double(moving.normal) * (item.is_swapped ? -1.0 : 1.0);
    const double level = moving.target + 0.5 * moving.tolerance;
    const MovingPair::Start start = {moving.time, moving.a.motion->pose_at(moving.time), moving.b.motion->pose_at(moving.time)};
    double next = pair.advance(start, moving.latest, exact::unit(n), level, 0.25 * moving.tolerance);
    // The distance itself is certified where its axis proves nothing.
    if (!(next > moving.time))
        next = exact::least(moving.latest, moving.time + (moving.distance - level) / pair.fastest_approach(moving.time, moving.latest));
    moving.time = next;
    moving.needs_distance = next < moving.latest;
}

// Items of two kinds each, in their order.
void CastRuns::advance_in_lanes(const Call& call, std::span<const std::uint32_t> some) {
    MotionChunk chunk;
    for (std::size_t i = 0; i < some.size();) {
        const Item& first = items_[some[i]];
        chunk.kind_a = first.shape_a.kind(), chunk.kind_b = first.shape_b.kind(), chunk.count = 0;
        for (; i < some.size() && chunk.count < kMotionPairs; ++i) {
            Item& item = items_[some[i]];
            if (item.shape_a.kind() != chunk.kind_a || item.shape_b.kind() != chunk.kind_b) break;
            chunk.pairs[chunk.count] = &item.moving, chunk.bodies[chunk.count++] = &moved_[2 * std::size_t(some[i])];
        }
        call.runner.kernels->advance_motions(chunk);
    }
}

// Until each live item is decided or needs a distance. Then asked_ has the latter.
void CastRuns::advance(const Call& call) {
    pending_.assign(live_.begin(), live_.end());
    asked_.clear();
    while (!pending_.empty()) {
        const std::span<const std::uint32_t> all = pending_;
        parallel_for(call.runner.executor, (all.size() + kBlockItems - 1) / kBlockItems, [&](std::size_t block) {
            const FpEnvironment environment;
            const auto some = all.subspan(block * kBlockItems, std::min(kBlockItems, all.size() - block * kBlockItems));
            // All are of one sort: the bodies are convex, or they are not.
            std::size_t first = 0;
            for (std::size_t i = 0; i <= some.size(); ++i) {
                if (i < some.size() && items_[some[i]].in_lanes) continue;
                advance_in_lanes(call, some.subspan(first, i - first));
                if (i < some.size()) advance_one(call, items_[some[i]]);
                first = i + 1;
            }
        });
        std::size_t kept = 0;
        for (const std::uint32_t i : pending_) {
            Item& item = items_[i];
            if (item.moving.needs_distance)
                asked_.push_back(i);
            else if (!(item.moving.time < item.moving.latest) && !end_part(call, item))
                item.is_decided = true;
            else if (++item.rounds > kMostRounds)
                item.moving.needs_distance = true, pending_[kept++] = i;
            else
                pending_[kept++] = i;
        }
        pending_.resize(kept);
    }
}

// False at the end of the path.
bool CastRuns::end_part(const Call& call, Item& item) const {
    ++item.part, item.rounds = 0;
    if (item.part >= call.parts() || item.part >= call.latest(item.pair) * double(call.parts())) return false;
    begin_part(call, item);
    return true;
}

void CastRuns::keep_first(const Call& call, const Item& item, std::uint32_t i) {
    if (!found_[i].hits) return;
    FirstHit& first = first_[item.pair];
    if (!first.hits || comes_before(found_[i], first)) first = found_[i];
    if (call.options.reduction != CastReduction::every_pair) {
        double& time = body_time_[call.options.reduction == CastReduction::any ? 0 : call.body_of(item.pair)];
        time = exact::least(time, found_[i].time);
    }
}

// Decided, or it cannot come first any more.
bool CastRuns::is_done(const Call& call, const Item& item) const {
    if (item.is_decided) return true;
    const double time = (item.part + item.moving.time) / double(call.parts());
    if (first_[item.pair].hits && time > first_[item.pair].time) return true;
    switch (call.options.reduction) {
        case CastReduction::every_pair: return false;
        case CastReduction::first_of_body: return time > body_time_[call.body_of(item.pair)];
        case CastReduction::any: return body_time_[0] <= 1;
    }
    return false;
}

void CastRuns::run_items(const Call& call, bool with_triangles) {
    Status status = Status::ok;
    float distance = 0;
    Vec3 vector;
    OutputView wanted = {};
    wanted.status = &status, wanted.signed_distance = &distance, wanted.normal = wanted.point_a = wanted.point_b = &vector;
    QueryParameters parameters = {Query::distance, false, false, std::numeric_limits<float>::infinity(), {}, 0.0f, 0.0f};
    if (found_.size() < items_.size()) found_.resize(items_.size());
    if (moved_.size() < 2 * items_.size()) moved_.resize(2 * items_.size());
    live_.resize(items_.size());
    std::iota(live_.begin(), live_.end(), 0u);
    for (bool is_first = true; !live_.empty(); is_first = false) {
        advance(call);
        const std::size_t count = asked_.size();
        if (count == 0) break;
        placed_.make_room(count, false, with_triangles);
        for_each_block(call.runner.executor, count, [&](std::uint32_t i) { place(call, i, with_triangles); });
        const Frame frame = {call.frame.shapes, Strided<Body>(placed_.bodies.data(), 2 * count), {placed_.body_pairs.data(), count}};
        const OutputView out = scratch_.view(count, wanted);
        sort_pairs(frame, *call.runner.kernels, call.runner.executor, sorted_, out.status, Ids::trusted);
        const OtherShapes others = {ShapeKind::hull, nullptr, placed_.triangles.data(), placed_.bodies.data(), &pool_};
        call.runner.run(frame, sorted_, parameters, out, with_triangles ? &others : nullptr);
        for_each_block(call.runner.executor, count, [&](std::uint32_t i) { judge(call, i, out); });
        if (is_first && call.options.start == CastStart::closing_only) settle_starts(call);
        for (const std::uint32_t i : asked_)
            if (items_[i].is_decided) keep_first(call, items_[i], i);
        std::swap(live_, asked_);
        live_.erase(std::remove_if(live_.begin(), live_.end(), [&](std::uint32_t i) { return is_done(call, items_[i]); }), live_.end());
    }
    items_.clear();
}

// Only the first hit of each body counts.
void CastRuns::reduce(const Call& call) {
    if (call.options.reduction != CastReduction::first_of_body) return;
    for (std::uint32_t pair = 0; pair < first_.size(); ++pair) {
        FirstHit& hit = first_[pair];
        if (!hit.hits) continue;
        double& time = body_time_[call.body_of(pair)];
        if (hit.time > time)
            hit.hits = false;
        else
            time = -1;  // the others are later, or equal and of a higher pair
    }
}

void CastRuns::run(const Frame& frame, const Motions& motions, const CastOptions& options, std::uint32_t max_child_pairs, const ChunkRunner& runner,
                   Status* status) {
    const Call call = {frame, motions, options, max_child_pairs, runner, status};
    const std::size_t pairs = frame.pairs.size();
    sort_pairs(frame, *runner.kernels, runner.executor, frame_pairs_, status);
    refuse_pairs(frame, frame_pairs_.surface_pairs, status);
    move_bodies(call);
    const std::size_t bodies = frame.bodies.size();
    for (std::size_t i = 0; i < pairs; ++i) {
        if (status[i] != Status::ok) continue;
        const Pair pair = frame.pairs[i];
        for (std::size_t part = 0; part < call.parts(); ++part)
            if (!motions_[part * bodies + pair.a].is_valid || !motions_[part * bodies + pair.b].is_valid) status[i] = Status::bad_pose;
    }
    first_.assign(pairs, FirstHit{});
    body_time_.assign(options.reduction == CastReduction::first_of_body ? bodies : 1, std::numeric_limits<double>::infinity());
    list_convex(call);
    const auto goes_on = [&] { return options.reduction != CastReduction::any || body_time_[0] > 1; };
    if (goes_on()) list_children(call, frame_pairs_.compounds, false);
    if (goes_on()) list_children(call, frame_pairs_.surfaces, true);
    reduce(call);
    for (std::size_t i = 0; i < pairs; ++i)
        if (status[i] == Status::ok && first_[i].hits) status[i] = first_[i].status;
}

std::size_t CastRuns::bytes() const {
    return motions_.capacity() * sizeof(RigidMotion) + first_.capacity() * sizeof(FirstHit) + body_time_.capacity() * sizeof(double) +
           items_.capacity() * sizeof(Item) + found_.capacity() * sizeof(FirstHit) + moved_.capacity() * sizeof(Body) +
           (live_.capacity() + asked_.capacity() + pending_.capacity()) * sizeof(std::uint32_t) + listed_.capacity() * sizeof(ChildPair) +
           frame_pairs_.bytes() + sorted_.bytes() + placed_.bytes() + scratch_.bytes() + pool_.bytes();
}

}  // namespace abut
