// Lists the pairs of children that a cast tests: all that may come within the target while the bodies move. See
// cast_runs.hpp.
#include <algorithm>
#include <tuple>

#include "convex/contract/pair_records.hpp"
#include "queries/casts/cast_call.hpp"
#include "shapes/kinds.hpp"
#include "surfaces/triangles/cone.hpp"
#include "surfaces/walk/child_walk.hpp"

namespace abut {
namespace {

using maths::Vec3d;

// The search for children divides a motion into at most kMostSlices, each of kSliceSizes sizes of the smaller body.
constexpr double kSliceSizes = 2;
constexpr int kMostSlices = 64;

struct Sizes {
    double smaller, larger;
};
// A half-space has no size; the size of the other shape is used for both.
Sizes sizes_of(const ShapeTables& tables, ShapeId a, ShapeId b) {
    const double size_a = tables.record(a.kind() == ShapeKind::halfspace ? b : a).size;
    const double size_b = tables.record(b.kind() == ShapeKind::halfspace ? a : b).size;
    return {maths::min(size_a, size_b), maths::max(size_a, size_b)};
}

void set_core(const ShapeTables& tables, ShapeId shape, std::uint32_t child, MovingCore& core) {
    if (shape.kind() == ShapeKind::compound) {
        core.part = &tables.compound(shape).parts[child];
        shape = core.part->instance;
    }
    const InstanceTable& table = tables.kinds[static_cast<std::uint32_t>(shape.kind())];
    core.kind = shape.kind();
    core.record = &table.records[shape.slot()];
    core.origin_radius = table.identities[shape.slot()].origin_radius;
    if (core.kind == ShapeKind::hull) core.hull = &tables.hulls[core.record->geometry];
    if (core.kind == ShapeKind::custom) core.custom = tables.customs[core.record->geometry];
    if (is_surface(core.kind))
        core.kind = ShapeKind::mesh, core.triangle = corners_at(surface_of(tables, shape), child);
}

ShapeKind child_kind(const ShapeTables& tables, ShapeId shape, std::uint32_t child) {
    if (is_surface(shape.kind())) return ChildPoses::kTriangle.kind();
    return shape.kind() == ShapeKind::compound ? tables.compound(shape).parts[child].instance.kind() : shape.kind();
}

}  // namespace

// Lists and runs the pairs of convex bodies, by kind.
void CastRuns::list_convex(const Call& call) {
    items_.clear();
    for (const KindRange& range : frame_pairs_.ranges) {
        frame_pairs_.for_each(range, [&](std::uint32_t, std::uint32_t pair_and_swap) {
            const Entry entry = entry_of(call.frame.pairs, pair_and_swap, range.kind_a == range.kind_b);
            if (call.status[entry.pair()] == Status::ok) add_item(call, entry, 0, 0);
            if (items_.size() == kMostItems) run_items(call), items_.clear();
        });
    }
    run_items(call);
}

// `time`: in that part of the path; the children do not meet before it.
void CastRuns::add_item(const Call& call, const Entry& entry, std::uint32_t child_a, std::uint32_t child_b, double time,
                        std::uint32_t part) {
    const ShapeTables& tables = call.tables();
    Item& item = items_.emplace_back();
    MotionPair& moving = item.moving;
    const Strided<ShapeId>& shapes = call.frame.bodies.columns().shapes;
    item.entry = entry, item.child_a = child_a, item.child_b = child_b;
    item.shape_a = shapes[entry.a], item.shape_b = shapes[entry.b];
    const auto [smaller, larger] = sizes_of(tables, item.shape_a, item.shape_b);
    item.contact = kNoContact, item.ignored_until = -1;
    moving.bound = kToleranceSmaller * smaller + kToleranceLarger * larger;
    moving.target = call.target(entry.pair());
    moving.tolerance = item.tolerance = double(call.options.tolerance) * smaller;
    // place_child computes child pairs in this order.
    const ShapeKind kind_a = child_kind(tables, item.shape_a, child_a),
                    kind_b = child_kind(tables, item.shape_b, child_b);
    item.is_swapped = is_swapped_pair(kind_a, kind_b);
    set_core(tables, item.shape_a, child_a, item.is_swapped ? moving.b : moving.a);
    set_core(tables, item.shape_b, child_b, item.is_swapped ? moving.a : moving.b);
    item.part = part;
    begin_part(call, item);
    moving.time = time, moving.starts = part == 0 && time == 0;
}

void CastRuns::begin_part(const Call& call, Item& item) const {
    const std::size_t first = item.part * call.frame.bodies.size();
    MotionPair& moving = item.moving;
    (item.is_swapped ? moving.b : moving.a).motion = &motions_[first + item.entry.a];
    (item.is_swapped ? moving.a : moving.b).motion = &motions_[first + item.entry.b];
    moving.step = 0, moving.ratio = 1;
    moving.time = 0, moving.latest = end_of_part(call, item);
    moving.needs_distance = item.is_ignored;  // whether the item is still ignored
    moving.is_stuck = moving.has_axis = false, moving.starts = item.part == 0;
    moving.axis_radius_a = moving.axis_radius_b = -1;
}

double CastRuns::end_of_part(const Call& call, const Item& item) {
    return maths::min(1.0, call.latest(item.pair()) * double(call.parts()) - item.part);
}

void CastRuns::list_children(const Call& call, std::span<const Entry> entries) {
    items_.clear(), straight_.clear();
    for (const Entry& entry : entries) {
        if (call.status[entry.pair()] != Status::ok) continue;
        if (call.with_triangles && try_solid_start(call, entry)) continue;
        if (goes_straight(call, entry)) {
            straight_.push_back({entry, {}});
            continue;
        }
        if (items_.size() > kMostItems) run_listed(call);
        if (!list_children_of(call, entry)) {
            call.status[entry.pair()] = Status::no_room;
            continue;
        }
        for (const ChildPair& child : listed_) add_item(call, entry, child.a, child.b);
    }
    run_listed(call);
    run_straight(call);
}

void CastRuns::run_listed(const Call& call) {
    run_items(call);
    note_hits(call);
    answer_hits(call);
}

// Lists all pairs of children that may come within the target. False if there are too many.
bool CastRuns::list_children_of(const Call& call, const Entry& entry) {
    const FacingTriangles facing = facing_triangles(call, entry);
    listed_.clear();
    for (std::size_t part = 0; part < call.parts(); ++part) {
        const Slices slices = slices_of(call, entry, part);
        for (int slice = 0; slice < slices.count; ++slice) {
            list_near(call, bodies_at(call, entry, part, (slice + 0.5) / slices.count), slices.reach, facing);
            if (slice + 1 < slices.count && listed_.size() < call.max_child_pairs) continue;
            std::sort(listed_.begin(), listed_.end(),
                      [](const ChildPair& x, const ChildPair& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
            const auto same = [](const ChildPair& x, const ChildPair& y) { return x.a == y.a && x.b == y.b; };
            listed_.erase(std::unique(listed_.begin(), listed_.end(), same), listed_.end());
            if (listed_.size() <= call.max_child_pairs) continue;
            call.runner.counters->most_child_pairs = std::max(call.runner.counters->most_child_pairs, listed_.size());
            return false;
        }
    }
    return true;
}

// The centre of body A at the start decides, unless both sides count.
CastRuns::FacingTriangles CastRuns::facing_triangles(const Call& call, const Entry& entry) const {
    if (!call.with_triangles) return {};
    const ShapeTables& tables = call.tables();
    const TwoBodies start = bodies_at(call, entry, 0, 0);
    const Surface surface = surface_of(tables, start.b.shape);
    const QuerySides sides = sides_of(surface, call.options.sides);
    if (sides == QuerySides::both || start.a.shape.kind() == ShapeKind::halfspace) return {};
    const PoseD pose = seen_from(pose_of(start.b), pose_of(start.a));
    return {pose.position + pose.axes * centre_of_bounds(tables, start.a.shape), sides == QuerySides::back};
}

// The poses of both bodies at a time. The position of the second body is relative to the first.
CastRuns::TwoBodies CastRuns::bodies_at(const Call& call, const Entry& entry, std::size_t part, double time) const {
    const std::size_t first = part * call.frame.bodies.size();
    const Strided<ShapeId>& shapes = call.frame.bodies.columns().shapes;
    const RigidMotion &a = motions_[first + entry.a], &b = motions_[first + entry.b];
    const Vec3d from = a.pose_at(time).position, to = b.pose_at(time).position;
    const auto [rounded, more] = rounded_offset({from.x, from.y, from.z}, {to.x, to.y, to.z});
    const Vec3 rest = {static_cast<float>(more.x), static_cast<float>(more.y), static_cast<float>(more.z)};
    return {{rest, shapes[entry.a], a.orientation_at(time)}, {rounded, shapes[entry.b], b.orientation_at(time)}};
}

// Divides a part of a path into slices of time. Children that come within the target during a slice are within its
// reach at its middle.
CastRuns::Slices CastRuns::slices_of(const Call& call, const Entry& entry, std::size_t part) const {
    const ShapeTables& tables = call.tables();
    const Strided<ShapeId>& shapes = call.frame.bodies.columns().shapes;
    const ShapeId shape_a = shapes[entry.a], shape_b = shapes[entry.b];
    const auto reach_of = [&](ShapeId shape, const RigidMotion& m) {
        const ShapeIdentity& identity = tables.kinds[static_cast<std::uint32_t>(shape.kind())].identities[shape.slot()];
        return shape.kind() == ShapeKind::halfspace
                   ? double(kMostMetres)
                   : maths::norm(m.arm) + identity.origin_radius + tables.record(shape).radius;
    };
    const std::size_t first = part * call.frame.bodies.size();
    const RigidMotion &a = motions_[first + entry.a], &b = motions_[first + entry.b];
    const double smaller = sizes_of(tables, shape_a, shape_b).smaller;
    const double apart = maths::max(maths::norm(b.centre - a.centre),
                                    maths::norm(b.centre + b.displacement - a.centre - a.displacement));
    const double reach_a = reach_of(shape_a, a), reach_b = reach_of(shape_b, b);
    const double distance = maths::norm(b.displacement - a.displacement) +
                            2 * a.half_angle * maths::min(reach_a, apart + reach_b) +
                            2 * b.half_angle * maths::min(reach_b, apart + reach_a);
    const int count = int(maths::min(kMostSlices, maths::max(1, std::ceil(distance / (kSliceSizes * smaller)))));
    const double reach = call.target(entry.pair()) + 0.5 * distance / count;
    return {count, reach + kReachSlack * (reach + apart)};
}

// Adds the children that are near at a time; of a surface, only the facing triangles.
void CastRuns::list_near(const Call& call, const TwoBodies& bodies, double reach, const FacingTriangles& facing) {
    const ChildWalk walk(call.tables(), bodies.a, bodies.b);
    reach += kReachSlack * (reach + walk.sizes());
    const auto add = [&](std::uint32_t child_a, std::uint32_t child_b) {
        const bool takes_part =
            !facing.centre || facing.take(corners_at(surface_of(call.tables(), bodies.b.shape), child_b));
        if (takes_part) listed_.push_back({child_a, child_b, false, TriangleContact::unknown});
        return true;
    };
    if (call.with_triangles)
        walk.around(reach, add);
    else
        walk(reach, [&](std::uint32_t child_a, std::uint32_t child_b, const Probe&) { return add(child_a, child_b); });
}

}  // namespace abut
