// Two boxes: first separating axes. A capsule and a box: first a closed form, because a capsule's axis seldom overlaps
// the box. GJK answers the other pairs.
#include "convex/chunk/axis.hpp"
#include "convex/chunk/families.hpp"
#include "convex/chunk/search.hpp"
#include "convex/separation/box_sat.hpp"
#include "convex/separation/segment_box.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

using BoxPairW = PairW<ExtentCore, ExtentCore>;

// Returns those of `gaps` (lanes that are apart) whose distance is the gap along the axis: a vertex over a face, two
// edges that face each other, or two level faces with a common area. The other lanes need a search.
inline std::uint32_t answered_gaps(Run& run, const BoxPairW& pair, const std::uint16_t* list, std::uint32_t gaps,
                                   const BoxAxisW& axis, const WitnessW& witness) {
    const MaskW agrees =
        abs(gap_along(pair, axis.normal, gaps) - axis.separation) <= FloatW(kGjkStopShare) * pair.tolerance;
    const std::uint32_t answered = (witness.found & agrees).bits() & gaps;
    append_search(run, list, gaps & ~answered);
    return answered;
}

// Passes pairs within the reach to `manifold`. That state computes their witness points only if the contact features do
// not provide them.
ABUT_INLINE void touch_boxes(Run& run, const BoxPairW& pair, const std::uint16_t* list, std::uint32_t lanes,
                             const BoxAxisW& axis) {
    const AnswerW answer = {axis.separation - pair.radius, axis.normal, {axis.separation, axis.feature, axis.greatest}};
    const MaskW is_within = answer.signed_distance * pair.to_world.unit <= run.writer.reach(list, lanes);
    run.append_manifold(pair, list, is_within.bits() & lanes, {answer, IntW(kBoxAxis)});
}

// Answers the lanes with a known axis: `gaps` are separated along it, `overlaps` overlap.
inline void answer_boxes(Run& run, const BoxPairW& pair, const std::uint16_t* list, std::uint32_t gaps,
                         std::uint32_t overlaps, const BoxAxisW& axis) {
    std::uint32_t sure = overlaps == 0 ? 0 : sure_overlap(run, pair, list, overlaps, axis.normal, axis.separation);
    if (run.writer.needs_contacts() && gaps == 0) return touch_boxes(run, pair, list, sure, axis);
    const WitnessW witness = box_witness(pair, axis);
    if (gaps != 0) sure |= answered_gaps(run, pair, list, gaps, axis, witness);
    if (run.writer.needs_contacts()) return touch_boxes(run, pair, list, sure, axis);
    const std::uint32_t found = witness.found.bits() & sure;
    if (found != 0) run.answer(pair, list, found, witness.answer, [&] { return witness.names; });
    run.witness.append(list, sure & ~found, {axis.normal, axis.separation});
}

// For contacts, depths along two box axes that differ by less than this are equal: the contact slack, limited by the
// thinnest half extent, because a card overlaps by no more than its thickness. A capsule's axis has no thickness and
// does not count.
inline FloatW axis_slack(const Run& run, const BoxPairW& pair) {
    if (!run.writer.needs_contacts()) return 0.0f;
    const auto thinnest = [](Vec3W extent) { return min(extent.x, min(extent.y, extent.z)); };
    const FloatW b = thinnest(pair.b.extent),
                 thin = run.chunk.kind_a == ShapeKind::capsule ? b : min(thinnest(pair.a.extent), b);
    return min(contact_slack(run.chunk, pair), FloatW(kAxisShare) * thin);
}

// Answers whether the boxes overlap.
inline void sign_boxes(Run& run, const BoxPairW& pair, const std::uint16_t* list, std::uint32_t lanes) {
    const MaskW sharp = pair.radius == FloatW(0.0f), apart = boxes_apart(pair);
    const std::uint32_t decided = (sharp | ~apart).bits() & lanes;
    store_hits(run.chunk, list, decided, ~apart);
    append_search(run, list, lanes & ~decided);
}

