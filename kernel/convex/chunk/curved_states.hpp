// Pairs whose B is a curved shape: GJK for separated cores; for overlapping cores, a search for the direction of least
// depth, which is then proved.
#pragma once

#include "convex/chunk/begin.hpp"
#include "convex/chunk/families.hpp"
#include "convex/chunk/final_states.hpp"
#include "convex/depth/depth_proof.hpp"
#include "convex/depth/support_faces.hpp"
#include "convex/separation/certify.hpp"
#include "convex/separation/common_point.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline IntW best_names() { return IntW(static_cast<std::int32_t>(kBestFace << 16 | kBestFace)); }

// Answers the lanes whose direction is proved to have the least depth. If the proof finds a shallower direction,
// restarts the lane's search from that direction and returns the lane. Appends all other lanes to `exact`.
template <class CoreA, class CoreB>
ABUT_NOINLINE std::uint32_t prove(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list,
                                  std::uint32_t settled, Vec3W on_a, CurvedSearchW& search) {
    const LaneArray<float> depth = lanes_of(-search.best.separation),
                           allowed = lanes_of(FloatW(kCurvedProofShare) * pair.tolerance);
    LaneArray<float> x = lanes_of(search.best.normal.x), y = lanes_of(search.best.normal.y),
                     z = lanes_of(search.best.normal.z);
    std::uint32_t proved = 0, again = 0;
    for_each_lane(settled, [&](int lane) {
        Float3 start;
        const Proof proof = prove_least(pair, search.best.normal, depth[lane], allowed[lane], lane, start);
        proved |= static_cast<std::uint32_t>(proof == Proof::least) << lane;
        if (proof != Proof::shallower) return;
        again |= 1u << lane;
        x[lane] = start.x, y[lane] = start.y, z[lane] = start.z;
    });
    if (proved != 0) run.answer(pair, list, proved, answer_of(pair, search.best, on_a), best_names);
    run.exact.append(list, settled & ~(proved | again));
    if (again == 0) return 0;
    const CurvedSearchW fresh = search_from(pair, {load(x), load(y), load(z)}, again);
    const MaskW m = MaskW::from_bits(again);
    search.best = {select(m, fresh.best.normal, search.best.normal),
                   select(m, fresh.best.separation, search.best.separation)};
    search.gap = select(m, fresh.gap, search.gap);
    search.previous_step = select(m, fresh.previous_step, search.previous_step);
    return again;
}

// Tries likely directions, and Newton's method from the best of them, which answers most pairs, with witness points in
// closed form. The other pairs search: by GJK if a plane separates them, otherwise for the direction of least depth.
template <class CoreA, class CoreB>
inline void try_directions(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes) {
    if (lanes == 0) return;
    if (!run.writer.needs_depth()) {
        const std::uint32_t sure = have_common_point(pair).bits() & lanes;
        run.writer.within(list, sure);
        lanes &= ~sure;
        if (lanes == 0) return;
    }
    const FloatW zero = 0.0f, reach = run.writer.limits(pair, list, lanes).reach;
    CurvedSearchW search = begin_search(pair, lanes);
    const auto leave_far = [&] {
        const std::uint32_t far = (search.best.separation > reach).bits() & lanes;
        if (far != 0) store_beyond(run, pair, list, far, search.best.separation);
        lanes &= ~far;
    };
    leave_far();
    if (run.writer.needs_hits()) return run.search.append(list, lanes);
    if (lanes == 0) return;
    improve(pair, lanes, search.best);
    if (run.writer.has_reach()) leave_far();
    const FaceWitnessW witness = witness_of_faces(pair, search.best, FloatW(kCurvedNoiseShare) * pair.tolerance, lanes);
    const std::uint32_t apart = (search.best.separation > zero).bits() & lanes;
    const std::uint32_t settled = (witness.off <= FloatW(kCurvedWitnessShare) * pair.tolerance).bits() & lanes;
    if (const std::uint32_t answered = settled & apart; answered != 0)
        run.answer(pair, list, answered, answer_of(pair, search.best, witness.on_a), best_names);
    std::uint32_t deep = lanes & ~apart, again = 0;
    if (!run.writer.needs_depth()) deep = 0;
    if ((settled & deep) != 0) again = prove(run, pair, list, settled & deep, witness.on_a, search);
    const IntW starts = select(MaskW::from_bits(again), IntW(1), IntW(0));
    run.descent.append(list, (deep & ~settled) | again, {search, IntW(0), starts});
    run.search.append(list, lanes & ~(deep | (settled & apart)));
}

