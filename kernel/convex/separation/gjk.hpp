// Lockstep GJK distance between cores [Gilbert, Johnson, Keerthi 1988; van den Bergen 1999], one pair per lane.
//
// Departures: when few lanes are left, their searches pause and are gathered with those of other groups
// (docs/decisions.md). A lane's result is stored when the lane finishes, so that it does not depend on neighbouring
// lanes. A lane ends with a certificate (the support plane's lower bound and the simplex's upper bound, both within
// promise 1), or as enclosed or uncertain.
#pragma once

#include "convex/lanes/load.hpp"
#include "convex/separation/simplex.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct GjkResultW {
    MaskW apart;       // `simplex` has the nearest points; certified
    MaskW beyond;      // proved farther apart than `reach`
    MaskW within;      // proved no farther apart than `near_enough`
    MaskW enclosed;    // the cores overlap; `seeds` has four vertices that enclose the origin
    MaskW firmly;      // enclosed by more than rounding
    MaskW uncertain;   // stalled, touching, or out of iterations
    MaskW unfinished;  // paused after `rounds` rounds; `simplex` is the latest one
    SimplexW simplex;  // the final one, or the best one if the search stalled; not for enclosed lanes
    TetrahedronW seeds;
    FloatW lower_dot;  // for `beyond`: divided by the length of the simplex's v, a lower bound on the distance
    int rounds;
};

// A paused search. The simplex's points are recomputed from the ids.
struct UnfinishedW {
    IntW id[3];
    FloatW lambda[3];
    Vec3W v;
    FloatW rounds;
};

// Four vertices of an earlier search, perhaps for another pose or pair: they only replace supports, so they need no
// check.
struct WarmStartW {
    IntW id[4];
};

struct GjkLimitsW {
    FloatW reach;        // distance of the cores beyond which the search may end
    FloatW near_enough;  // distance of the cores up to which the search may end (negative: never)
    float stop_share = kGjkStopShare;
    int few = 0;  // if at most this many lanes are left after the first rounds, these pause
};

namespace gjk_detail {

ABUT_INLINE void capture(MaskW lanes, SimplexW& into, const SimplexW& from) {
    ABUT_UNROLL(3)
    for (int i = 0; i < 3; ++i) {
        into.id[i] = select(lanes, from.id[i], into.id[i]);
        into.lambda[i] = select(lanes, from.lambda[i], into.lambda[i]);
    }
    into.v = select(lanes, from.v, into.v);
}

struct Loop {
    SimplexW s;
    MaskW active;
    FloatW reach_squared, near_squared, stop_squared;
};

// One iteration. kOld: the maximum number of distinct vertices in the simplex.
template <int kOld, class CoreA, class CoreB>
ABUT_INLINE void iterate(const PairW<CoreA, CoreB>& pair, Loop& loop, GjkResultW& result) {
    SimplexW& s = loop.s;
    const FloatW zero = 0.0f, vv = length_squared(s.v);
    IntW id;
    const Vec3W w = minkowski_support(pair, -s.v, loop.active.bits(), id);
    const FloatW vw = dot(s.v, w), gap = vv - vw;
    // Distances compared as squares: vw / |v| is the lower bound, |v| the upper.
    const MaskW beyond = loop.active & (vw > zero) & (vw * vw > loop.reach_squared * vv);
    const MaskW within = loop.active & ~beyond & (vv <= loop.near_squared);
    const MaskW touch = vv <= FloatW(kTouchSquared);
    const MaskW tight = (gap <= FloatW(kGjkStopRelative) * vv) | (gap * gap <= loop.stop_squared * vv);
    const MaskW apart = loop.active & tight & ~(touch | beyond | within);
    MaskW finished = beyond | within | apart;
    capture(finished, result.simplex, s);
    result.lower_dot = select(beyond, vw, result.lower_dot);
    result.beyond |= beyond;
    result.within |= within;
    result.apart |= apart;

    const SimplexW before = s;
    const EnclosedW encloses = advance<kOld>(s, w, id);
    const MaskW enclosed = encloses.at_all & loop.active & ~finished;
    result.seeds.id[0] = select(enclosed, id, result.seeds.id[0]);
    ABUT_UNROLL(3)
    for (int i = 0; i < 3; ++i) result.seeds.id[i + 1] = select(enclosed, before.id[i], result.seeds.id[i + 1]);
    const MaskW stalled = loop.active & ~finished & ~enclosed & ~(length_squared(s.v) < vv);
    if (any(stalled)) capture(stalled, result.simplex, before);
    result.enclosed |= enclosed;
    result.firmly |= enclosed & encloses.firmly;
    result.uncertain |= stalled;
    loop.active &= ~(finished | enclosed | stalled);
}

}  // namespace gjk_detail

