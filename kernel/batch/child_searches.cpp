// Overlap and distance of pairs with a compound or a surface, by one search. See child_runs.hpp.
#include <algorithm>
#include <optional>
#include <tuple>

#include "base/parallel/blocks.hpp"
#include "base/scratch_columns.hpp"
#include "batch/child_runs.hpp"
#include "batch/seam_distances.hpp"
#include "convex/contract/valid_pose.hpp"
#include "shapes/tables.hpp"
#include "surfaces/walk/child_walk.hpp"

namespace abut {
namespace {

// The first kLongList child pairs of a pair are computed if they can be nearer than the best so far; later ones only if
// they can be nearer by more than this part of promise 1's bound. Lower bounds of equally deep pairs differ by that
// much.
constexpr double kNearerShare = 0.25;

// The tolerance of ties, from the sizes of a child pair's bodies.
double tie_tolerance_of(const ShapeTables& tables, const ChildPairs& children, std::uint32_t i) {
    const bool is_swapped = children.pairs[i].is_swapped, with_triangles = children.batch.made == Made::triangles;
    const auto size_of = [&](std::uint32_t which) {
        const ShapeId id = children.batch.bodies_of(i)[which].shape;
        return with_triangles && (which == 0) == is_swapped ? children.batch.triangles[i].size : tables.record(id).size;
    };
    // A half-space has no size; the size of the other shape is used for both.
    const bool is_halfspace = children.batch.bodies_of(i)[1].shape.kind() == ShapeKind::halfspace;
    double smaller = size_of(0), larger = is_halfspace ? smaller : size_of(1);
    if (smaller > larger) std::swap(smaller, larger);
    return kNearerShare * (kToleranceSmaller * smaller + kToleranceLarger * larger);
}

}  // namespace

void ChildRuns::run_searches(const PairCall& call, std::span<const Entry> entries) {
    const std::uint32_t first = needs_hits(call.parameters.query) ? kFirstOverlaps : kFirstDistances;
    searches_.resize(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) searches_[i] = {}, searches_[i].entry = entries[i];
    search_children(
        call.runner.executor, {first, kGrowth, block(), block()}, searches_, next_,
        [&](ChildSearch& search, OrderedChild* next, std::uint32_t most) { list_next(call, search, next, most); },
        [&](std::span<ChildSearch> some, const OrderedChild* next, std::uint32_t most) {
        compute(call, some, next, most);
        },
        [](const ChildSearch& search) { return search.is_over; });
}

// Lists all child pairs if they are few, or finds that an overlap hits. False if more child pairs have to be listed.
bool ChildRuns::list_few(const ChildWalk& walk, bool is_overlap, double reach, ChildSearch& search, OrderedChild* next,
                         std::uint32_t most) {
    ChildOrder& order = search.order;
    order.has_more = !walk(search.reach, [&](std::uint32_t a, std::uint32_t b, const Probe& probe) {
        if (is_overlap)
            search.hits = walk.is_surely_overlapping(probe, b);
        else
            search.reach = maths::min(search.reach, walk.at_most(probe, a, b));
        if (search.hits || order.listed == most) return false;
        next[order.listed++] = {kBeforeAll.key, a, b, probe.is_inside};
        return true;
    });
    if (order.has_more) {
        order.listed = 0;
        search.hits = search.hits || (is_overlap && walk.is_surely_within(reach));
        return search.hits;
    }
    if (!is_overlap) order.listed = walk.leave_out_far(search.reach, next, order.listed);
    std::sort(next, next + order.listed);
    return true;
}

// Lists the next child pairs. The first walk for a distance shortens the reach by upper bounds.
void ChildRuns::list_next(const PairCall& call, ChildSearch& search, OrderedChild* next, std::uint32_t most) {
    const auto [a, b] = call.bodies_of(search.entry);
    ChildOrder& order = search.order;
    if (!is_valid_parent_pose(a) || !is_valid_parent_pose(b)) {
        search.worst = Status::bad_pose, order.has_more = false;
        return;
    }
    const bool is_overlap = needs_hits(call.parameters.query), is_first = order.all == 0,
               shortens = is_first && !is_overlap;
    const ChildWalk walk(call.tables(), a, b);
    if (is_first) {
        const double reach = call.parameters.reach_of(search.entry.pair());
        search.reach = reach + walk.slack(reach);
        if (!is_overlap) search.reach = walk.shortened(search.reach);
        search.limits = walk.limits();
        const bool may_be_few = is_overlap || walk.is_short(search.reach);
        const bool are_few = may_be_few && list_few(walk, is_overlap, reach, search, next, most);
        search.limit = search.limits(search.reach);
        if (are_few) return;
    }
    const std::size_t left = std::max(call.max_child_pairs, kLongList) - order.all;
    const auto room = static_cast<std::uint32_t>(std::clamp<std::size_t>(left, 1, most));
    // An overlap may take child pairs in any order: for each child of the outer body, those of the deepest boxes come
    // first.
    const double limit = is_overlap ? std::numeric_limits<double>::infinity() : double(search.limit);
    FirstChildren first(order, next, room, limit);
    std::uint32_t walked = 0;
    walk.nearest_first(
        search.reach, [&] { return is_overlap ? search.limit : static_cast<float>(first.limit()); },
        [&](std::uint32_t child_a, std::uint32_t child_b, float bound, const Probe& probe) {
        if (shortens) {
            search.reach = maths::min(search.reach, walk.at_most(probe, child_a, child_b));
            search.limit = search.limits(search.reach);
            first.shorten(search.limit);
        }
        first.add({is_overlap ? double(walked) : double(bound), child_a, child_b, probe.is_inside});
        return ++walked != kMostWalked && !(is_overlap && first.is_full());
        });
    first.finish();
    if (walked == kMostWalked || (left == 0 && order.listed != 0))
        search.worst = std::max(search.worst, Status::not_converged);
    if (left == 0) order.listed = 0, order.has_more = false;
}

// Computes the child pairs that are listed for some pairs.
void ChildRuns::compute(const PairCall& call, std::span<ChildSearch> some, const OrderedChild* next,
                        std::uint32_t most) {
    group_.clear();
    std::uint32_t size = 0;
    for (const ChildSearch& search : some) {
        CompoundPair& compound_pair = group_.emplace_back();
        compound_pair.entry = search.entry, compound_pair.first = size, compound_pair.count = search.order.listed;
        size += compound_pair.count;
    }
    children_.make_room(size, call.has_reaches());
    const auto for_each = [&](const auto& each) {
        for_each_in_blocks(call.runner.executor, some.size(), kBlockCompoundPairs, each);
    };
    for_each([&](std::size_t i) {
        CompoundPair& compound_pair = group_[i];
        for (std::uint32_t k = 0; k < compound_pair.count; ++k) {
            const OrderedChild& child = next[i * most + k];
            children_.pairs[compound_pair.first + k] = {
                child.a, child.b, false, child.is_inside ? TriangleContact::inside : TriangleContact::unknown};
            compound_pair.is_in_solid |= child.is_inside;
        }
        if (compound_pair.count != 0) place_children(call, compound_pair, children_);
    });
    const OutputView out = size == 0 ? OutputView{} : compute(call, group_);
    for_each([&](std::size_t i) {
        ChildSearch& search = some[i];
        if (needs_hits(call.parameters.query))
            keep_hits(search, group_[i].first, out);
        else
            keep_nearest(call, search, group_[i].first, out, &next[i * most]);
        search.is_over |= search.hits || !search.order.has_more;
        if (search.is_over) finish(call, search);
    });
}

void ChildRuns::keep_hits(ChildSearch& search, std::uint32_t first, const OutputView& out) {
    for (std::uint32_t i = first; i < first + search.order.listed; ++i) {
        search.worst = std::max(search.worst, out.status[i]);
        search.may_hit |= out.hit[i] != 0;
        search.hits |= out.hit[i] != 0 && out.status[i] == Status::ok;
    }
}

// Settles the answers of joined children that touch or overlap. Settled answers get deeper, so no such child may be
// left out.
void ChildRuns::settle_joined(const PairCall& call, ChildSearch& search, std::uint32_t first,
                              const OutputView& out) const {
    if (with_triangles() || call.parameters.separation_only) return;
    const auto [a, b] = call.bodies_of(search.entry);
    std::optional<SeamBodies> bodies;
    for (std::uint32_t i = first; i < first + search.order.listed; ++i) {
        const ChildPair& pair = children_.pairs[i];
        if (!is_joined(call.tables(), a.shape, pair.a) && !is_joined(call.tables(), b.shape, pair.b)) continue;
        if (!bodies) bodies.emplace(call.tables(), a, b, PairRecordBuilder(call.frame).is_self(search.entry));
        search.has_joined = true;
        if (out.status[i] != Status::ok) continue;
        SeamAnswer answer = {out.signed_distance[i], out.normal[i], out.point_a[i], out.point_b[i]};
        settle_distance(*bodies, pair, false, answer);
        out.signed_distance[i] = answer.distance, out.normal[i] = answer.normal;
        out.point_a[i] = answer.point_a, out.point_b[i] = answer.point_b;
    }
}

// Keeps the nearest computed child pair; of equally near ones, that of the lowest children.
void ChildRuns::keep_nearest(const PairCall& call, ChildSearch& search, std::uint32_t first, const OutputView& out,
                             const OrderedChild* next) const {
    const std::size_t computed = search.order.all - search.order.listed;
    settle_joined(call, search, first, out);
    std::uint32_t best = ~0u;
    for (std::uint32_t k = 0; k < search.order.listed && !search.is_over; ++k) {
        if (computed + k == kLongList) search.limit = std::min(search.limit, search.limits(search.nearer));
        search.is_over = next[k].key > double(search.limit);
        if (search.is_over) break;
        const std::uint32_t i = first + k;
        search.worst = std::max(search.worst, out.status[i]);
        const float distance = out.signed_distance[i];
        const bool is_lower = std::tie(next[k].a, next[k].b) < std::tie(search.child_a, search.child_b);
        if (!(distance < search.distance || (distance == search.distance && is_lower))) continue;
        best = i;
        search.distance = distance, search.child_a = next[k].a, search.child_b = next[k].b;
        const double tie = tie_tolerance_of(call.tables(), children_, i);
        const bool is_enough = call.parameters.separation_only && distance <= 0.0f;
        search.nearer = is_enough ? -std::numeric_limits<double>::infinity() : double(distance) - tie;
        double nearest = is_enough || computed + k >= kLongList ? search.nearer : double(distance) + tie;
        if (search.has_joined && computed + k < kLongList) nearest = maths::max(nearest, 0);
        search.limit = std::min(search.limit, search.limits(nearest));
    }
    if (best != ~0u) write_distance(call, search.entry, children_, best);
}

// Writes the answers that are not written yet.
void ChildRuns::finish(const PairCall& call, const ChildSearch& search) {
    const std::uint32_t pair = search.entry.pair();
    Status& status = call.out.status[pair];
    if (status == Status::ok && !search.hits) status = search.worst;
    if (needs_hits(call.parameters.query))
        call.out.hit[pair] = search.hits || search.may_hit;
    else if (search.distance == std::numeric_limits<float>::infinity() && search.worst != Status::bad_pose)
        write_no_distance(call, search.entry);
}

}  // namespace abut
