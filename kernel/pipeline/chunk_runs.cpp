// See chunk_runs.hpp.
#include "pipeline/chunk_runs.hpp"

#include <atomic>

#include "frame/pair_placer.hpp"
#include "parallel/fp_environment.hpp"
#include "parallel/parallel_for.hpp"
#include "shapes/tables.hpp"

namespace abut {
namespace {

// A chunk whose bodies are columns, or whose pairs have poses of their own: two records a pair are made of them, one after the other.
class PlacedChunk {
public:
    PlacedChunk(const PairPlacer& place, const Chunk& chunk) : chunk_(chunk), frame_(*chunk.frame) {
        for (std::uint32_t i = 0; i < chunk.count; ++i) {
            const Entry& entry = chunk.entries[i];
            place.put(entry, pairs_[i]);
            entries_[i] = {entry.pair_and_swap, 2 * i, place.is_self(entry) ? 2 * i : 2 * i + 1};
        }
        frame_.bodies = reinterpret_cast<const std::byte*>(pairs_);
        frame_.body_stride = sizeof(Body);
        chunk_.entries = entries_;
        chunk_.frame = &frame_;
    }
    PlacedChunk(const PlacedChunk&) = delete;
    PlacedChunk& operator=(const PlacedChunk&) = delete;

    void run(const Kernels& kernels, ChunkCounters& counted) const { kernels.run_chunk(chunk_, counted); }

private:
    Chunk chunk_;
    FrameView frame_;
    PlacedPair pairs_[kChunkPairs];
    Entry entries_[kChunkPairs];
};
static_assert(sizeof(PlacedPair) == 2 * sizeof(Body));

}  // namespace

void ChunkRunner::run(const Frame& frame, const SortedPairs& pairs, const QueryParameters& parameters, const OutputView& out) const {
    const ShapeTables& tables = tables_of(*frame.shapes);
    const Strided<Body>& records = frame.bodies.records();
    FrameView view = {records.address(0), records.stride(), {},          {}, tables.hulls.data(), tables.customs.data(),
                      &tables.cube,       &tables.prism,    frame.caches};
    for (std::uint32_t kind = 0; kind < kKindCount; ++kind) {
        view.records[kind] = tables.kinds[kind].records.data();
        view.identities[kind] = tables.kinds[kind].identities.data();
    }
    const PairPlacer place(frame);
    std::atomic<std::size_t> exact = 0;
    parallel_for(executor, pairs.chunks.size(), [&](std::size_t i) {
        Chunk chunk = pairs.chunks[i];
        chunk.frame = &view;
        chunk.out = &out;
        chunk.parameters = &parameters;
        ChunkCounters counted;
        const FpEnvironment environment;
        if (place.reads_records())
            kernels->run_chunk(chunk, counted);
        else
            PlacedChunk(place, chunk).run(*kernels, counted);
        if (counted.exact != 0) exact.fetch_add(counted.exact, std::memory_order_relaxed);
    });
    std::size_t answered = 0;
    for (const Chunk& chunk : pairs.chunks) answered += chunk.count;
    counters->pairs += answered;
    counters->wide += answered - exact;
    counters->exact += exact;
}

}  // namespace abut
