// Pairs of which no more than a bound is asked. Far ones that a bound on their motion still proves to be beyond the reach are answered first,
// and go no further.
#pragma once

#include "chunk/run.hpp"
#include "separation/certify.hpp"
#include "separation/motion_bound.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Answers those; returns the others. A statement that proves nothing any more is dropped.
inline PairList answer_far(const Run& run) {
    const Chunk& chunk = run.chunk;
    const bool has_reach = run.query() != Query::distance || chunk.parameters->reach < kInfinity;
    if (chunk.frame->caches == nullptr || !has_reach) return all_of(chunk);
    PairList far, rest;
    for (std::uint32_t i = 0; i < chunk.count; ++i) {
        const bool is_far = (mark_of(cache_of(chunk, i)) & 0xffff) == kFarMark;
        far.append_if(is_far, i);
        rest.append_if(!is_far, i);
    }
    for (std::uint32_t first = 0; first < far.count; first += kLanes) {
        const std::uint16_t* list = far.index + first;
        const std::uint32_t lanes = lane_bits(far.count - first), still = still_far(chunk, list, lanes, reach_of(run, list, lanes));
        store_none(chunk, list, still, kInfinity);
        for_each_lane(lanes & ~still, [&](int lane) { cache_of(chunk, list[lane]) = WarmCache{}; });
        rest.append(list, lanes & ~still);
    }
    return rest;
}

// Answers `lanes`, which are beyond the reach, their cores at least `core_gap` apart. Returns those that are remembered: where that leaves
// some motion before they are within reach, and the caller has caches.
template <class Pair>
ABUT_INLINE std::uint32_t store_beyond(const Run& run, const Pair& pair, const std::uint16_t* list, std::uint32_t lanes, FloatW core_gap) {
    store_none(run.chunk, list, lanes, kInfinity);
    if (run.chunk.frame->caches == nullptr) return 0;
    // Twice the bound: once for the gap, once for what may be answered of a pair on the edge of the reach.
    const FloatW unsure = packing_error(pair.a) + packing_error(pair.b) + FloatW(2.0f) * pair.tolerance;
    const FloatW gap = (core_gap - pair.radius - unsure) * pair.frame.metres;
    const FloatW worth = reach_of(run, list, lanes) + FloatW(kMotionWorth) * pair.smaller * pair.frame.metres;
    const std::uint32_t kept = (gap > worth).bits() & lanes;
    if (kept != 0) store_far(run.chunk, list, kept, gap);
    return kept;
}

// Answers what GJK ended early, beyond the reach or within the radius; returns those that are remembered as far.
template <class CoreA, class CoreB>
ABUT_INLINE std::uint32_t store_bounded(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list, const GjkResult& found) {
    if (const std::uint32_t within = found.within.bits(); within != 0) {
        const std::uint32_t sure = within & is_within_radius(pair, found.simplex).bits();
        store_none(run.chunk, list, sure, 0.0f);
        run.exact.append(list, within & ~sure);
    }
    const std::uint32_t beyond = found.beyond.bits();
    return beyond == 0 ? 0 : store_beyond(run, pair, list, beyond, lower_bound_of(found));
}

}  // namespace abut::ABUT_ISA_NAMESPACE
