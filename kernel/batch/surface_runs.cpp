// See surface_runs.hpp.
#include "batch/surface_runs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel/blocks.hpp"
#include "base/scratch_columns.hpp"
#include "base/tolerances.hpp"
#include "convex/contract/valid_pose.hpp"
#include "shapes/child_poses.hpp"
#include "shapes/tables.hpp"
#include "surfaces/solids/nested_surfaces.hpp"

namespace abut {

namespace {

// The distance of overlapping surfaces if no depth is requested.
constexpr double kOverlaps = -std::numeric_limits<double>::infinity();

}  // namespace

void SurfaceRuns::run(const PairCall& call, std::span<const Entry> entries) {
    if (call.parameters.query == Query::collide) return report_bad_pairs(call.frame, entries, call.out.status);
    nearest_.resize(entries.size());
    nested_.assign(entries.size(), Nested::none);
    parallel_for(call.runner.executor, entries.size(), [&](std::size_t i) { find(call, entries[i], i); });
    if (!needs_hits(call.parameters.query)) answer(call, entries);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        Status& status = call.out.status[entries[i].pair()];
        status = std::max(status, nearest_[i].status);
    }
}

// Finds the nearest triangles of an entry's pair, and writes whether the pair is hit.
void SurfaceRuns::find(const PairCall& call, const Entry& entry, std::size_t i) {
    const std::uint32_t pair = entry.pair();
    const auto [a, b] = call.bodies_of(entry);
    NearestTriangles& nearest = nearest_[i];
    nearest = {std::numeric_limits<double>::infinity(), 0, 0, Status::bad_pose};
    if (!is_valid_parent_pose(a) || !is_valid_parent_pose(b)) return;
    const InstanceRecord &record_a = call.tables().record(a.shape), &record_b = call.tables().record(b.shape);
    const double radii = double(record_a.rounding) + double(record_b.rounding),
                 reach = call.parameters.reach_of(pair) + radii;
    // The kernels decide whether a pair is within reach of a distance query, so the search has some slack.
    const double slack = kReachSlack * (reach + 2 * (double(record_a.bound_radius) + double(record_b.bound_radius)));
    const bool is_hit = needs_hits(call.parameters.query);
    NearestTask task = {is_hit ? reach : reach + slack, is_hit ? reach : -std::numeric_limits<double>::infinity(),
                        call.max_child_pairs};
    if (call.parameters.separation_only) task.enough = radii;
    nearest = find_nearest(call.tables(), *kernels_, a, b, task);
    bool is_near = nearest.distance <= task.enough;
    // If two surfaces do not touch, one may be in the solid of the other.
    if (!is_near && nearest.distance > radii)
        nested_[i] = is_nested(call.tables(), a, b)   ? Nested::a_in_b
                     : is_nested(call.tables(), b, a) ? Nested::b_in_a
                                                      : Nested::none;
    if (nested_[i] != Nested::none) {
        is_near = is_hit || call.parameters.separation_only;
        task.reach = std::numeric_limits<double>::infinity();
        if (!is_near && !std::isfinite(nearest.distance)) nearest = find_nearest(call.tables(), *kernels_, a, b, task);
    }
    if (is_near) nearest.status = Status::ok;
    if (is_hit)
        call.out.hit[pair] = is_near;
    else if (is_near)
        nearest.distance = kOverlaps;
}

// Replaces the distance of the nested pair i, whose child pair is `at`, by the depth of the inner surface below the
// nearest point of the solid, along the normal.
void SurfaceRuns::leave_solid(const PairCall& call, const Entry& entry, std::size_t i, std::uint32_t at) {
    const auto [a, b] = call.bodies_of(entry);
    const bool a_is_inner = nested_[i] == Nested::a_in_b;
    PairBatch& batch = children_.batch;
    const maths::Vec3d normal = maths::to_double(batch.normal[at]), out = a_is_inner ? normal : -normal;
    const double rounding_a = call.tables().record(a.shape).rounding,
                 rounding_b = call.tables().record(b.shape).rounding, inner = a_is_inner ? rounding_a : rounding_b,
                 outer = a_is_inner ? rounding_b : rounding_a;
    // Relative to the centre of A's triangle, as the points of the child pair are.
    const maths::Vec3d centre = ChildPoses(call.tables(), a)[children_.pairs[at].a].offset,
                       to_inner =
                           a_is_inner ? -centre : maths::to_double(b.position) - maths::to_double(a.position) - centre;
    const maths::Vec3d deepest = to_inner + farthest_corner(call.tables(), a_is_inner ? a : b, -out) - out * inner,
                       on_solid = maths::to_double(a_is_inner ? batch.point_b[at] : batch.point_a[at]);
    const double depth = maths::dot(out, on_solid - deepest) + 2 * outer;
    const Vec3 point = finite_float(deepest), beyond = finite_float(deepest + out * depth);
    batch.signed_distance[at] = static_cast<float>(-depth);
    batch.normal[at] = finite_float(-normal);
    batch.point_a[at] = a_is_inner ? point : beyond, batch.point_b[at] = a_is_inner ? beyond : point;
}

// Answers the pairs of triangles that were found.
void SurfaceRuns::answer(const PairCall& call, std::span<const Entry> entries) {
    const auto count = static_cast<std::uint32_t>(entries.size());
    Vector<CompoundPair>& compound_pairs = children_.compound_pairs;
    compound_pairs.resize(count);
    children_.make_room(count, call.has_reaches());
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        CompoundPair& compound_pair = compound_pairs[i];
        compound_pair = {};
        compound_pair.entry = entries[i], compound_pair.first = next;
        compound_pair.count = std::isfinite(nearest_[i].distance);
        if (nearest_[i].status == Status::bad_pose) call.out.status[compound_pair.entry.pair()] = Status::bad_pose;
        if (compound_pair.count == 0) continue;
        children_.pairs[next] = {nearest_[i].a, nearest_[i].b, false, TriangleContact::unknown};
        place_children(call, compound_pair, children_);
        ++next;
    }
    children_.batch.size = next;
    OutputView columns = call.out;
    Vec3 needed;
    const bool has_nested = std::any_of(nested_.begin(), nested_.end(), [](Nested n) { return n != Nested::none; });
    if (has_nested) columns.normal = columns.point_a = columns.point_b = &needed;
    call.run(children_.batch, columns);
    call.runner.counters->child_pairs += next;
    for (std::uint32_t i = 0; i < count && has_nested; ++i)
        if (nested_[i] != Nested::none && compound_pairs[i].count != 0)
            leave_solid(call, entries[i], i, compound_pairs[i].first);
    for_each_in_blocks(call.runner.executor, count, kBlockCompoundPairs, [&](std::size_t i) {
        const Entry& entry = entries[i];
        if (call.out.status[entry.pair()] != Status::ok) return;
        give_status(call, compound_pairs[i], children_);
        if (compound_pairs[i].count != 0)
            write_distance(call, entry, children_, compound_pairs[i].first);
        else
            write_no_distance(call, entry);
        if (nearest_[i].distance == kOverlaps) call.out.signed_distance[entry.pair()] = 0;
    });
}

void SurfaceRuns::reserve(std::size_t pairs) {
    children_.reserve(pairs, pairs);
    reserve_all(pairs, nearest_, nested_);
}

std::size_t SurfaceRuns::bytes() const { return bytes_of(nearest_, nested_, children_); }

}  // namespace abut
