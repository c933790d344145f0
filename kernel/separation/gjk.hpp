// Lockstep GJK distance between cores [Gilbert, Johnson, Keerthi 1988; van den Bergen 1999], one pair per lane.
//
// Departures: all lanes run until few of them go on, which are left as they are and gathered with others' (docs/decisions.md); a lane's result
// is captured the moment it finishes, so that its neighbours never show in its bits; a lane ends with a certificate (the support plane's lower
// bound against the simplex's upper bound, both within promise 1), or is handed on as enclosed or uncertain.
#pragma once

#include "lanes/load.hpp"
#include "separation/simplex.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct GjkResultW {
    MaskW apart;       // `simplex` holds the nearest points, certified on the way
    MaskW beyond;      // proven farther apart than `reach`
    MaskW within;      // proven no farther apart than `near_enough`
    MaskW enclosed;    // the cores overlap; `seeds` holds four vertices that enclose the origin
    MaskW firmly;      // enclosed, and by more than rounding
    MaskW uncertain;   // stalled, touching, or out of iterations
    MaskW unfinished;  // left: `simplex` is as it was, after `rounds`
    SimplexW simplex;  // the last one of lanes that are not enclosed; the best one where it stalled
    TetrahedronW seeds;
    FloatW lower_dot;  // of `beyond`: over the length of the simplex's v, a lower bound on the distance
    int rounds;
};

// A search that was left unfinished. The simplex's points are recomputed from its ids.
struct UnfinishedW {
    IntW id[3];
    FloatW lambda[3];
    Vec3W v;
    FloatW rounds;
};

// Four vertices of an earlier search, perhaps of another pose or another pair: they only stand in for supports.
struct WarmStartW {
    IntW id[4];
};

struct GjkLimitsW {
    FloatW reach;        // between cores: beyond it nothing more is asked
    FloatW near_enough;  // between cores: at or below it nothing more is asked (negative: always ask)
    float stop_share = kGjkStopShare;
    int few = 0;  // when no more lanes than that go on after the first rounds, they are left unfinished
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

// One iteration; kOld is how many distinct vertices the simplex may have.
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
ABUT_INLINE void prepare(const PairW<CoreA, CoreB>& pair, MaskW active, const GjkLimitsW& limits, Loop& loop, GjkResultW& result) {
    loop.active = active;
    loop.reach_squared = limits.reach * limits.reach;
    loop.near_squared = select(limits.near_enough >= FloatW(0.0f), limits.near_enough * limits.near_enough, FloatW(-1.0f));
    const FloatW stop = FloatW(limits.stop_share) * pair.tolerance;
    loop.stop_squared = stop * stop;
    result.apart = result.beyond = result.within = result.enclosed = result.firmly = result.uncertain = result.unfinished = MaskW();
    ABUT_UNROLL(3)
    for (int i = 0; i < 3; ++i) result.simplex.id[i] = IntW(0), result.simplex.lambda[i] = FloatW(0.0f);
    ABUT_UNROLL(4)
    for (int i = 0; i < 4; ++i) result.seeds.id[i] = IntW(0);
    result.simplex.v = splat(0.0f);
    result.lower_dot = FloatW(0.0f);
    result.rounds = 0;
}

// The first vertex, which is all of the simplex.
template <class CoreA, class CoreB>
ABUT_INLINE void begin(const PairW<CoreA, CoreB>& pair, Vec3W start, MaskW lanes, SimplexW& s) {
    const MaskW has_start = length_squared(start) > FloatW(0.0f);
    IntW id;
    const Vec3W w = minkowski_support(pair, select(has_start, -start, {FloatW(-1.0f), FloatW(0.0f), FloatW(0.0f)}), lanes.bits(), id);
    ABUT_UNROLL(3)
    for (int i = 0; i < 3; ++i) s.w[i] = w, s.id[i] = id, s.lambda[i] = FloatW(i == 0 ? 1.0f : 0.0f);
    s.v = w;
}

// Rounds until all lanes are done, or few enough to be left.
template <class CoreA, class CoreB>
ABUT_INLINE void iterate_all(const PairW<CoreA, CoreB>& pair, const GjkLimitsW& limits, int done, Loop& loop, GjkResultW& result) {
    const auto goes_on = [&] { return bit_count(loop.active.bits()) > limits.few; };
    for (; done < kMaxGjkIterations && goes_on(); ++done) iterate<3>(pair, loop, result);
    result.rounds = done;
    if (!any(loop.active)) return;
    capture(loop.active, result.simplex, loop.s);
    (done < kMaxGjkIterations ? result.unfinished : result.uncertain) |= loop.active;
}

}  // namespace gjk_detail

