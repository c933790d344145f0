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
void point_at_records(const Kernels& kernels, const Frame& frame, const Strided<Record>& records,
                      const SortedPairs& sorted, const KindRange& range, ChunkPairs& out, Body* made = nullptr) {
    kernels.place_chunk_pairs({{frame.pairs.address(0), frame.pairs.stride()},
                               sorted.is_one_kind ? nullptr : sorted.order.data(),
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

// Makes a hull of the triangle of each pair of a chunk, at the indices first, first + 1, ..., and writes its id to the
// body's shape. `which`: 0 if A is the triangle, 1 if B is.
void make_triangles(const CentredTriangle* triangles, Body* bodies, std::uint32_t count, std::size_t which,
                    bool with_contacts, const ChunkPairs& pairs, TriangleHulls& hulls, std::uint32_t first) {
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::size_t pair = pairs.pair_and_swap[i] & ~Entry::kSwapped;
        hulls.set(first + i, triangles[pair], with_contacts);
        bodies[2 * pair + which].shape = ShapeId::make(ShapeKind::hull, first + i, 0);
    }
}

}  // namespace

void ChunkRunner::run(const Frame& frame, const SortedPairs& pairs, const QueryParameters& parameters,
                      const OutputView& out, const OtherShapes* others, const PlacedShape* placed) const {
    const ShapeTables& tables = tables_of(*frame.shapes);
    // Sets the tables of the kinds that occur and no others: clearing all would delay a small call.
    FrameView view;
    view.hulls = tables.hulls.data(), view.customs = tables.customs.data();
    view.cube = &tables.cube, view.prism = &tables.prism;
    std::size_t answered = 0;
    for (const KindRange& range : pairs.ranges) {
        answered += range.count;
        for (const ShapeKind kind : {range.kind_a, range.kind_b}) {
            const InstanceTable& table = tables.kinds[static_cast<int>(kind)];
            view.records[static_cast<int>(kind)] = table.records.data();
            view.identities[static_cast<int>(kind)] = table.identities.data();
        }
    }
    FrameView with_others;
    if (others != nullptr) with_others = view, with_others.records[static_cast<int>(others->kind)] = others->records;
    const PairRecordBuilder builder(frame);
    std::atomic<std::size_t> exact = 0;
    parallel_for(executor, pairs.ranges.size(), [&](std::size_t i) {
        const KindRange& range = pairs.ranges[i];
        const Kernels& of = 2 * range.count <= kernels->lanes ? *few_kernels : *kernels;
        const std::uint64_t start = nanoseconds_now();
        ChunkPairs chunk_pairs;
        const bool b_is_other = others != nullptr && range.kind_b == others->kind,
                   a_is_other = others != nullptr && !b_is_other;
        const Chunk chunk = {range.kind_a,
                             range.kind_b,
                             range.count,
                             &chunk_pairs,
                             a_is_other ? &with_others : &view,
                             b_is_other ? &with_others : &view,
                             &out,
                             &parameters};
        ChunkCounters counted;
        const auto run = [&](const Chunk& pointed) {
            point_at_caches(frame, range, chunk_pairs);
            of.run_chunk(pointed, counted);
        };
        if (others != nullptr && others->triangles != nullptr) {
            const TrianglePool::Loan loan(*others->pool,
                                          others->first_triangles != nullptr ? 2 * kChunkPairs : kChunkPairs);
            FrameView with_triangles = with_others;
            with_triangles.records[static_cast<int>(ShapeKind::hull)] = loan.hulls().records.data();
            with_triangles.hulls = loan.hulls().hulls.data();
            Chunk on_triangles = chunk;
            (a_is_other ? on_triangles.frame : on_triangles.frame_b) = &with_triangles;
            point_at_records(of, frame, frame.bodies.records(), pairs, range, chunk_pairs);
            const auto make = [&](const CentredTriangle* triangles, std::size_t which, std::uint32_t first) {
                make_triangles(triangles, others->bodies, range.count, which, parameters.query == Query::collide,
                               chunk_pairs, loan.hulls(), first);
            };
            make(others->triangles, a_is_other ? 0 : 1, 0);
            if (others->first_triangles != nullptr)
                on_triangles.frame = &with_triangles, make(others->first_triangles, 0, kChunkPairs);
            run(on_triangles);
        } else if (builder.reads_records() && can_point(frame)) {
            point_at_records(of, frame, frame.bodies.records(), pairs, range, chunk_pairs);
            run(chunk);
        } else {
            alignas(PosedPair)
                std::byte room[kChunkPairs * sizeof(PosedPair)];  // uninitialised, because clearing costs time
            auto* const records = reinterpret_cast<PosedPair*>(room);
            if (placed != nullptr)
                point_at_records(of, frame, Strided<PlacedShape>(placed, frame.bodies.size()), pairs, range,
                                 chunk_pairs, &records->a);
            else
                make_records(frame, pairs, range, builder, records, chunk_pairs);
            run(chunk);
        }
        if (kTimesStages && times != nullptr) times->add_chunk(counted.times, range.count, nanoseconds_now() - start);
        if (counted.exact != 0) exact.fetch_add(counted.exact, std::memory_order_relaxed);
    });
    counters->pairs += answered;
    counters->wide += answered - exact;
    counters->exact += exact;
}

}  // namespace abut
