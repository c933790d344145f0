// GJK on cores: the states warm_search, search and resume, shared by hulls and boxes.
#pragma once

#include "convex/chunk/begin.hpp"
#include "convex/chunk/final_states.hpp"
#include "convex/depth/enclosing.hpp"
#include "convex/separation/face_axes.hpp"
#include "convex/separation/simplex_features.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// If at most this many lanes of a group continue, they wait for lanes of other groups, unless the chunk has only one
// group.
inline constexpr int kFewLanes = kLanes / 4;

// Pairs with and without vertices in their caches are in separate groups, so that a lane's bits do not depend on its
// neighbours.
inline void append_search(Run& run, const std::uint16_t* list, std::uint32_t lanes) {
    std::uint32_t warm = 0;
    if (run.chunk.has_caches())
        for_each_lane(lanes,
                      [&](int lane) { warm |= static_cast<std::uint32_t>(is_known(run.chunk, list[lane])) << lane; });
    run.warm_search.append(list, warm);
    run.search.append(list, lanes & ~warm);
}

// GJK's first direction: from the point of A's core nearest to B's centre, to that centre. (The centre of a floor or a
// rod would be a poor start.)
template <class Pair>
inline Vec3W first_direction(const Pair& pair) {
    return pair.offset;
}
template <class CoreB>
inline Vec3W first_direction(const PairW<ExtentCore, CoreB>& pair) {
    const Vec3W over = abs(pair.offset) - pair.a.extent;
    const FloatW zero = 0.0f;
    const Vec3W outside = copysign({max(over.x, zero), max(over.y, zero), max(over.z, zero)}, pair.offset);
    return select(length_squared(outside) > FloatW(0.0f), outside, pair.offset);
}

// Answers uncertified pairs along the normal of a face, if possible. The other pairs go to the exact path.
template <class CoreA, class CoreB>
inline void answer_by_faces(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes,
                            const SimplexW& found) {
    if (lanes == 0) return;
    const ShapeKind kind = run.chunk.kind_a;
    const CertifiedW result =
        certify_by_faces(pair, found, kind == ShapeKind::box || kind == ShapeKind::hull, *run.chunk.frame, lanes);
    const std::uint32_t certified = result.certified.bits() & lanes;
    if (certified != 0)
        run.answer(pair, list, certified, result.answer,
                   [] { return IntW(static_cast<std::int32_t>(kBestFace << 16 | kBestFace)); });
    run.exact.append(list, lanes & ~certified);
}

// Appends overlapping cores to the state `depth`.
struct DepthLater {
    template <class Pair>
    ABUT_INLINE void operator()(Run& run, const Pair&, const std::uint16_t* list, std::uint32_t lanes,
                                const OverlappingW& found) const {
        run.depth.append(list, lanes, found);
    }
};

// Handles a result of GJK. `warm`: lanes that started from their caches; uncertain ones start again without caches.
// `penetrate`: the next step for overlapping cores. Out of line because three states use it.
template <class CoreA, class CoreB, class Penetrate>
ABUT_NOINLINE void settle_search(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list,
                                 std::uint32_t lanes, const GjkResultW& found, MaskW warm, const Penetrate& penetrate) {
    trace_rounds(run, list, lanes, found.rounds);
    const MaskW misled = found.uncertain & warm;
    if (const MaskW later = found.unfinished | misled; any(later)) {
        run.resume.append(list, found.unfinished.bits(),
                          {unfinished(found.simplex, found.rounds), select(warm, IntW(1), IntW(0))});
        run.search.append(list, misled.bits());
        lanes &= ~later.bits();
    }
    const std::uint32_t far = store_bounded(run, pair, list, found);
    if (run.chunk.has_caches()) store_warm(run.chunk, list, lanes & ~far, found);
    if (const std::uint32_t apart = found.apart.bits(); apart != 0) {
        const CertifiedW result = certify(pair, found.simplex, apart);
        const std::uint32_t certified = result.certified.bits() & apart;
        if (certified != 0)
            run.answer(pair, list, certified, result.answer, [&] { return simplex_features(found.simplex); });
        answer_by_faces(run, pair, list, apart & ~certified, found.simplex);
    }
    answer_by_faces(run, pair, list, found.uncertain.bits() & lanes, found.simplex);
    if (const std::uint32_t enclosed = found.enclosed.bits(); enclosed != 0)
        penetrate(run, pair, list, run.enclose(list, enclosed, found.firmly), {found.seeds, IntW(0)});
}

// The distances at which a group's searches end. The group pauses when no more than `few` lanes are still searching.
template <class Pair>
inline GjkLimitsW limits_of_group(const Run& run, const Pair& pair, const std::uint16_t* list, std::uint32_t lanes) {
    GjkLimitsW limits = run.writer.limits(pair, list, lanes);
    limits.few = run.chunk.count <= kLanes ? 0 : kFewLanes;
    return limits;
}

