// Two boxes: separating axes first. A capsule and a box: GJK first, as a capsule's axis seldom reaches into the box.
#include "chunk/axis.hpp"
#include "chunk/chunk.hpp"
#include "chunk/search.hpp"
#include "separation/box_sat.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

using BoxPairW = PairW<ExtentCore, ExtentCore>;

// A contact's points mostly come with its features: the witness points are worked out where they do not.
ABUT_INLINE void store_box_axis(Run& run, const BoxPairW& pair, const std::uint16_t* list, std::uint32_t lanes, const BoxAxisW& axis) {
    if (!run.sink.asks_contacts()) return store_witness(run, pair, list, lanes, axis.normal, axis.separation, box_witness(pair, axis));
    const std::uint32_t sure = sure_overlap(run, pair, list, lanes, axis.normal, axis.separation);
    const AnswerW answer = {axis.separation - pair.radius, axis.normal, {axis.separation, axis.feature, 0.0f}};
    run.manifold.append(list, sure, {answer, IntW(kBoxAxis)});
}

// Depths along two axes of boxes that differ by less do not choose between them, for a contact: the contact slack, and no more than the thinnest
// side allows, as that of a card is all the depth there is. A capsule has no sides.
ABUT_INLINE FloatW axis_slack(const Run& run, const BoxPairW& pair) {
    if (!run.sink.asks_contacts()) return 0.0f;
    const auto thinnest = [](Vec3W extent) { return min(extent.x, min(extent.y, extent.z)); };
    const FloatW b = thinnest(pair.b.extent), thin = run.chunk.kind_a == ShapeKind::capsule ? b : min(thinnest(pair.a.extent), b);
    return min(contact_slack(run.chunk, pair), FloatW(kAxisShare) * thin);
}

// Where a sign is all that is asked.
ABUT_INLINE void sign_boxes(Run& run, const BoxPairW& pair, const std::uint16_t* list, std::uint32_t lanes) {
    const MaskW sharp = pair.radius == FloatW(0.0f), apart = boxes_apart(pair);
    const std::uint32_t decided = (sharp | ~apart).bits() & lanes;
    store_hits(run.chunk, list, decided, ~apart);
    wait_for_search(run, list, lanes & ~decided);
}

ABUT_INLINE void separate_boxes(Run& run, const BoxPairW& pair, const std::uint16_t* list, std::uint32_t lanes) {
    const BoxAxisW axis = box_sat(pair, axis_slack(run, pair));
    const FloatW bound = (axis.separation - pair.radius) * pair.to_world.unit;
    const FloatW reach = run.sink.reach(list, lanes);
    const MaskW apart = axis.separation > FloatW(0.0f);
    const std::uint32_t beyond = (apart & (bound > reach + pair.tolerance * pair.to_world.unit)).bits() & lanes;
    if (beyond != 0) store_beyond(run, pair, list, beyond, axis.separation);
    lanes &= ~beyond;
    wait_for_search(run, list, apart.bits() & lanes);
    lanes &= ~apart.bits();
    if (lanes == 0) return;
    lanes = run.enclose(list, lanes, MaskW::from_bits(kAllLanes));
    if (lanes != 0) store_box_axis(run, pair, list, lanes, axis);
}

void run_boxes(Run& run) {
    const auto sign = [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes, NothingW) {
        sign_boxes(run, pair, list, run.admit(pair, list, lanes));
    };
    const auto separate = [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes, NothingW) {
        separate_boxes(run, pair, list, run.admit(pair, list, lanes));
    };
    begin(run, run.direct);
    run_states(run, [&](State state) {
        switch (state) {
            case State::direct:
                if (run.sink.asks_sign()) return for_each_group<ExtentCore, ExtentCore, Load::inlined>(run.chunk, run.direct, sign);
                return for_each_group<ExtentCore, ExtentCore>(run.chunk, run.direct, separate);
            // Apart by separating axes, yet overlapping by GJK: they touch to within rounding.
            case State::depth: return run.give_up(run.depth);
            default: return run_shared<ExtentCore, ExtentCore>(run, state);
        }
    });
}

void run_capsule_box(Run& run) {
    const auto penetrate = [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes, const OverlappingW&) {
        store_box_axis(run, pair, list, lanes, box_sat(pair, axis_slack(run, pair)));
    };
    begin(run, run.search, run.warm_search);
    run_states(run, [&](State state) {
        if (state != State::depth) return run_shared<ExtentCore, ExtentCore>(run, state);
        for_each_group<ExtentCore, ExtentCore>(run.chunk, run.depth, penetrate);
    });
}

}  // namespace

void run_box(Run& run) { run.chunk.kind_a == ShapeKind::capsule ? run_capsule_box(run) : run_boxes(run); }

}  // namespace abut::ABUT_ISA_NAMESPACE
