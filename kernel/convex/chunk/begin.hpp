// The first state of a pair. A pair is answered here if its cache proves an answer: far pairs beyond the reach,
// touching pairs that have not moved, and pairs whose contacts follow the bodies.
#pragma once

#include "convex/chunk/at_rest.hpp"
#include "convex/chunk/run.hpp"
#include "convex/separation/certify.hpp"
#include "convex/separation/motion_bound.hpp"
#include "convex/separation/warm.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Calls append(i, tag) for the pairs of the chunk that no cache answers; `tag` is that of the record of a search.
// Without caches, calls cold.append_all instead. Removes records of far pairs that no longer prove anything.
template <class Append>
ABUT_INLINE void distribute(Run& run, StateList<NoPayloadW>& cold, Append&& append) {
    const Chunk& chunk = run.chunk;
    if (chunk.parameters->exact_only) return run.exact.append_all(chunk);
    if (!chunk.has_caches()) return cold.append_all(chunk);
    const bool has_reach = run.writer.has_reach();
    const bool has_contacts = run.writer.needs_contacts(), is_asked = chunk.parameters->follow_distance > 0.0f;
    bool any_kept = false;
    StateList<NoPayloadW> far, resting, following;
    for (std::uint32_t i = 0; i < chunk.count; ++i) {
        WarmCache& cache = chunk.cache(i);
        const std::uint32_t tag = tag_of(cache);
        const bool is_far = has_reach & ((tag & 0xffff) == kFarTag);
        const std::uint32_t kept = has_contacts && !is_far ? next_tag(cache.opaque + kSearchBytes) : 0;
        if (kept == kMovingMark) {
            append(i, tag);
            continue;
        }
        any_kept = true;
        const bool is_resting = kept == kAtRestTag, is_following = kept == kFollowTag && !is_asked;
        far.append_if(is_far, i);
        resting.append_if(is_resting, i);
        following.append_if(is_following, i);
        if (!(is_far | is_resting | is_following)) append(i, tag);
    }
    run.keeps_contacts = has_contacts && any_kept;
    const auto append_lanes = [&](const std::uint16_t* list, std::uint32_t lanes) {
        for_each_lane(lanes, [&](int lane) { append(list[lane], tag_of(cache_of(chunk, list[lane]))); });
    };
    resting.take([&](const std::uint16_t* list, std::uint32_t lanes, NoPayloadW) {
        append_lanes(list, lanes & ~answer_at_rest(chunk, list, lanes, run.writer.reach(list, lanes)));
    });
    following.take([&](const std::uint16_t* list, std::uint32_t lanes, NoPayloadW) {
        append_lanes(list, lanes & ~answer_following(chunk, list, lanes, run.writer.reach(list, lanes)));
    });
    far.take([&](const std::uint16_t* list, std::uint32_t lanes, NoPayloadW) {
        const std::uint32_t beyond = is_beyond_reach(chunk, list, lanes, run.writer.reach(list, lanes));
        run.writer.beyond(list, beyond);
        for_each_lane(lanes & ~beyond, [&](int lane) { forget(cache_of(chunk, list[lane])); });
        cold.append(list, lanes & ~beyond);
    });
}
// Appends a pair that no cache answers to `warm` if its cache has vertices, otherwise to `cold`.
ABUT_NOINLINE inline void begin(Run& run, StateList<NoPayloadW>& cold, StateList<NoPayloadW>& warm) {
    distribute(run, cold, [&](std::uint32_t i, std::uint32_t tag) {
        warm.append_if(tag == kWarmTag, i);
        cold.append_if(tag != kWarmTag, i);
    });
}
ABUT_NOINLINE inline void begin(Run& run, StateList<NoPayloadW>& all) {
    distribute(run, all, [&](std::uint32_t i, std::uint32_t) { all.append_if(true, i); });
}

// Answers `lanes` as beyond the reach; their cores are at least `core_gap` apart. Returns the lanes that it stored in
// caches as far pairs: those that may move by some distance before they are within reach.
template <class Pair>
ABUT_INLINE std::uint32_t store_beyond(const Run& run, const Pair& pair, const std::uint16_t* list, std::uint32_t lanes,
                                       FloatW core_gap) {
    run.writer.beyond(list, lanes);
    if (!run.chunk.has_caches()) return 0;
    // Twice the bound: once for the gap, once for the answer of a pair at the limit of the reach.
    const FloatW uncertainty = packing_error(pair.a) + packing_error(pair.b) + FloatW(2.0f) * pair.tolerance;
    const FloatW gap = (core_gap - pair.radius - uncertainty) * pair.to_world.unit;
    const FloatW worth = run.writer.reach(list, lanes) + FloatW(kMotionWorth) * pair.smaller * pair.to_world.unit;
    const std::uint32_t kept = (gap > worth).bits() & lanes;
    if (kept != 0) store_far(run.chunk, list, kept, gap);
    return kept;
}

// Answers the pairs whose search GJK ended early, beyond or within the reach. Returns the lanes that it stored in
// caches as far pairs.
template <class CoreA, class CoreB>
ABUT_INLINE std::uint32_t store_bounded(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list,
                                        const GjkResultW& found) {
    if (const std::uint32_t within = found.within.bits(); within != 0) {
        const std::uint32_t sure = within & is_within(pair, found.simplex, run.writer.hit_limit(pair)).bits();
        run.writer.within(list, sure);
        run.exact.append(list, within & ~sure);
    }
    const std::uint32_t beyond = found.beyond.bits();
    return beyond == 0 ? 0 : store_beyond(run, pair, list, beyond, lower_bound_of(found));
}

}  // namespace abut::ABUT_ISA_NAMESPACE