namespace gjk_detail {

template <class CoreA, class CoreB>
ABUT_INLINE void prepare(const PairW<CoreA, CoreB>& pair, MaskW active, const GjkLimitsW& limits, Loop& loop,
                         GjkResultW& result) {
    loop.active = active;
    loop.reach_squared = limits.reach * limits.reach;
    loop.near_squared =
        select(limits.near_enough >= FloatW(0.0f), limits.near_enough * limits.near_enough, FloatW(-1.0f));
    const FloatW stop = FloatW(limits.stop_share) * pair.tolerance;
    loop.stop_squared = stop * stop;
    result.apart = result.beyond = result.within = result.enclosed = result.firmly = result.uncertain =
        result.unfinished = MaskW();
    ABUT_UNROLL(3)
    for (int i = 0; i < 3; ++i) result.simplex.id[i] = IntW(0), result.simplex.lambda[i] = FloatW(0.0f);
    ABUT_UNROLL(4)
    for (int i = 0; i < 4; ++i) result.seeds.id[i] = IntW(0);
    result.simplex.v = splat(0.0f);
    result.lower_dot = FloatW(0.0f);
    result.rounds = 0;
}

// Sets a simplex of one vertex.
template <class CoreA, class CoreB>
ABUT_INLINE void begin(const PairW<CoreA, CoreB>& pair, Vec3W start, MaskW lanes, SimplexW& s) {
    const MaskW has_start = length_squared(start) > FloatW(0.0f);
    IntW id;
    const Vec3W w = minkowski_support(pair, select(has_start, -start, {FloatW(-1.0f), FloatW(0.0f), FloatW(0.0f)}),
                                      lanes.bits(), id);
    ABUT_UNROLL(3)
    for (int i = 0; i < 3; ++i) s.w[i] = w, s.id[i] = id, s.lambda[i] = FloatW(i == 0 ? 1.0f : 0.0f);
    s.v = w;
}

// Iterates until all lanes are finished, or few enough to pause.
template <class CoreA, class CoreB>
ABUT_INLINE void iterate_all(const PairW<CoreA, CoreB>& pair, const GjkLimitsW& limits, int done, Loop& loop,
                             GjkResultW& result) {
    const auto goes_on = [&] { return bit_count(loop.active.bits()) > limits.few; };
    for (; done < kMaxGjkIterations && goes_on(); ++done) iterate<3>(pair, loop, result);
    result.rounds = done;
    if (!any(loop.active)) return;
    capture(loop.active, result.simplex, loop.s);
    (done < kMaxGjkIterations ? result.unfinished : result.uncertain) |= loop.active;
}

}  // namespace gjk_detail

// `start` points roughly from A to B. Lanes outside `active` are in no mask.
template <class CoreA, class CoreB>
ABUT_NOINLINE void gjk(const PairW<CoreA, CoreB>& pair, Vec3W start, MaskW active, const GjkLimitsW& limits,
                       GjkResultW& result) {
    using namespace gjk_detail;
    Loop loop;
    prepare(pair, active, limits, loop, result);
    begin(pair, start, active, loop.s);
    if (any(loop.active)) iterate<1>(pair, loop, result);
    if (any(loop.active)) iterate<2>(pair, loop, result);
    iterate_all(pair, limits, 2, loop, result);
}

