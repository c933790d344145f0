// The final states: manifolds of pairs within the margin, witness points of known depths, and the exact path.
#pragma once

#include "convex/chunk/begin.hpp"
#include "convex/chunk/depth_below.hpp"
#include "convex/depth/witness.hpp"
#include "convex/exact/exact_pairs.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

template <class CoreB>
ABUT_INLINE void store_manifold(Run& run, const PairW<PointCore, CoreB>& pair, const std::uint16_t* list,
                                std::uint32_t lanes, const ContactPayloadW& found) {
    store_point(run.chunk, pair, list, lanes, found);
}
// The signed distance, scaled. The separation along a box pair's contact axis may be less by up to the contact slack.
template <class Pair>
inline FloatW greatest_distance(const Pair& pair, const ContactPayloadW& found) {
    return select(found.names == IntW(kBoxAxis), found.answer.midpoint.z - pair.radius, found.answer.signed_distance);
}

// Out of line because several states use it.
template <class CoreA, class CoreB>
ABUT_NOINLINE void store_manifold(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list,
                                  std::uint32_t lanes, const ContactPayloadW& found) {
    const Chunk& chunk = run.chunk;
    ManifoldW manifold;
    const FloatW slack = contact_slack(chunk, pair);
    const ContactSeedW seed = {found.answer, found.names, run.writer.reach(list, lanes) * pair.scale, slack};
    const KeptLanes kept = run.keeps_contacts ? kept_lanes(chunk, list, lanes) : KeptLanes();
    // The second pass is for the few lanes without contacts along a face's normal; it uses the answer's normal.
    for (const AxisLimit by : {AxisLimit::by_slack, AxisLimit::by_rounding}) {
        const auto lacking = find_manifolds(pair, form_of(chunk.kind_a), form_of(chunk.kind_b), seed, *chunk.frame, by,
                                            lanes, kept.unknown, manifold);
        run.witness.append(list, lacking.deepest, {found.answer.normal, found.answer.signed_distance + pair.radius});
        const std::uint32_t complete = lanes & ~lacking.all();
        store_contacts(chunk, list, complete, pair.to_world, manifold);
        if (kept.of(complete).any()) {
            const auto [resting, unknown] = kept.of(answered_lanes(chunk, list, complete));
            const FloatW unit = pair.to_world.unit, reach = run.writer.reach(list, complete);
            if (unknown != 0)
                store_follow_record(
                    chunk, list, unknown, reach,
                    {pair.to_world, manifold, greatest_distance(pair, found) * unit, slack * unit,
                     pair.tolerance * unit, pair.smaller * unit, is_deep_below(pair, manifold, unknown)});
            if (resting != 0) store_at_rest(chunk, list, resting, reach, manifold.normal_of_b);
        }
        lanes = lacking.along;
        if (lanes == 0) return;
    }
}

template <class CoreA, class CoreB>
void run_manifolds(Run& run) {
    const auto store = [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes,
                           const ContactPayloadW& found) { store_manifold(run, pair, list, lanes, found); };
    for_each_group<CoreA, CoreB>(run.chunk, run.manifold, store);
}

// Finds the witness points of known depths by GJK on cores that are moved apart. Pairs that fail the check go to the
// exact path.
template <class CoreA, class CoreB>
void run_witness(Run& run) {
    for_each_group<CoreA, CoreB>(
        run.chunk, run.witness,
        [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes, const AxisOnlyW& axis) {
        const WitnessW witness = witness_along(pair, axis.normal, axis.separation, MaskW::from_bits(lanes));
        const std::uint32_t found = witness.found.bits() & lanes;
        if (found != 0) run.answer(pair, list, found, witness.answer, [&] { return witness.names; });
        run.exact.append(list, lanes & ~found);
        });
}

// Converts a group's answers of the exact path from world axes and metres to A's frame, scaled. The point becomes
// relative to A's core centre.
template <class Pair>
inline AnswerW from_world(const Pair& pair, const ExactAnswer* group, std::uint32_t lanes) {
    LaneArray<float> v[7];
    for (int k = 0; k < 7; ++k) v[k] = lanes_of(FloatW(0.0f));
    for_each_lane(lanes, [&](int lane) {
        const ExactAnswer& c = group[lane];
        v[0][lane] = c.normal.x, v[1][lane] = c.normal.y, v[2][lane] = c.normal.z;
        v[3][lane] = c.from_centre.x, v[4][lane] = c.from_centre.y, v[5][lane] = c.from_centre.z,
        v[6][lane] = c.signed_distance;
    });
    const Vec3W normal = {load(v[0]), load(v[1]), load(v[2])}, midpoint = {load(v[3]), load(v[4]), load(v[5])};
    const Mat3W& axes = pair.to_world.axes;
    return {load(v[6]) * pair.scale, rotate_back(axes, normal), rotate_back(axes, midpoint) * pair.scale};
}

// Out of line, because it is rare and needs much stack.
template <class CoreA, class CoreB>
ABUT_NOINLINE void run_exact(Run& run) {
    const Chunk& chunk = run.chunk;
    ExactAnswer answers[kChunkPairs];
    const std::uint32_t count = run.exact.count();
    clear_upper();  // as WideCode does, because the exact path is baseline code
    solve_exactly(chunk, run.exact.pairs(), count, run.writer.needs_sign(), answers);
    run.counters.exact += count;
    if (!run.writer.needs_contacts()) {
        for (std::uint32_t i = 0; i < count; ++i) run.writer.take_exact(run.exact.pairs()[i], answers[i]);
        return run.exact.clear();
    }
    const ExactAnswer* group = answers;
    for_each_group<CoreA, CoreB>(chunk, run.exact,
                                 [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes, NoPayloadW) {
        std::uint32_t within = 0;
        for_each_lane(lanes, [&](int lane) {
            within |= static_cast<std::uint32_t>(run.writer.take_exact(list[lane], group[lane])) << lane;
        });
        // Pairs that float32 cannot hold get their deepest point as the only contact.
        const std::uint32_t held = within & ~pair.needs_exact.bits();
        for_each_lane(within & ~held, [&](int lane) { store_exact_contact(chunk, list[lane], group[lane]); });
        if (held != 0) {
            const IntW names = static_cast<std::int32_t>(kBestFace << 16 | kBestFace);
            store_manifold(run, pair, list, held, {from_world(pair, group, held), names});
        }
        group += kLanes;
    });
}

template <class CoreA, class CoreB>
void run_final_states(Run& run, State state) {
    // Compiles only the states that a kind can reach: store_point stores a sphere's contact at once, and closed forms
    // compute their own witness points.
    constexpr bool is_round = std::is_same_v<CoreA, PointCore>,
                   has_points = is_round && !std::is_same_v<CoreB, HullCore>;
    if constexpr (!is_round) {
        if (state == State::manifold) return run_manifolds<CoreA, CoreB>(run);
    }
    if constexpr (!has_points)
        if (state == State::pull) return run_witness<CoreA, CoreB>(run);
    run_exact<CoreA, CoreB>(run);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
