// The last stages of a chunk: manifolds of what is within the margin, and the exact path for what is left.
#pragma once

#include "chunk/run.hpp"
#include "exact/pairs.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// For depth along a known axis whose points are not known.
ABUT_INLINE void keep_axis(Run& run, const std::uint16_t* list, std::uint32_t left, Vec3W normal, FloatW separation) {
    const FloatW axis[4] = {normal.x, normal.y, normal.z, separation};
    ABUT_UNROLL(4)
    for (int k = 0; k < 4; ++k) store_lanes(axis[k], left, run.axis[k] + run.pull.count);
    run.pull.append(list, left);
}

// A contact's answer from world axes and metres, its point from A's core centre, to A's frame, scaled.
template <class Pair>
ABUT_INLINE AnswerW into_frame(const Pair& pair, const AnswerW& world) {
    const FrameOfA& frame = pair.frame;
    return {world.signed_distance * pair.scale, rotate_back(frame.axes, world.normal),
            rotate_back(frame.axes, world.midpoint) * pair.scale};
}

template <class CoreA, class CoreB>
ABUT_INLINE void store_manifold(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes,
                                const AnswerW& answer, IntW names) {
    const Chunk& chunk = run.chunk;
    ManifoldW manifold;
    if constexpr (std::is_same_v<CoreA, PointCore>) {
        manifold = one_point(pair, form_of(chunk.kind_b), answer, names, lanes);
    } else {
        const ContactSeedW seed = {answer, names, margin_of(chunk, list, lanes) * pair.scale, contact_slack(chunk, pair)};
        // A second time for those few that have nothing along a face's normal: along the answer's own.
        for (const Turn by : {Turn::by_slack, Turn::by_rounding}) {
            const auto lacking =
                find_manifolds(pair, form_of(chunk.kind_a), form_of(chunk.kind_b), seed, *chunk.frame, by, lanes, manifold);
            if (lacking.deepest != 0) keep_axis(run, list, lacking.deepest, answer.normal, answer.signed_distance + pair.radius);
            store_contacts(chunk, list, lanes & ~lacking.all(), pair.frame, manifold);
            lanes = lacking.along;
            if (lanes == 0) return;
        }
        return;
    }
    store_contacts(chunk, list, lanes, pair.frame, manifold);
}

template <class CoreA, class CoreB>
void run_contacts(Run& run) {
    for_each_group<CoreA, CoreB>(
        run.chunk, run.contacts.pairs, [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
            store_manifold(run, pair, list, lanes, run.contacts.answers(list), run.contacts.names_of(list));
        });
    run.contacts.pairs.count = 0;
}

// Out of line, as its room on the stack is seldom wanted.
template <class CoreA, class CoreB>
[[gnu::noinline]] void run_exact(Run& run, ChunkCounters& counters) {
    const Chunk& chunk = run.chunk;
    ExactContact exact[kChunkPairs];
    run_exact_pairs(chunk, run.exact.index, run.exact.count, exact, counters);
    if (run.query() != Query::collide) return;
    for_each_group<CoreA, CoreB>(chunk, run.exact, [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
        const ExactContact* group = exact + (list - run.exact.index);
        LaneArray<float> v[7];
        std::uint32_t within = 0;
        for (int k = 0; k < 7; ++k) v[k] = lanes_of(FloatW(0.0f));
        for_each_lane(lanes, [&](int lane) {
            const ExactContact& c = group[lane];
            within |= static_cast<std::uint32_t>(c.within) << lane;
            v[0][lane] = c.normal.x, v[1][lane] = c.normal.y, v[2][lane] = c.normal.z;
            v[3][lane] = c.from_centre.x, v[4][lane] = c.from_centre.y, v[5][lane] = c.from_centre.z, v[6][lane] = c.separation;
        });
        // What lanes cannot hold has its deepest point alone.
        const std::uint32_t held = within & ~pair.needs_exact.bits();
        for_each_lane(within & ~held, [&](int lane) { store_exact_contact(chunk, chunk.entries[list[lane]], group[lane]); });
        if (held == 0) return;
        const AnswerW world = {load(v[6]), {load(v[0]), load(v[1]), load(v[2])}, {load(v[3]), load(v[4]), load(v[5])}};
        store_manifold(run, pair, list, held, into_frame(pair, world),
                       IntW(static_cast<std::int32_t>(kBestFace << 16 | kBestFace)));
    });
}

}  // namespace abut::ABUT_ISA_NAMESPACE
