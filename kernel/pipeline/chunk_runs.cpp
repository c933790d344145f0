// See chunk_runs.hpp.
#include "pipeline/chunk_runs.hpp"

#include <atomic>

#include "cooking/unit_cube.hpp"
#include "cooking/unit_prism.hpp"
#include "parallel/fp_environment.hpp"
#include "parallel/parallel_for.hpp"
#include "shapes/tables.hpp"

namespace abut {

void ChunkRunner::run(const Frame& frame, const SortedPairs& pairs, const QueryParameters& parameters, const OutputView& out) const {
    const ShapeStore::Tables& tables = frame.shapes->tables();
    WarmCache* const caches = frame.caches.empty() ? nullptr : frame.caches.data();
    FrameView view = {
        frame.bodies.address(0), frame.bodies.stride(), {}, {}, tables.hulls.data(), tables.customs.data(), &unit_cube(), &unit_prism(), caches};
    for (std::uint32_t kind = 0; kind < kKindCount; ++kind) {
        view.records[kind] = tables.kinds[kind].records.data();
        view.identities[kind] = tables.kinds[kind].identities.data();
    }
    std::atomic<std::size_t> exact = 0;
    parallel_for(executor, pairs.chunks.size(), [&](std::size_t i) {
        Chunk chunk = pairs.chunks[i];
        chunk.frame = &view;
        chunk.out = &out;
        chunk.parameters = &parameters;
        ChunkCounters counted;
        const FpEnvironment environment;
        kernels->run_chunk(chunk, counted);
        if (counted.exact != 0) exact.fetch_add(counted.exact, std::memory_order_relaxed);
    });
    std::size_t answered = 0;
    for (const Chunk& chunk : pairs.chunks) answered += chunk.count;
    counters->pairs += answered;
    counters->wide += answered - exact;
    counters->exact += exact;
}

}  // namespace abut