// The simplex that the vertices of an earlier search form at the present poses.
struct KnownW {
    SimplexW nearest;    // undefined in enclosed lanes
    EnclosedW encloses;  // whether the vertices enclose the origin
    TetrahedronW all;
};
template <class CoreA, class CoreB>
ABUT_INLINE KnownW known_simplex(const PairW<CoreA, CoreB>& pair, const WarmStartW& warm) {
    KnownW out;
    SimplexW& s = out.nearest;
    ABUT_UNROLL(3)
    for (int i = 0; i < 3; ++i)
        s.id[i] = warm.id[i + 1], s.w[i] = minkowski_vertex(pair, warm.id[i + 1]), s.lambda[i] = FloatW(0.0f);
    s.v = splat(0.0f);
    out.encloses = advance<3>(s, minkowski_vertex(pair, warm.id[0]), warm.id[0]);
    ABUT_UNROLL(4)
    for (int i = 0; i < 4; ++i) out.all.id[i] = warm.id[i];
    return out;
}

// As gjk, but starts from a simplex.
template <class CoreA, class CoreB>
void gjk_from(const PairW<CoreA, CoreB>& pair, const SimplexW& start, MaskW active, const GjkLimitsW& limits,
              GjkResultW& result) {
    using namespace gjk_detail;
    Loop loop;
    prepare(pair, active, limits, loop, result);
    loop.s = start;
    iterate_all(pair, limits, 0, loop, result);
}

// Resumes paused searches and finishes them.
template <class CoreA, class CoreB>
void gjk_resume(const PairW<CoreA, CoreB>& pair, const UnfinishedW& left, MaskW active, const GjkLimitsW& limits,
                GjkResultW& result) {
    using namespace gjk_detail;
    Loop loop;
    prepare(pair, active, limits, loop, result);
    ABUT_UNROLL(3)
    for (int i = 0; i < 3; ++i) {
        // Lanes without a search are undefined.
        const IntW id = select(active, left.id[i], IntW(0));
        loop.s.id[i] = id, loop.s.w[i] = minkowski_vertex(pair, id), loop.s.lambda[i] = left.lambda[i];
    }
    loop.s.v = left.v;
    for (FloatW rounds = left.rounds; any(loop.active); rounds = rounds + FloatW(1.0f)) {
        const MaskW worn_out = loop.active & (rounds >= FloatW(static_cast<float>(kMaxGjkIterations)));
        capture(worn_out, result.simplex, loop.s);
        result.uncertain |= worn_out;
        loop.active &= ~worn_out;
        iterate<3>(pair, loop, result);
        ++result.rounds;
    }
}

// The paused form of a search.
ABUT_INLINE UnfinishedW unfinished(const SimplexW& s, int rounds) {
    return {
        {s.id[0], s.id[1], s.id[2]}, {s.lambda[0], s.lambda[1], s.lambda[2]}, s.v, FloatW(static_cast<float>(rounds))};
}

// A lower bound on the distance of the cores, for `beyond` lanes.
ABUT_INLINE FloatW lower_bound_of(const GjkResultW& found) {
    return found.lower_dot / sqrt(max(length_squared(found.simplex.v), FloatW(kTiny)));
}

// The nearest points of the cores, in A's frame.
template <class CoreA, class CoreB>
ABUT_INLINE Vec3W point_on_a(const PairW<CoreA, CoreB>& pair, const SimplexW& s) {
    return vertex(pair.a, s.id[0]) * s.lambda[0] + vertex(pair.a, s.id[1]) * s.lambda[1] +
           vertex(pair.a, s.id[2]) * s.lambda[2];
}
template <class CoreA, class CoreB>
ABUT_INLINE Vec3W point_on_b(const PairW<CoreA, CoreB>& pair, const SimplexW& s) {
    const Vec3W local = vertex(pair.b, s.id[0] >> 16) * s.lambda[0] + vertex(pair.b, s.id[1] >> 16) * s.lambda[1] +
                        vertex(pair.b, s.id[2] >> 16) * s.lambda[2];
    return rotate(pair.rotation, local) + pair.offset;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
