// See plane_queries.hpp.
#include "d2/pairs/plane_queries.hpp"

#include <algorithm>
#include <bit>

#include "base/parallel/add_shared.hpp"
#include "base/parallel/parallel_for.hpp"
#include "base/scratch_columns.hpp"
#include "d2/convex/plane_exact.hpp"
#include "d2/pairs/plane_kinds.hpp"

namespace abut::d2 {
namespace {

constexpr std::size_t kBlockPairs = 4096, kPartBlock = 64;
static_assert(kBlockPairs % kChunkPairs == 0 && kChunkPairs % 64 == 0);

// The first place of a chunk in PlaneQueries::packed; the lists of chunks are one place longer than they have pairs.
constexpr std::size_t first_packed(std::size_t first_pair) { return first_pair + first_pair / kChunkPairs; }

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

void put_manifold(const ManifoldRecord& record, std::uint32_t pair, std::uint32_t child_a, std::uint32_t child_b,
                  std::uint32_t contacts, Manifold& to) {
    to.pair = pair, to.child_a = child_a, to.child_b = child_b, to.contact_count = contacts;
    std::memcpy(static_cast<void*>(&to.normal), &record, sizeof record);
}

std::size_t manifolds_in(const std::uint8_t* counts, std::size_t pairs) {
    std::uint32_t manifolds = 0;
    for (std::size_t i = 0; i < pairs; ++i) manifolds += counts[i] != 0 ? 1 : 0;
    return manifolds;
}

// Fills the places of a chunk's packed list that uncertified pairs have got, or removes them.
void fill_places(const PlaneChunk& chunk, std::size_t places) {
    Manifold* to = chunk.packed;
    for (const Manifold* from = to; from != chunk.packed + places; ++from) {
        const std::uint8_t contacts = chunk.out->contact_count[from->pair];
        if (from->contact_count != 0)
            *to++ = *from;
        else if (contacts != 0)
            put_manifold(chunk.out->manifolds[from->pair], from->pair, 0, 0, contacts, *to++);
    }
}

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
    const PlaneChunk chunk = {kind_a,
                              kind_b,
                              range.count,
                              sorted.is_in_order,
                              &pairs,
                              tables.records_of(kind_a),
                              tables.records_of(kind_b),
                              &out,
                              &asked,
                              uncertified,
                              is_packed ? packed.data() + first_packed(range.first) : nullptr};
    const std::uint32_t left = kernels->run_plane_chunk(chunk);
    if (left == 0) return;
    add_shared(context.counters.exact, left);
    const std::size_t certain = is_packed ? manifolds_in(out.contact_count + range.first, range.count) : 0;
    for (std::uint32_t i = 0; i < left; ++i) exactly(uncertified[i]);
    if (is_packed) fill_places(chunk, certain + left);
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
    const auto is_of_lanes = [](abut::ShapeKind kind) { return has_lanes(static_cast<ShapeKind>(kind)); };
    is_packed = asked.query == Query::collide && !asked.exact_only && sorted.is_in_order &&
                is_of_lanes(sorted.ranges[0].kind_a) && is_of_lanes(sorted.ranges[0].kind_b);
    const std::size_t places = first_packed(whole_lanes(static_cast<std::uint32_t>(frame.pairs.size()))) + 1;
    if (is_packed && packed.size() < places) packed.resize(places);
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
        const std::size_t first = block * kBlockPairs;
        block_starts[block + 1] = manifolds_in(view.contact_count + first, std::min(pairs - first, kBlockPairs));
    });
    for (std::size_t i = 0; i < part_ranges.size(); ++i)
        block_starts[sorted.compounds[i].pair() / kBlockPairs + 1] += part_ranges[i].count;
    for (std::size_t block = 1; block < block_starts.size(); ++block) block_starts[block] += block_starts[block - 1];
    return block_starts.back();
}

namespace {

// Packs the manifolds of the pairs [i, end), one each or none, from place `at` on: 64 pairs at a time, in bytes of words.
// `packed`: null, or the lists of the chunks. Returns the next place.
std::size_t put_all(const ManifoldRecord* records, const Manifold* packed, const std::uint8_t* counts, std::size_t i,
                    std::size_t end, std::size_t at, Manifold* to, std::uint32_t* first) {
    constexpr std::uint64_t kOnes = 0x0101010101010101, kGather = 0x0102040810204080;  // bytes' bits to the top byte
    const Manifold* from = nullptr;
    for (std::uint8_t has_before[64]; i < end; i += 64) {
        const std::size_t block = std::min<std::size_t>(end - i, 64);
        std::uint64_t has = 0, sums = 0;
        for (std::size_t k = 0; k < block; k += 8) {
            std::uint64_t of_eight = 0;
            std::memcpy(&of_eight, counts + i + k, std::min<std::size_t>(block - k, 8));
            const std::uint64_t has_one = (of_eight | of_eight >> 1) & kOnes;  // counts are 0, 1 or 2
            sums = has_one * kOnes + (sums >> 56) * kOnes;
            std::memcpy(has_before + k, &sums, sizeof sums);
            has |= (has_one * kGather >> 56) << k;
        }
        for (std::size_t k = 0; k < block; ++k) first[i + k + 1] = static_cast<std::uint32_t>(at + has_before[k]);
        if (packed == nullptr) {
            for (std::size_t next = at; has != 0; has &= has - 1) {
                const std::size_t pair = i + static_cast<std::size_t>(std::countr_zero(has));
                put_manifold(records[pair], static_cast<std::uint32_t>(pair), 0, 0, counts[pair], to[next++]);
            }
        } else {
            if (i % kChunkPairs == 0) from = packed + first_packed(i);
            std::copy_n(from, sums >> 56, to + at);  // no room may be null
            from += sums >> 56;
        }
        at += sums >> 56;
    }
    return at;
}

}  // namespace

void PlaneQueries::pack(const Frame& frame, ManifoldColumns& out) {
    const std::size_t pairs = frame.pairs.size();
    out.manifolds_needed = block_starts.empty() ? 0 : block_starts.back();
    out.manifold_count = 0;
    if (!out.first_manifold.empty()) out.first_manifold[0] = 0;
    if (pairs == 0) return;
    // Once a pair did not fit, none of the later ones does.
    std::size_t room = out.manifolds.size(), fitting_pairs = pairs;
    if (out.manifolds_needed > room) {
        std::size_t fitting = 0, i = 0;
        for (; i < pairs && fitting + manifolds_of(i) <= room; ++i) fitting += manifolds_of(i);
        room = fitting, fitting_pairs = i;
    }
    Status* const status = context.scratch.status.data();
    const std::uint8_t* const flags = context.scratch.flag.data();
    parallel_for(context.executor, block_starts.size() - 1, [&](std::size_t block) {
        const std::size_t end = std::min(pairs, (block + 1) * kBlockPairs);
        std::size_t at = block_starts[block], i = block * kBlockPairs;
        if (part_ranges.empty() && i < fitting_pairs) {
            const std::size_t last = std::min(end, fitting_pairs);
            at = put_all(records.data(), is_packed ? packed.data() : nullptr, flags, i, last, at, out.manifolds.data(),
                         out.first_manifold.data());
            i = last;
        }
        for (; i < end; ++i) {
            const auto pair = static_cast<std::uint32_t>(i);
            const std::size_t count = manifolds_of(i);
            if (count != 0 && at + count > room) {
                status[i] = Status::no_room;
            } else if (count != 0 && part_of[i] == 0) {
                put_manifold(records[i], pair, 0, 0, flags[i], out.manifolds[at]);
            } else if (count != 0) {
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
