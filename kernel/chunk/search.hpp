// GJK on cores: the states warm_search, search and resume, which hulls and boxes share.
#pragma once

#include "chunk/begin.hpp"
#include "chunk/last.hpp"
#include "separation/face_axes.hpp"
#include "separation/simplex_names.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// A search that no more lanes than these go on with waits for others; of a chunk of one group there are none.
inline constexpr int kFewLanes = kLanes / 4;

// Those with and those without something in their caches search apart, so that no lane's neighbours show in its bits.
ABUT_INLINE void wait_for_search(Run& run, const std::uint16_t* list, std::uint32_t lanes) {
    std::uint32_t warm = 0;
    if (!run.chunk.frame->caches.empty())
        for_each_lane(lanes, [&](int lane) { warm |= static_cast<std::uint32_t>(is_known(run.chunk, list[lane])) << lane; });
    run.warm_search.append(list, warm);
    run.search.append(list, lanes & ~warm);
}

// Where GJK looks first: from the point of A's core that is nearest to B's centre to that; of a floor or a rod the centre says little.
template <class Pair>
ABUT_INLINE Vec3W first_direction(const Pair& pair) {
    return pair.offset;
}
template <class CoreB>
ABUT_INLINE Vec3W first_direction(const PairW<ExtentCore, CoreB>& pair) {
    const Vec3W over = abs(pair.offset) - pair.a.extent;
    const FloatW zero = 0.0f;
    const Vec3W outside = copysign({max(over.x, zero), max(over.y, zero), max(over.z, zero)}, pair.offset);
    return select(length_squared(outside) > FloatW(0.0f), outside, pair.offset);
}

// Pairs that are not certified: along the normal of a face, or else by the exact path.
template <class CoreA, class CoreB>
ABUT_INLINE void answer_by_faces(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes, const SimplexW& found) {
    if (lanes == 0) return;
    const ShapeKind kind = run.chunk.kind_a;
    const CertifiedW result = certify_by_faces(pair, found, kind == ShapeKind::box || kind == ShapeKind::hull, *run.chunk.frame, lanes);
    const std::uint32_t certified = result.certified.bits() & lanes;
    if (certified != 0) run.answer(pair, list, certified, result.answer, [] { return IntW(static_cast<std::int32_t>(kBestFace << 16 | kBestFace)); });
    run.exact.append(list, lanes & ~certified);
}

// What GJK found; `warm`: lanes that began from their caches. Of these the uncertain ones search again from the start.
// Out of line: three states share it.
template <class CoreA, class CoreB>
ABUT_NOINLINE void settle_search(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes, const GjkResultW& found,
                                 MaskW warm) {
    trace_rounds(run, list, lanes, found.rounds);
    const MaskW misled = found.uncertain & warm;
    if (const MaskW later = found.unfinished | misled; any(later)) {
        run.resume.append(list, found.unfinished.bits(), {unfinished(found), select(warm, IntW(1), IntW(0))});
        run.search.append(list, misled.bits());
        lanes &= ~later.bits();
    }
    const std::uint32_t far = store_bounded(run, pair, list, found);
    if (!run.chunk.frame->caches.empty()) store_warm(run.chunk, list, lanes & ~far, found);
    if (const std::uint32_t apart = found.apart.bits(); apart != 0) {
        const CertifiedW result = certify(pair, found.simplex, apart);
        const std::uint32_t certified = result.certified.bits() & apart;
        if (certified != 0) run.answer(pair, list, certified, result.answer, [&] { return simplex_names(found.simplex); });
        answer_by_faces(run, pair, list, apart & ~certified, found.simplex);
    }
    answer_by_faces(run, pair, list, found.uncertain.bits() & lanes, found.simplex);
    if (const std::uint32_t enclosed = found.enclosed.bits(); enclosed != 0)
        run.depth.append(list, run.enclose(list, enclosed, found.firmly), {found.seeds});
}

template <class CoreA, class CoreB>
void run_search(Run& run, State state) {
    const auto limits = [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
        GjkLimitsW few_left = run.sink.limits(pair, list, lanes);
        few_left.few = run.chunk.count <= kLanes ? 0 : kFewLanes;
        return few_left;
    };
    const auto from_caches = [&](const auto& pair, const std::uint16_t* list, std::uint32_t group, NothingW) {
        const std::uint32_t lanes = run.admit(pair, list, group);
        const MaskW active = MaskW::from_bits(lanes);
        GjkResultW found;
        gjk_warm(pair, load_warm(run.chunk, pair, list, lanes), active, limits(pair, list, lanes), found);
        settle_search(run, pair, list, lanes, found, active);
    };
    const auto from_start = [&](const auto& pair, const std::uint16_t* list, std::uint32_t group, NothingW) {
        const std::uint32_t lanes = run.admit(pair, list, group);
        GjkResultW found;
        gjk(pair, first_direction(pair), MaskW::from_bits(lanes), limits(pair, list, lanes), found);
        settle_search(run, pair, list, lanes, found, MaskW());
    };
    const auto go_on = [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes, const PausedSearchW& paused) {
        GjkResultW found;
        gjk_resume(pair, paused.search, MaskW::from_bits(lanes), run.sink.limits(pair, list, lanes), found);
        settle_search(run, pair, list, lanes, found, paused.from_cache == IntW(1));
    };
    switch (state) {
        case State::warm_search: return for_each_group<CoreA, CoreB>(run.chunk, run.warm_search, from_caches);
        case State::search: return for_each_group<CoreA, CoreB>(run.chunk, run.search, from_start);
        default: return for_each_group<CoreA, CoreB>(run.chunk, run.resume, go_on);
    }
}

// The states that pairs of hulls and boxes share: all but their own first one and their depth.
template <class CoreA, class CoreB>
ABUT_INLINE void run_shared(Run& run, State state) {
    const bool searches = state == State::warm_search || state == State::search || state == State::resume;
    searches ? run_search<CoreA, CoreB>(run, state) : run_last<CoreA, CoreB>(run, state);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
