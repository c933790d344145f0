// Pairs with a half-space, by a closed form; a manifold is found in the group that found its pair near enough.
#include "chunk/chunk.hpp"

#include "chunk/contacts.hpp"
#include "manifold/plane_manifold.hpp"
#include "separation/over_plane.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

template <class CoreA>
ABUT_INLINE void answer(Run& run, const OverPlaneW<CoreA>& pair, const std::uint16_t* list, std::uint32_t lanes) {
    const Chunk& chunk = run.chunk;
    const FloatW reach = reach_down(pair, lanes), distance = distance_over_plane(pair, reach), metres = distance * pair.frame.metres;
    switch (run.query()) {
        case Query::overlap: store_hits(chunk, list, lanes, distance <= FloatW(0.0f)); break;
        case Query::collide: {
            const std::uint32_t within = (metres <= margin_of(chunk, list, lanes)).bits() & lanes;
            if (within == 0) break;
            // A hull's lowest vertex is found among its contacts.
            constexpr bool has_vertices = std::is_same_v<CoreA, HullCore>;
            const AnswerW lowest = has_vertices ? AnswerW{distance, -pair.b.normal, splat(0.0f)} : answer_over_plane(pair, reach, within);
            store_manifold(run, pair, list, within, lowest, IntW(0));
            break;
        }
        case Query::distance: {
            const MaskW flat = chunk.parameters->separation_only ? metres <= FloatW(0.0f) : MaskW();
            const std::uint32_t asked = (~flat & (metres <= FloatW(chunk.parameters->reach))).bits() & lanes;
            run.store(pair, list, lanes, answer_over_plane(pair, reach, asked), [] { return IntW(0); });
        }
    }
}

template <class CoreA>
void run_halfspace(Run& run, ChunkCounters& counters) {
    if (run.chunk.parameters->exact_only) {
        run.exact = all_of(run.chunk);
    } else {
        for_each_group<CoreA, PlaneCore>(run.chunk, all_of(run.chunk), [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
            if ((lanes = run.admit(pair, list, lanes)) != 0) answer(run, pair, list, lanes);
        });
    }
    if (run.exact.count != 0) run_exact<CoreA, PlaneCore>(run, counters);
}

}  // namespace

void run_halfspace_kind(Run& run, ChunkCounters& counters) {
    with_core_of(run.chunk.kind_a, [&](auto core) { run_halfspace<typename decltype(core)::Type>(run, counters); });
}

}  // namespace abut::ABUT_ISA_NAMESPACE