// `start` points roughly from A to B. Lanes outside `active` are left out of every mask.
template <class CoreA, class CoreB>
ABUT_NOINLINE void gjk(const PairW<CoreA, CoreB>& pair, Vec3W start, MaskW active, const GjkLimitsW& limits, GjkResultW& result) {
    using namespace gjk_detail;
    Loop loop;
    prepare(pair, active, limits, loop, result);
    begin(pair, start, active, loop.s);
    if (any(loop.active)) iterate<1>(pair, loop, result);
    if (any(loop.active)) iterate<2>(pair, loop, result);
    iterate_all(pair, limits, 2, loop, result);
}

// The simplex that the vertices of an earlier search form now, as supports would have formed it.
struct KnownW {
    SimplexW nearest;    // anything in lanes that are enclosed
    EnclosedW encloses;  // whether the vertices enclose the origin
    TetrahedronW all;
};
template <class CoreA, class CoreB>
ABUT_INLINE KnownW known_simplex(const PairW<CoreA, CoreB>& pair, const WarmStartW& warm) {
    KnownW out;
    SimplexW& s = out.nearest;
    ABUT_UNROLL(3)
    for (int i = 0; i < 3; ++i) s.id[i] = warm.id[i + 1], s.w[i] = minkowski_vertex(pair, warm.id[i + 1]), s.lambda[i] = FloatW(0.0f);
    s.v = splat(0.0f);
    out.encloses = advance<3>(s, minkowski_vertex(pair, warm.id[0]), warm.id[0]);
    ABUT_UNROLL(4)
    for (int i = 0; i < 4; ++i) out.all.id[i] = warm.id[i];
    return out;
}

// The same from a simplex.
template <class CoreA, class CoreB>
void gjk_from(const PairW<CoreA, CoreB>& pair, const SimplexW& start, MaskW active, const GjkLimitsW& limits, GjkResultW& result) {
    using namespace gjk_detail;
    Loop loop;
    prepare(pair, active, limits, loop, result);
    loop.s = start;
    iterate_all(pair, limits, 0, loop, result);
}

// Goes on where searches were left, to their end.
template <class CoreA, class CoreB>
void gjk_resume(const PairW<CoreA, CoreB>& pair, const UnfinishedW& left, MaskW active, const GjkLimitsW& limits, GjkResultW& result) {
    using namespace gjk_detail;
    Loop loop;
    prepare(pair, active, limits, loop, result);
    ABUT_UNROLL(3)
    for (int i = 0; i < 3; ++i) {
        // Lanes without a search hold anything.
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

// Searches that were left, to go on with later.
ABUT_INLINE UnfinishedW unfinished(const SimplexW& s, int rounds) {
    return {{s.id[0], s.id[1], s.id[2]}, {s.lambda[0], s.lambda[1], s.lambda[2]}, s.v, FloatW(static_cast<float>(rounds))};
}

// A lower bound on the distance between the cores of the lanes that are `beyond`.
ABUT_INLINE FloatW lower_bound_of(const GjkResultW& found) { return found.lower_dot / sqrt(max(length_squared(found.simplex.v), FloatW(kTiny))); }

// Nearest points of the cores, in A's frame.
template <class CoreA, class CoreB>
ABUT_INLINE Vec3W point_on_a(const PairW<CoreA, CoreB>& pair, const SimplexW& s) {
    return vertex(pair.a, s.id[0]) * s.lambda[0] + vertex(pair.a, s.id[1]) * s.lambda[1] + vertex(pair.a, s.id[2]) * s.lambda[2];
}
template <class CoreA, class CoreB>
ABUT_INLINE Vec3W point_on_b(const PairW<CoreA, CoreB>& pair, const SimplexW& s) {
    const Vec3W local =
        vertex(pair.b, s.id[0] >> 16) * s.lambda[0] + vertex(pair.b, s.id[1] >> 16) * s.lambda[1] + vertex(pair.b, s.id[2] >> 16) * s.lambda[2];
    return rotate(pair.rotation, local) + pair.offset;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
