// The payloads of the states: values that pairs carry from state to state.
#pragma once

#include "chunk/state_list.hpp"
#include "depth/curved_depth.hpp"
#include "separation/gjk.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// A GJK search that few of its group went on with.
struct PausedSearchW {
    static constexpr int kValues = 11;
    UnfinishedW search;
    IntW from_cache;  // 1 where it began from the pair's cache

    template <class Self, class F>
    ABUT_INLINE static void each(Self& s, F&& f) {
        f(s.search.lambda[0]), f(s.search.lambda[1]), f(s.search.lambda[2]);
        f(s.search.v.x), f(s.search.v.y), f(s.search.v.z), f(s.search.rounds);
        f(s.search.id[0]), f(s.search.id[1]), f(s.search.id[2]), f(s.from_cache);
    }
};

// Cores that overlap: the vertices that GJK ended with, or those of the pair's cache.
struct OverlappingW {
    static constexpr int kValues = 5;
    TetrahedronW seeds;
    IntW known;  // 1 where they have enclosed the origin in a frame before, too

    template <class Self, class F>
    ABUT_INLINE static void each(Self& s, F&& f) {
        f(s.seeds.id[0]), f(s.seeds.id[1]), f(s.seeds.id[2]), f(s.seeds.id[3]), f(s.known);
    }
};

// A search for the least depth of curved cores.
struct DescentW {
    static constexpr int kValues = 10;
    CurvedSearchW search;
    IntW steps, starts;  // since it last started, and how often it started again

    template <class Self, class F>
    ABUT_INLINE static void each(Self& s, F&& f) {
        f(s.search.best.normal.x), f(s.search.best.normal.y), f(s.search.best.normal.z), f(s.search.best.separation), f(s.search.gap);
        f(s.search.previous_step.x), f(s.search.previous_step.y), f(s.search.previous_step.z), f(s.steps), f(s.starts);
    }
};

// An answer within the margin.
struct ContactPayloadW {
    static constexpr int kValues = 8;
    AnswerW answer;
    IntW names;  // of the features that hold the deepest point (lanes/names.hpp)

    template <class Self, class F>
    ABUT_INLINE static void each(Self& s, F&& f) {
        f(s.answer.normal.x), f(s.answer.normal.y), f(s.answer.normal.z);
        f(s.answer.midpoint.x), f(s.answer.midpoint.y), f(s.answer.midpoint.z), f(s.answer.signed_distance), f(s.names);
    }
};

// Depth along a known axis whose points are not known.
struct AxisOnlyW {
    static constexpr int kValues = 4;
    Vec3W normal;
    FloatW separation;

    template <class Self, class F>
    ABUT_INLINE static void each(Self& s, F&& f) {
        f(s.normal.x), f(s.normal.y), f(s.normal.z), f(s.separation);
    }
};

}  // namespace abut::ABUT_ISA_NAMESPACE
