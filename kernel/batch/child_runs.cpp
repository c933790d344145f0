// See child_runs.hpp.
#include "batch/child_runs.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/memory.hpp"
#include "base/parallel/blocks.hpp"
#include "base/scratch_columns.hpp"
#include "shapes/child_poses.hpp"
#include "shapes/tables.hpp"
#include "surfaces/solids/solid.hpp"

namespace abut {
namespace {

// Copies the answer of pair `at` to pair `i` of another output.
void copy_answer(const OutputView& from, std::size_t at, const OutputView& to, std::size_t i) {
    to.status[i] = from.status[at];
    if (to.hit) to.hit[i] = from.hit[at];
    if (to.signed_distance) to.signed_distance[i] = from.signed_distance[at];
    if (to.normal) to.normal[i] = from.normal[at];
    if (to.point_a) to.point_a[i] = from.point_a[at];
    if (to.point_b) to.point_b[i] = from.point_b[at];
    if (to.contact_count) to.contact_count[i] = from.contact_count[at];
    if (to.manifolds) to.manifolds[i] = from.manifolds[at];
}

// The plane through which a child of A whose centre is in B's solid leaves the solid.
PlanePair exit_plane(const PairCall& call, const Entry& entry, const ChildPair& child) {
    const ShapeTables& tables = call.tables();
    const auto [a, b] = call.bodies_of(entry);
    const ChildPose pose = ChildPoses(tables, a)[child.a];
    const Surface surface = surface_of(tables, b.shape);
    const maths::Mat3 axes = maths::rotation(maths::to_double(b.orientation));
    const maths::Vec3d from_body = maths::to_double(b.position) - maths::to_double(a.position) - pose.offset;
    const maths::Vec3d centre =
        maths::rotation(maths::to_double(pose.orientation)) * local_box(tables, pose.shape).centre;
    const SolidExit exit = exit_through(surface, child.b, maths::transposed_times(axes, centre - from_body));
    const maths::Vec3d at = axes * exit.point + from_body;
    const Vec3 rounded = finite_float(at);
    return {{finite_float(maths::to_double(rounded) - at), pose.shape, pose.orientation},
            {rounded, {}, b.orientation},
            exit.normal,
            surface.rounding};
}

}  // namespace

void ChildRuns::run(const PairCall& call, std::span<const Entry> entries) {
    const Query query = call.parameters.query;
    Vector<CompoundPair>& compound_pairs = children_.compound_pairs;
    kept_.clear();
    keeps_ = false;
    if (query != Query::collide) return run_searches(call, entries);
    const bool remembers = merges(call) && !call.frame.caches.empty();
    if (remembers) ground_.follow(call.frame, entries, call.parameters, call.runner.executor);
    count_compounds(call, entries, remembers ? ground_.has_contacts() : std::span<const std::uint8_t>(), children_);
    std::size_t all = 0;
    for (CompoundPair& compound_pair : compound_pairs) {
        const std::uint32_t listed = compound_pair.count + compound_pair.known_count;
        if (listed > call.max_child_pairs || listed == kMostWalked) {
            call.out.status[compound_pair.entry.pair()] = Status::no_room;
            call.runner.counters->most_child_pairs =
                std::max<std::size_t>(call.runner.counters->most_child_pairs, listed);
            compound_pair.count = compound_pair.known_count = 0;
        }
        all += compound_pair.count;
    }
    const bool joins = call.parameters.manifold_angle > 0;
    keeps_ = merges(call) || joins || all > block();
    for (std::size_t first = 0; first < compound_pairs.size();) {
        std::size_t end = first, size = 0;
        while (end < compound_pairs.size() && size + compound_pairs[end].count <= block())
            size += compound_pairs[end++].count;
        if (end != first)
            run_group(call, std::span(compound_pairs).subspan(first, end - first));
        else
            run_blocks(call, compound_pairs[end++]);
        first = end;
    }
    if (remembers) remember(call);
    if (joins) join_.run(call, compound_pairs, kept_);
}

// Adds contacts that followed the bodies (no child pair was computed) to the computed contacts in kept_. Stores
// computed contacts in the caches.
void ChildRuns::remember(const PairCall& call) {
    for (std::size_t i = 0; i < children_.compound_pairs.size(); ++i) {
        CompoundPair& compound_pair = children_.compound_pairs[i];
        if (!compound_pair.has_contacts) continue;
        compound_pair.first = kept_.size();
        for (const MergedManifold& m : ground_.followed(i)) kept_.add(m);
        compound_pair.count = kept_.size() - compound_pair.first;
    }
    for_each_in_blocks(call.runner.executor, children_.compound_pairs.size(), kBlockCompoundPairs, [&](std::size_t i) {
        const CompoundPair& compound_pair = children_.compound_pairs[i];
        if (compound_pair.keeps_contacts && call.out.status[compound_pair.entry.pair()] == Status::ok)
            ground_.keep(call.frame, compound_pair, call.parameters, kept_);
    });
}

// Computes the child pairs that have poses. `compound_pairs`: their compound pairs.
OutputView ChildRuns::compute(const PairCall& call, std::span<const CompoundPair> compound_pairs) {
    PairBatch& batch = children_.batch;
    OutputView wanted = call.out;
    Vec3 vector;
    // A distance at seams needs all columns.
    if (call.parameters.query == Query::distance && !call.parameters.separation_only && !with_triangles())
        wanted.normal = wanted.point_a = &vector;
    const OutputView out = call.run(batch, wanted);
    call.runner.counters->child_pairs += batch.size;
    if (with_triangles()) leave_solids(call, compound_pairs, out);
    return out;
}

// Replaces the answers of children whose centres are in a solid by those with the plane through which they leave the
// solid.
void ChildRuns::leave_solids(const PairCall& call, std::span<const CompoundPair> compound_pairs,
                             const OutputView& out) {
    exit_of_.clear();
    for (const CompoundPair& compound_pair : compound_pairs)
        for (std::uint32_t k = 0; compound_pair.is_in_solid && k < compound_pair.count; ++k)
            if (children_.pairs[compound_pair.first + k].contact == TriangleContact::inside)
                exit_of_.push_back({compound_pair.entry, compound_pair.first + k});
    if (exit_of_.empty()) return;
    exits_.make_room(exit_of_.size(), call.has_reaches());
    for (std::size_t k = 0; k < exit_of_.size(); ++k) {
        const auto [entry, i] = exit_of_[k];
        ChildPair& child = children_.pairs[i];
        exits_.set_plane(k, exit_plane(call, entry, child));
        if (call.has_reaches()) exits_.reaches[k] = children_.batch.reaches[i];
        // The plane is the second body.
        Body* const bodies = children_.batch.bodies_of(i);
        if (child.is_swapped) std::swap(bodies[0], bodies[1]);
        child.is_swapped = false;
    }
    const OutputView answers = call.run(exits_, call.out);
    for (std::size_t k = 0; k < exit_of_.size(); ++k) copy_answer(answers, k, out, exit_of_[k].child_pair);
}

// Computes some child pairs of one compound pair.
OutputView ChildRuns::compute(const PairCall& call, const CompoundPair& compound_pair, std::span<ChildPair> some) {
    constexpr std::size_t kTogether = 2048;
    group_.clear();
    for (std::size_t first = 0; first < some.size(); first += kTogether) {
        CompoundPair& part = group_.emplace_back(compound_pair);
        part.few = &some[first];
        part.count = part.room = static_cast<std::uint32_t>(std::min(kTogether, some.size() - first));
    }
    list_compounds(call, group_, children_);
    return compute(call, group_);
}

void ChildRuns::run_group(const PairCall& call, std::span<CompoundPair> group) {
    list_compounds(call, group, children_);
    compute(call, group);
    if (merges(call)) {
        for (CompoundPair& compound_pair : group) {
            give_status(call, compound_pair, children_);
            const std::uint32_t first = ground_.size();
            ground_.add(compound_pair, children_);
            compound_pair.first = first;
            compound_pair.count = ground_.size() - first;
        }
        return ground_.run(call, group, kept_);
    }
    for_each_in_blocks(call.runner.executor, group.size(), kBlockCompoundPairs, [&](std::size_t i) {
        if (call.out.status[group[i].entry.pair()] != Status::ok) return;
        give_status(call, group[i], children_);
        place_manifolds(call, group[i],
                        {children_.pairs.data(), children_.batch.flag.data(), children_.batch.manifolds.data()});
    });
    if (!keeps_) return;
    for (CompoundPair& compound_pair : group) {
        const std::uint32_t first = kept_.size();
        kept_.add(compound_pair, children_);
        compound_pair.first = first;
        compound_pair.count = kept_.size() - first;
    }
}

// Computes the contacts of one long list, block by block.
void ChildRuns::run_blocks(const PairCall& call, CompoundPair& compound_pair) {
    grow(listed_, compound_pair.count);
    list_children(call, compound_pair, listed_.data());
    Status& status = call.out.status[compound_pair.entry.pair()];
    Status worst = Status::ok;
    const std::uint32_t first = kept_.size();
    CompoundPair part = compound_pair;
    for (std::uint32_t at = 0; at < compound_pair.count; at += part.count) {
        part.first = 0, part.count = std::min(block(), compound_pair.count - at);
        compute(call, compound_pair, {&listed_[at], part.count});
        status = Status::ok;
        give_status(call, part, children_);
        if (merges(call))
            ground_.add(part, children_);
        else
            kept_.add(part, children_);
        worst = std::max(worst, status);
    }
    status = worst;
    compound_pair.first = merges(call) ? 0 : first;
    compound_pair.count = merges(call) ? ground_.size() : kept_.size() - first;
    if (merges(call)) return ground_.run(call, {&compound_pair, 1}, kept_);
    place_manifolds(call, compound_pair, kept_.columns());
}

void ChildRuns::add_to(ChildManifolds& manifolds) const {
    if (children_.compound_pairs.empty()) return;
    manifolds.compound_pairs = children_.compound_pairs;
    manifolds.pairs = keeps_ ? kept_.pairs.data() : children_.pairs.data();
    manifolds.contact_count = keeps_ ? kept_.contact_count.data() : children_.batch.flag.data();
    manifolds.records = keeps_ ? kept_.records.data() : children_.batch.manifolds.data();
    manifolds.triangles = kept_.triangles.empty() ? nullptr : kept_.triangles.data();
}

void ChildRuns::reserve(std::size_t compound_pairs, std::size_t child_pairs) {
    const std::size_t together = std::min<std::size_t>(child_pairs, block());
    children_.reserve(compound_pairs, together);
    reserve_all(compound_pairs, searches_, group_);
    next_.reserve(std::min<std::size_t>(block(), compound_pairs * kFirstDistances));
    if (child_pairs > together || with_triangles()) kept_.reserve(child_pairs, with_triangles());
    if (!with_triangles() || child_pairs == 0) return;
    ground_.reserve(compound_pairs, child_pairs);
}

std::size_t ChildRuns::bytes() const {
    return bytes_of(children_, kept_, join_, ground_, searches_, next_, listed_, group_, exits_, exit_of_);
}

}  // namespace abut