// Answers pairs that are apart, and starts the search for the depth of those that overlap.
template <class CoreA, class CoreB>
inline void separate(Run& run, PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes) {
    GjkResultW found;
    gjk(pair, pair.offset, MaskW::from_bits(lanes), run.writer.limits(pair, list, lanes), found);
    trace_rounds(run, list, lanes, found.rounds);
    // Cores that touch, or whose centres coincide, have no direction for GJK: they are handled as overlapping cores.
    const MaskW touch = found.uncertain & (length_squared(found.simplex.v) <= FloatW(kTouchSquared));
    const std::uint32_t touching = touch.bits() & lanes, enclosed = found.enclosed.bits() | touching;
    store_bounded(run, pair, list, found);
    // The result of a stalled search may be good enough; on round surfaces it mostly is.
    if (const std::uint32_t apart = (found.apart | found.uncertain).bits() & ~touching; apart != 0) {
        const CertifiedW result = certify(pair, found.simplex, apart);
        const std::uint32_t certified = result.certified.bits() & apart;
        if (certified != 0) run.answer(pair, list, certified, result.answer, best_names);
        run.exact.append(list, apart & ~certified);
    }
    if (enclosed == 0) return;
    if (const std::uint32_t deep = run.enclose(list, enclosed, found.firmly); deep != 0)
        run.descent.append(list, deep, {begin_search(pair, deep), IntW(0), IntW(0)});
}

// One step for a group. Answers the lanes whose depth is proved to be the least. Returns the lanes that continue; those
// in `again` have a new direction.
template <class CoreA, class CoreB>
inline std::uint32_t descend(Run& run, PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes,
                             CurvedSearchW& search, std::uint32_t& again) {
    const CurvedStepW step = step_search(pair, search, lanes);
    trace_rounds(run, list, lanes, 1);
    run.exact.append(list, step.lost);
    again = prove(run, pair, list, step.settled, step.on_a, search);
    return (lanes & ~(step.settled | step.lost)) | again;
}

// Continuing pairs wait for the next round, so that lanes stay busy. After too many rounds they go to the exact path.
template <class CoreA, class CoreB>
void run_descent(Run& run) {
    for_each_group<CoreA, CoreB>(run.chunk, run.descent,
                                 [&](auto& pair, const std::uint16_t* list, std::uint32_t lanes, DescentW& at) {
        std::uint32_t again;
        const std::uint32_t going = descend(run, pair, list, lanes, at.search, again);
        const MaskW restarts = MaskW::from_bits(again);
        at.steps = select(restarts, IntW(0), at.steps + IntW(1));
        at.starts = select(restarts, at.starts + IntW(1), at.starts);
        const MaskW ends =
            (restarts & (at.starts == IntW(kMaxCurvedStarts))) | (~restarts & (at.steps == IntW(kMaxCurvedSteps)));
        run.exact.append(list, going & ends.bits());
        run.descent.append(list, going & ~ends.bits(), at);
    });
}

template <class CoreA, class CoreB>
void run_pair(Run& run) {
    begin(run, run.direct);
    run_states(run, [&](State state) {
        switch (state) {
            case State::direct:
                return for_each_group<CoreA, CoreB>(
                    run.chunk, run.direct, [&](auto& pair, const std::uint16_t* list, std::uint32_t lanes, NoPayloadW) {
                        try_directions(run, pair, list, run.admit(pair, list, lanes));
                    });
            case State::search:
                return for_each_group<CoreA, CoreB>(
                    run.chunk, run.search, [&](auto& pair, const std::uint16_t* list, std::uint32_t lanes, NoPayloadW) {
                        separate(run, pair, list, lanes);
                    });
            case State::descent: return run_descent<CoreA, CoreB>(run);
            case State::manifold: return run_manifolds<CoreA, CoreB>(run);
            case State::pull: return run.send_to_exact(run.witness);
            default: return run_exact<CoreA, CoreB>(run);
        }
    });
}

// If A is also curved, it has the core type of B.
template <class CoreB>
void run_with(Run& run) {
    with_core_of<CoreB>(run.chunk.kind_a, [&](auto core) { run_pair<typename decltype(core)::Type, CoreB>(run); });
}

}  // namespace abut::ABUT_ISA_NAMESPACE