// Answers those of `lanes` that the vertices in their caches prove apart. Returns the other lanes, which continue from
// these vertices.
template <class CoreA, class CoreB>
inline std::uint32_t answer_known(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list,
                                  std::uint32_t lanes, const SimplexW& s) {
    const GjkLimitsW limits = run.writer.limits(pair, list, lanes);
    const FloatW vv = length_squared(s.v), gap = gap_along(pair, s.v, lanes), zero = 0.0f;
    const MaskW apart = MaskW::from_bits(lanes) & ~(vv <= FloatW(kTouchSquared));
    const std::uint32_t beyond = (apart & (gap > zero) & (gap * gap > limits.reach * limits.reach * vv)).bits();
    if (beyond != 0) store_beyond(run, pair, list, beyond, gap / sqrt(max(vv, FloatW(kTiny))));
    const MaskW is_lower = is_lower_bound(gap, s.v, allowed_error(pair, sqrt(vv) - pair.radius));
    const std::uint32_t near = (apart & is_lower).bits() & ~beyond;
    if (near == 0) return lanes & ~beyond;
    const CertifiedW result = certify_by(pair, s, [&](FloatW) { return is_lower; });
    const std::uint32_t certified = result.certified.bits() & near;
    if (certified != 0) run.answer(pair, list, certified, result.answer, [&] { return simplex_features(s); });
    return lanes & ~(beyond | certified);
}

// Answers those of `lanes` whose depth the vertices in their caches prove. Returns the other lanes. (For a capsule and
// a box the closed form is as cheap.)
template <class CoreA, class CoreB>
inline std::uint32_t answer_known_depth(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list,
                                        std::uint32_t lanes, const TetrahedronW& known) {
    if constexpr (std::is_same_v<CoreB, ExtentCore>) return lanes;
    TetrahedronW seeds = known;
    std::uint32_t left = lanes, asked = lanes;
    for (int round = 0;; ++round) {
        const NearestFaceW face = nearest_face(enclosing_of(pair, seeds));
        const EnclosedAnswerW found = answer_along(pair, face, asked);
        if (const std::uint32_t proved = found.proved.bits() & asked; proved != 0) {
            if (round != 0) store_vertices(run.chunk, list, proved, 0, seeds);
            run.answer(pair, list, proved, found.answer, [&] { return found.names; });
            left &= ~proved;
        }
        asked = left & (found.unproved <= FloatW(kRockingShare) * pair.smaller).bits();
        if (asked == 0 || round != 0) return left;
        seeds = about_farthest(pair, face, asked);
    }
}

// Continues the search of `lanes` from the present positions of their cached vertices; if the lanes are few, gathers
// them with lanes of other groups.
template <class CoreA, class CoreB, class Penetrate>
inline void search_on(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes,
                      const SimplexW& from, const Penetrate& penetrate) {
    if (lanes == 0) return;
    const GjkLimitsW limits = limits_of_group(run, pair, list, lanes);
    if (bit_count(lanes) <= limits.few) return run.resume.append(list, lanes, {unfinished(from, 0), IntW(1)});
    const MaskW active = MaskW::from_bits(lanes);
    GjkResultW found;
    gjk_from(pair, from, active, limits, found);
    settle_search(run, pair, list, lanes, found, active, penetrate);
}

// Pairs with vertices in their caches. Most of them have the same nearest or deepest features as before, and are
// answered here.
template <class CoreA, class CoreB, class Penetrate>
void run_warm_search(Run& run, const Penetrate& penetrate) {
    for_each_group<CoreA, CoreB>(run.chunk, run.warm_search,
                                 [&](const auto& pair, const std::uint16_t* list, std::uint32_t group, NoPayloadW) {
        const std::uint32_t lanes = run.admit(pair, list, group);
        if (lanes == 0) return;
        const KnownW known = known_simplex(pair, load_warm(run.chunk, pair, list, lanes));
        const std::uint32_t enclosed = known.encloses.at_all.bits() & lanes, apart = lanes & ~enclosed;
        if (apart != 0)
            search_on(run, pair, list, answer_known(run, pair, list, apart, known.nearest), known.nearest, penetrate);
        if (enclosed == 0) return;
        if (const std::uint32_t deep = run.enclose(list, enclosed, known.encloses.firmly); deep != 0)
            run.depth.append(list, answer_known_depth(run, pair, list, deep, known.all), {known.all, IntW(1)});
    });
}

template <class CoreA, class CoreB, class Penetrate>
void run_search(Run& run, State state, const Penetrate& penetrate) {
    const auto from_start = [&](const auto& pair, const std::uint16_t* list, std::uint32_t group, NoPayloadW) {
        const std::uint32_t lanes = run.admit(pair, list, group);
        GjkResultW found;
        gjk(pair, first_direction(pair), MaskW::from_bits(lanes), limits_of_group(run, pair, list, lanes), found);
        settle_search(run, pair, list, lanes, found, MaskW(), penetrate);
    };
    const auto go_on =
        [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes, const PausedSearchW& paused) {
        GjkResultW found;
        gjk_resume(pair, paused.search, MaskW::from_bits(lanes), run.writer.limits(pair, list, lanes), found);
        settle_search(run, pair, list, lanes, found, paused.from_cache == IntW(1), penetrate);
    };
    switch (state) {
        case State::warm_search: return run_warm_search<CoreA, CoreB>(run, penetrate);
        case State::search: return for_each_group<CoreA, CoreB>(run.chunk, run.search, from_start);
        default: return for_each_group<CoreA, CoreB>(run.chunk, run.resume, go_on);
    }
}

// Runs a state that pairs of boxes and pairs of hulls share: any except State::direct and State::depth.
template <class CoreA, class CoreB, class Penetrate = DepthLater>
inline void run_shared(Run& run, State state, const Penetrate& penetrate = {}) {
    const bool searches = state == State::warm_search || state == State::search || state == State::resume;
    searches ? run_search<CoreA, CoreB>(run, state, penetrate) : run_final_states<CoreA, CoreB>(run, state);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