inline void separate_boxes(Run& run, const BoxPairW& pair, const std::uint16_t* list, std::uint32_t lanes) {
    const BoxAxisW axis = box_sat(pair, axis_slack(run, pair));
    const FloatW bound = (axis.separation - pair.radius) * pair.to_world.unit;
    const FloatW reach = run.writer.reach(list, lanes);
    const MaskW apart = axis.separation > FloatW(0.0f);
    const std::uint32_t beyond = (apart & (bound > reach + pair.tolerance * pair.to_world.unit)).bits() & lanes;
    if (beyond != 0) store_beyond(run, pair, list, beyond, axis.separation);
    lanes &= ~beyond;
    const std::uint32_t gaps = apart.bits() & lanes, enclosed = lanes & ~gaps;
    const std::uint32_t overlaps = enclosed == 0 ? 0 : run.enclose(list, enclosed, MaskW::from_bits(kAllLanes));
    if ((gaps | overlaps) != 0) answer_boxes(run, pair, list, gaps, overlaps, axis);
}

void run_boxes(Run& run) {
    const auto sign = [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes, NoPayloadW) {
        sign_boxes(run, pair, list, run.admit(pair, list, lanes));
    };
    const auto separate = [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes, NoPayloadW) {
        separate_boxes(run, pair, list, run.admit(pair, list, lanes));
    };
    begin(run, run.direct);
    run_states(run, [&](State state) {
        switch (state) {
            case State::direct:
                if (run.writer.needs_sign())
                    return for_each_group<ExtentCore, ExtentCore, Load::inlined>(run.chunk, run.direct, sign);
                return for_each_group<ExtentCore, ExtentCore>(run.chunk, run.direct, separate);
            // A pair that separating axes prove apart, but that overlaps by GJK, touches to within rounding.
            case State::depth: return run.send_to_exact(run.depth);
            default: return run_shared<ExtentCore, ExtentCore>(run, state);
        }
    });
}

// Answers hits. A capsule without radius may pierce a box although its distance is not 0 to rounding.
inline void hit_capsules(Run& run, const BoxPairW& pair, const std::uint16_t* list, std::uint32_t lanes) {
    const FloatW distance = sqrt(segment_box_squared(pair));
    const MaskW is_touch =
        (distance > run.writer.hit_limit(pair)) & (distance <= FloatW(kCertificateShare) * pair.tolerance);
    const std::uint32_t uncertainty = is_touch.bits() & lanes;
    if (uncertainty != 0) run.exact.append(list, uncertainty);
    run.writer.write_hits_of(pair, list, lanes & ~uncertainty, distance - pair.radius);
}

inline void separate_capsules(Run& run, const BoxPairW& pair, const std::uint16_t* list, std::uint32_t lanes) {
    const SegmentBoxW found = segment_box(pair);
    const FloatW bound = found.answer.signed_distance * pair.to_world.unit, reach = run.writer.reach(list, lanes);
    const std::uint32_t beyond =
        (found.certified & (bound > reach + pair.tolerance * pair.to_world.unit)).bits() & lanes;
    if (beyond != 0) store_beyond(run, pair, list, beyond, found.answer.signed_distance + pair.radius);
    lanes &= ~beyond;
    const std::uint32_t certified = found.certified.bits() & lanes, enclosed = lanes & ~found.apart.bits();
    if (certified != 0) run.answer(pair, list, certified, found.answer, [&] { return found.names; });
    // If the axis touches the box, a thick capsule overlaps the box certainly.
    if (enclosed != 0) run.depth.append(list, run.enclose(list, enclosed, pair.radius > pair.tolerance));
    append_search(run, list, lanes & ~(certified | enclosed));
}

void run_capsule_box(Run& run) {
    const auto hit = [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes, NoPayloadW) {
        hit_capsules(run, pair, list, run.admit(pair, list, lanes));
    };
    const auto separate = [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes, NoPayloadW) {
        separate_capsules(run, pair, list, run.admit(pair, list, lanes));
    };
    const auto penetrate = [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes, const OverlappingW&) {
        answer_boxes(run, pair, list, 0, lanes, box_sat(pair, axis_slack(run, pair)));
    };
    begin(run, run.direct);
    run_states(run, [&](State state) {
        switch (state) {
            case State::direct:
                if (run.writer.needs_hits())
                    return for_each_group<ExtentCore, ExtentCore, Load::inlined>(run.chunk, run.direct, hit);
                return for_each_group<ExtentCore, ExtentCore>(run.chunk, run.direct, separate);
            case State::depth: return for_each_group<ExtentCore, ExtentCore>(run.chunk, run.depth, penetrate);
            default: return run_shared<ExtentCore, ExtentCore>(run, state);
        }
    });
}

}  // namespace

void run_box(Run& run) { run.chunk.kind_a == ShapeKind::capsule ? run_capsule_box(run) : run_boxes(run); }

}  // namespace abut::ABUT_ISA_NAMESPACE
