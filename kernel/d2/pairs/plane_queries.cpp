// See plane_queries.hpp.
#include "d2/pairs/plane_queries.hpp"

#include <algorithm>

#include "base/parallel/add_shared.hpp"
#include "base/parallel/parallel_for.hpp"
#include "base/scratch_columns.hpp"
#include "d2/convex/plane_exact.hpp"
#include "d2/pairs/plane_kinds.hpp"

namespace abut::d2 {
namespace {

constexpr std::size_t kBlockPairs = 4096, kPartBlock = 64;

struct BodyPair {
    Body a, b;
};

// Bodies of a frame as records. Those of columns are made for each pair: of double positions only the difference counts.
class RecordBuilder {
public:
    explicit RecordBuilder(const Bodies& bodies) : bodies_(bodies) {}
    bool reads_records() const { return !bodies_.records().empty(); }
    BodyPair operator()(std::uint32_t a, std::uint32_t b) const {
        BodyPair out = {bodies_[a], bodies_[b]};
        if (bodies_.columns().double_positions.empty()) return out;
        const DVec2 from = bodies_.position(a), to = bodies_.position(b);
        out.a.position = {0, 0};
        out.b.position = {static_cast<float>(to.x - from.x), static_cast<float>(to.y - from.y)};
        return out;
    }

private:
    const Bodies& bodies_;
};

}  // namespace

PlaneQueries::PlaneQueries(QueryContext& shared) : context(shared), kernels(kernels_for<PlaneKernels>(shared.isa)) {}

void PlaneQueries::run_range(const Frame& frame, const KindRange& range, const QueryParameters& asked,
                             const OutputView& out) {
    const ShapeTables& tables = ShapeTables::of(*frame.shapes);
    const auto kind_a = static_cast<ShapeKind>(range.kind_a), kind_b = static_cast<ShapeKind>(range.kind_b);
    ChunkPairs pairs;
    // Not initialised: the records of columns are made in it.
    alignas(BodyPair) std::byte made[kChunkPairs * sizeof(BodyPair)];
    const RecordBuilder record_of(frame.bodies);
    if (record_of.reads_records()) {
        const Strided<Body>& bodies = frame.bodies.records();
        context.kernels->place_chunk_pairs({{frame.pairs.address(0), frame.pairs.stride()},
                                            sorted.is_in_order ? nullptr : sorted.order.data(),
                                            sorted.kind.data(),
                                            range.first,
                                            range.count,
                                            kind_a == kind_b,
                                            bodies.address(0),
                                            static_cast<std::uint32_t>(bodies.stride())},
                                           pairs);
    } else {
        sorted.for_each(range, [&](std::uint32_t i, std::uint32_t pair_and_swap) {
            const Entry entry = entry_of(frame.pairs, pair_and_swap, kind_a == kind_b);
            const auto* const bodies = new (made + i * sizeof(BodyPair)) BodyPair(record_of(entry.a, entry.b));
            pairs.pair_and_swap[i] = entry.pair_and_swap;
            pairs.a[i] = in_chunk(bodies->a), pairs.b[i] = in_chunk(bodies->b);
        });
    }
    for (std::uint32_t i = range.count; i < whole_lanes(range.count); ++i) {
        pairs.pair_and_swap[i] = pairs.pair_and_swap[range.count - 1];
        pairs.a[i] = pairs.a[range.count - 1], pairs.b[i] = pairs.b[range.count - 1];
    }
    const auto exactly = [&](std::uint32_t i) {
        answer_exactly(tables, body_of(pairs.a[i]), body_of(pairs.b[i]), pairs.pair_and_swap[i], asked, out);
    };
    if (asked.exact_only || !has_lanes(kind_a) || !has_lanes(kind_b)) {
        for (std::uint32_t i = 0; i < range.count; ++i) exactly(i);
        add_shared(context.counters.exact, range.count);
        return;
    }
    std::uint16_t uncertified[kChunkPairs];
    const PlaneChunk chunk = {
        kind_a, kind_b, range.count, sorted.is_in_order, &pairs, tables.records_of(kind_a), tables.records_of(kind_b),
        &out,   &asked, uncertified};
    const std::uint32_t left = kernels->run_plane_chunk(chunk);
    for (std::uint32_t i = 0; i < left; ++i) exactly(uncertified[i]);
    if (left != 0) add_shared(context.counters.exact, left);
}

void PlaneQueries::run_parts(const Frame& frame, const QueryParameters& asked, const OutputView& out) {
    const ShapeTables& tables = ShapeTables::of(*frame.shapes);
    const std::size_t count = sorted.compounds.size(), blocks = blocks_of(count, kPartBlock);
    if (part_blocks.size() < blocks) part_blocks.resize(blocks);
    part_ranges.resize(count);
    if (asked.query == Query::collide) part_of.assign(frame.pairs.size(), 0);
    const RecordBuilder record_of(frame.bodies);
    parallel_for(context.executor, blocks, [&](std::size_t block) {
        Vector<PartManifold>& manifolds = part_blocks[block];
        manifolds.clear();
        const std::size_t end = std::min(count, (block + 1) * kPartBlock);
        for (std::size_t i = block * kPartBlock; i < end; ++i) {
            const Entry& entry = sorted.compounds[i];
            const BodyPair bodies = record_of(entry.a, entry.b);
            const auto first = static_cast<std::uint32_t>(manifolds.size());
            answer_parts(tables, bodies.a, bodies.b, entry.pair_and_swap, asked, out, manifolds);
            if (asked.query != Query::collide) continue;
            part_ranges[i] = {static_cast<std::uint32_t>(block), first,
                              static_cast<std::uint32_t>(manifolds.size()) - first};
            part_of[entry.pair()] = static_cast<std::uint32_t>(i + 1);
        }
    });
}

void PlaneQueries::run(const Frame& frame, QueryParameters asked, const OutputView& out) {
    asked.max_child_pairs = context.settings.max_child_pairs;
    sort_plane_pairs(frame, *context.kernels, context.executor, sorted, out.status);
    std::size_t answered = sorted.compounds.size();
    for (const KindRange& range : sorted.ranges) answered += range.count;
    parallel_for(context.executor, sorted.ranges.size(),
                 [&](std::size_t i) { run_range(frame, sorted.ranges[i], asked, out); });
    part_ranges.clear();
    if (!sorted.compounds.empty()) run_parts(frame, asked, out);
    context.counters.pairs += answered;
    context.counters.wide = context.counters.pairs - context.counters.exact;
}

void PlaneQueries::answer(OverlapColumns& out, const Frame& frame) {
    const std::size_t pairs = frame.pairs.size();
    context.scratch.flag.assign(pairs, 0);
    OutputView view;
    view.status = context.begin_statuses(pairs, out.status);
    view.hit = context.scratch.flag.data();
    run(frame, {Query::overlap}, view);
    context.give_hits(pairs, out);
}

void PlaneQueries::answer(DistanceColumns& out, const Frame& frame, const DistanceOptions& options) {
    const std::size_t pairs = frame.pairs.size();
    OutputView view;
    view.status = context.begin_statuses(pairs, out.status);
    view.signed_distance = out.signed_distance.data();
    view.normal = data_or_null(out.normal);
    view.point_a = data_or_null(out.point_a), view.point_b = data_or_null(out.point_b);
    QueryParameters asked = {Query::distance};
    asked.separation_only = options.separation_only;
    asked.exact_only = context.settings.depth == DepthPath::exact;
    asked.reach = options.max_distance, asked.margins = options.max_distances;
    run(frame, asked, view);
    for (std::size_t i = 0; i < pairs; ++i)
        if (view.status[i] != Status::ok && view.status[i] != Status::not_converged)
            put_distance(true, 0, {0, 0}, {0, 0}, {0, 0}, true, std::uint32_t(i), view);
}

std::size_t PlaneQueries::manifolds_of(std::size_t pair) const {
    if (!part_ranges.empty() && part_of[pair] != 0) return part_ranges[part_of[pair] - 1].count;
    return context.scratch.flag[pair] != 0 ? 1 : 0;
}

std::size_t PlaneQueries::collide(const Frame& frame) {
    const Busy one(context.busy);
    const std::size_t pairs = frame.pairs.size();
    context.begin();
    block_starts.clear();
    if (pairs == 0) return 0;
    context.scratch.flag.assign(pairs, 0);
    if (records.size() < pairs) records.resize(pairs);
    OutputView view;
    view.status = context.begin_statuses(pairs);
    view.contact_count = context.scratch.flag.data();
    view.manifolds = records.data();
    QueryParameters asked = {Query::collide};
    asked.exact_only = context.settings.depth == DepthPath::exact;
    asked.reach = context.settings.speculative_margin, asked.margins = frame.margins;
    asked.contact_slack = context.settings.contact_slack;
    run(frame, asked, view);
    block_starts.assign(blocks_of(pairs, kBlockPairs) + 1, 0);
    // Pairs with parts have no flags.
    parallel_for(context.executor, block_starts.size() - 1, [&](std::size_t block) {
        const std::uint8_t* const flags = view.contact_count + block * kBlockPairs;
        const std::size_t count = std::min(pairs - block * kBlockPairs, kBlockPairs);
        std::uint32_t manifolds = 0;
        for (std::size_t i = 0; i < count; ++i) manifolds += flags[i] != 0 ? 1 : 0;
        block_starts[block + 1] = manifolds;
    });
    for (std::size_t i = 0; i < part_ranges.size(); ++i)
        block_starts[sorted.compounds[i].pair() / kBlockPairs + 1] += part_ranges[i].count;
    for (std::size_t block = 1; block < block_starts.size(); ++block) block_starts[block] += block_starts[block - 1];
    return block_starts.back();
}

namespace {

void put_manifold(const ManifoldRecord& record, std::uint32_t pair, std::uint32_t child_a, std::uint32_t child_b,
                  std::uint32_t contacts, Manifold& to) {
    to.pair = pair, to.child_a = child_a, to.child_b = child_b, to.contact_count = contacts;
    std::memcpy(static_cast<void*>(&to.normal), &record, sizeof record);
}

// Packs the manifolds of the pairs [i, end), one each or none, from place `at` on, without a branch on which: a place
// is written until its manifold comes. Returns the first pair not written; all from there on have none.
std::size_t put_all(const ManifoldRecord* records, const std::uint8_t* counts, std::size_t i, std::size_t end,
                    std::size_t& at, Manifold* to, std::uint32_t* first) {
    while (end > i && counts[end - 1] == 0) --end;
    std::size_t place = at;
    for (; i < end; ++i) {
        const std::uint32_t contacts = counts[i];
        put_manifold(records[i], static_cast<std::uint32_t>(i), 0, 0, contacts, to[place]);
        place += contacts != 0 ? 1 : 0;
        first[i + 1] = static_cast<std::uint32_t>(place);
    }
    at = place;
    return i;
}

}  // namespace

void PlaneQueries::pack(const Frame& frame, ManifoldColumns& out) {
    const std::size_t pairs = frame.pairs.size();
    out.manifolds_needed = block_starts.empty() ? 0 : block_starts.back();
    out.manifold_count = 0;
    if (!out.first_manifold.empty()) out.first_manifold[0] = 0;
    if (pairs == 0) return;
    // Once a pair did not fit, none of the later ones does.
    std::size_t room = out.manifolds.size();
    if (out.manifolds_needed > room) {
        std::size_t fitting = 0;
        for (std::size_t i = 0; i < pairs && fitting + manifolds_of(i) <= room; ++i) fitting += manifolds_of(i);
        room = fitting;
    }
    Status* const status = context.scratch.status.data();
    const std::uint8_t* const flags = context.scratch.flag.data();
    parallel_for(context.executor, block_starts.size() - 1, [&](std::size_t block) {
        const std::size_t end = std::min(pairs, (block + 1) * kBlockPairs);
        std::size_t at = block_starts[block], i = block * kBlockPairs;
        if (part_ranges.empty() && block_starts[block + 1] <= room)
            i = put_all(records.data(), flags, i, end, at, out.manifolds.data(), out.first_manifold.data());
        for (; i < end; ++i) {
            const auto pair = static_cast<std::uint32_t>(i);
            const std::size_t count = manifolds_of(i);
            if (count != 0 && at + count > room) {
                status[i] = Status::no_room;
            } else if (part_ranges.empty() || part_of[i] == 0) {
                if (count != 0) put_manifold(records[i], pair, 0, 0, flags[i], out.manifolds[at]);
            } else {
                const PartRange& range = part_ranges[part_of[i] - 1];
                for (std::size_t k = 0; k < count; ++k) {
                    const PartManifold& from = part_blocks[range.block][range.first + k];
                    put_manifold(from.record, pair, from.child_a, from.child_b, from.contact_count,
                                 out.manifolds[at + k]);
                }
            }
            at += count;
            out.first_manifold[i + 1] = static_cast<std::uint32_t>(std::min(at, room));
        }
    });
    out.manifold_count = std::min(out.manifolds_needed, room);
    if (!out.status.empty()) std::copy_n(status, pairs, out.status.data());
}

}  // namespace abut::d2
