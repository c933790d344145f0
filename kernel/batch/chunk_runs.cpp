// See chunk_runs.hpp.
#include "batch/chunk_runs.hpp"

#include <atomic>
#include <limits>

#include "base/compiler_support.hpp"
#include "base/parallel/parallel_for.hpp"
#include "convex/contract/pair_records.hpp"
#include "convex/contract/warm_marks.hpp"
#include "shapes/kinds.hpp"
#include "shapes/tables.hpp"

namespace abut {
namespace {

// Makes a chunk's pairs point at records that the kernels can read.
template <class Record>
void point_at_records(const Kernels& kernels, const Strided<Pair>& pairs, const Strided<Record>& records,
                      const SortedPairs& sorted, const KindRange& range, ChunkPairs& out, Body* made = nullptr) {
    kernels.place_chunk_pairs({{pairs.address(0), pairs.stride()},
                               sorted.is_in_order ? nullptr : sorted.order.data(),
                               sorted.kind.data(),
                               range.first,
                               range.count,
                               range.kind_a == range.kind_b,
                               records.address(0),
                               static_cast<std::uint32_t>(records.stride()),
                               made},
                              out);
}

void point_at_caches(const Frame& frame, const KindRange& range, ChunkPairs& out) {
    out.has_caches = !frame.caches.empty() && uses_caches(range.kind_a, range.kind_b);
    if (!out.has_caches) return;
    for (std::uint32_t i = 0; i < range.count; ++i) {
        out.caches[i] = &cache_of(frame, out.pair_and_swap[i] & ~Entry::kSwapped);
        prefetch(out.caches[i]);
    }
}

bool can_point(const Frame& frame) {
    return frame.bodies.records().stride() <= std::numeric_limits<std::uint32_t>::max();
}

// Makes two records per pair, if bodies are columns or pairs have poses of their own.
void make_records(const Frame& frame, const SortedPairs& sorted, const KindRange& range,
                  const PairRecordBuilder& builder, PosedPair* records, ChunkPairs& out) {
    out.has_self = false;
    sorted.for_each(range, [&](std::uint32_t i, std::uint32_t pair_and_swap) {
        const Entry entry = entry_of(frame.pairs, pair_and_swap, range.kind_a == range.kind_b);
        const bool is_self = builder.is_self(entry);
        builder.put(entry, records[i].a, records[i].b);
        out.pair_and_swap[i] = entry.pair_and_swap;
        out.a[i] = &records[i].a;
        out.b[i] = is_self ? &records[i].a : &records[i].b;
        out.has_self |= is_self;
    });
}

// Makes the shapes of a chunk's A or B, at the indices first, first + 1, ..., and sets the bodies' shape ids.
// `triangles`: null if the shapes are planes.
void make_shapes(PairBatch& batch, const CentredTriangle* triangles, const Chunk& chunk, std::size_t which,
                 std::uint32_t first, TriangleHulls& out) {
    const bool with_contacts = chunk.parameters->query == Query::collide;
    for (std::uint32_t i = 0, at = first; i < chunk.count; ++i, ++at) {
        const std::uint32_t pair = chunk.pair(i);
        if (triangles != nullptr)
            out.set(at, triangles[pair], with_contacts);
        else
            out.records[at] = batch.planes[pair];
        batch.bodies_of(pair)[which].shape =
            ShapeId::make(triangles != nullptr ? ShapeKind::hull : ShapeKind::halfspace, at, 0);
    }
}

// Runs the chunks of some ranges. point(kernels, range, pairs, chunk, run) makes a chunk's pairs point at their bodies,
// then calls run().
template <class Point>
void run_ranges(const ChunkRunner& runner, const ShapeTables& tables, std::span<const KindRange> ranges,
                const QueryParameters& parameters, const OutputView& out, const Point& point) {
    // Sets the tables of the kinds that occur and no others: clearing all would delay a small call.
    FrameView view;
    view.hulls = tables.hulls.data(), view.customs = tables.customs.data();
    view.cube = &tables.cube, view.prism = &tables.prism;
    std::size_t answered = 0;
    for (const KindRange& range : ranges) {
        answered += range.count;
        for (const ShapeKind kind : {range.kind_a, range.kind_b}) {
            const InstanceTable& table = tables.kinds[static_cast<int>(kind)];
            view.records[static_cast<int>(kind)] = table.records.data();
            view.identities[static_cast<int>(kind)] = table.identities.data();
        }
    }
    std::atomic<std::size_t> exact = 0;
    parallel_for(runner.executor, ranges.size(), [&](std::size_t i) {
        const KindRange& range = ranges[i];
        const Kernels& of = 2 * range.count <= runner.kernels->lanes ? *runner.few_kernels : *runner.kernels;
        const std::uint64_t start = nanoseconds_now();
        ChunkPairs pairs;
        pairs.has_caches = false;
        Chunk chunk = {range.kind_a, range.kind_b, range.count, &pairs, &view, &view, &out, &parameters};
        ChunkCounters counted;
        point(of, range, pairs, chunk, [&] { of.run_chunk(chunk, counted); });
        if (kTimesStages && runner.times != nullptr)
            runner.times->add_chunk(counted.times, range.count, nanoseconds_now() - start);
        if (counted.exact != 0) exact.fetch_add(counted.exact, std::memory_order_relaxed);
    });
    runner.counters->pairs += answered;
    runner.counters->wide += answered - exact;
    runner.counters->exact += exact;
}

}  // namespace

void ChunkRunner::run(const Frame& frame, const SortedPairs& sorted, const QueryParameters& parameters,
                      const OutputView& out, const PlacedShape* placed) const {
    const PairRecordBuilder builder(frame);
    const auto point = [&](const Kernels& of, const KindRange& range, ChunkPairs& pairs, Chunk&, const auto& run) {
        alignas(PosedPair)
            std::byte room[kChunkPairs * sizeof(PosedPair)];  // uninitialised, because clearing costs time
        auto* const records = reinterpret_cast<PosedPair*>(room);
        if (placed != nullptr)
            point_at_records(of, frame.pairs, Strided<PlacedShape>(placed, frame.bodies.size()), sorted, range, pairs,
                             &records->a);
        else if (builder.reads_records() && can_point(frame))
            point_at_records(of, frame.pairs, frame.bodies.records(), sorted, range, pairs);
        else
            make_records(frame, sorted, range, builder, records, pairs);
        point_at_caches(frame, range, pairs);
        run();
    };
    run_ranges(*this, tables_of(*frame.shapes), sorted.ranges, parameters, out, point);
}

OutputView ChunkRunner::run(const ShapeTables& tables, PairBatch& batch, QueryParameters parameters,
                            const OutputView& wanted) const {
    if (!parameters.margins.empty()) parameters.margins = {batch.reaches.data(), batch.size};
    const OutputView out = batch.answers(wanted);
    sort_by_kind(batch.size, executor, batch.sorted);
    const ShapeKind made_kind = batch.made == Made::planes ? ShapeKind::halfspace : ShapeKind::hull;
    const Strided<Body> bodies(batch.bodies.data(), batch.bodies.size());
    const Strided<Pair> all(batch.pairs.data(), batch.size);
    const auto point =
        [&](const Kernels& of, const KindRange& range, ChunkPairs& pairs, Chunk& chunk, const auto& run) {
        point_at_records(of, all, bodies, batch.sorted, range, pairs);
        if (batch.made == Made::none) return run();
        const bool are_two = batch.made == Made::two_triangles, is_b = range.kind_b == made_kind;
        const TrianglePool::Loan loan(*pool, are_two ? 2 * kChunkPairs : kChunkPairs);
        TriangleHulls& made = loan.hulls();
        FrameView view = *chunk.frame;
        view.records[static_cast<int>(made_kind)] = made.records.data();
        view.hulls = made.hulls.data();
        (is_b ? chunk.frame_b : chunk.frame) = &view;
        make_shapes(batch, batch.made == Made::planes ? nullptr : batch.triangles.data(), chunk, is_b ? 1 : 0, 0, made);
        if (are_two) chunk.frame = &view, make_shapes(batch, batch.first_triangles.data(), chunk, 0, kChunkPairs, made);
        run();
    };
    run_ranges(*this, tables, batch.sorted.ranges, parameters, out, point);
    return out;
}

}  // namespace abut
