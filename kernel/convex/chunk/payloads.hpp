// The payloads of the states: values that are stored with a pair in a list.
#pragma once

#include "convex/chunk/state_list.hpp"
#include "convex/depth/curved_depth.hpp"
#include "convex/separation/gjk.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// A paused GJK search: few of its group's lanes continued.
struct PausedSearchW {
    static constexpr int kValues = 11;
    UnfinishedW search;
    IntW from_cache;  // 1 if it started from the pair's cache

    template <class Self, class F>
    static void each(Self& s, F&& f) {
        f(s.search.lambda[0]), f(s.search.lambda[1]), f(s.search.lambda[2]);
        f(s.search.v.x), f(s.search.v.y), f(s.search.v.z), f(s.search.rounds);
        f(s.search.id[0]), f(s.search.id[1]), f(s.search.id[2]), f(s.from_cache);
    }
};

// Overlapping cores: the final vertices of GJK, or those of the pair's cache.
struct OverlappingW {
    static constexpr int kValues = 5;
    TetrahedronW seeds;
    IntW known;  // 1 if the vertices also enclosed the origin in an earlier frame

    template <class Self, class F>
    static void each(Self& s, F&& f) {
        f(s.seeds.id[0]), f(s.seeds.id[1]), f(s.seeds.id[2]), f(s.seeds.id[3]), f(s.known);
    }
};

// A search for the least depth of curved cores.
struct DescentW {
    static constexpr int kValues = 10;
    CurvedSearchW search;
    IntW steps, starts;  // steps since the latest start, number of restarts

    template <class Self, class F>
    static void each(Self& s, F&& f) {
        f(s.search.best.normal.x), f(s.search.best.normal.y), f(s.search.best.normal.z), f(s.search.best.separation),
            f(s.search.gap);
        f(s.search.previous_step.x), f(s.search.previous_step.y), f(s.search.previous_step.z), f(s.steps), f(s.starts);
    }
};

// An answer within the margin.
struct ContactPayloadW {
    static constexpr int kValues = 8;
    AnswerW answer;
    IntW names;  // of the features with the deepest point (convex/lanes/names.hpp)

    template <class Self, class F>
    static void each(Self& s, F&& f) {
        f(s.answer.normal.x), f(s.answer.normal.y), f(s.answer.normal.z);
        f(s.answer.midpoint.x), f(s.answer.midpoint.y), f(s.answer.midpoint.z), f(s.answer.signed_distance), f(s.names);
    }
};

// The depth along a known axis, without witness points.
struct AxisOnlyW {
    static constexpr int kValues = 4;
    Vec3W normal;
    FloatW separation;

    template <class Self, class F>
    static void each(Self& s, F&& f) {
        f(s.normal.x), f(s.normal.y), f(s.normal.z), f(s.separation);
    }
};

}  // namespace abut::ABUT_ISA_NAMESPACE
