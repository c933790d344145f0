// A chunk, from entries to results, for every pair of kinds: compiled once per ISA. The order of the stages is the order below.
#include "chunk/chunk.hpp"

#include "chunk/contacts.hpp"
#include "chunk/far_pairs.hpp"
#include "depth/hull_sat.hpp"
#include "depth/witness.hpp"
#include "separation/box_sat.hpp"
#include "separation/certify.hpp"
#include "separation/round_pairs.hpp"
#include "separation/simplex_names.hpp"
#include "separation/warm.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

// --- Closed forms: one stage, any query ---

// The part of B, a capsule's axis or a box, that is nearest to A's centre.
ABUT_INLINE IntW nearest_region(const SphereExtentPairW& pair) {
    return region_name(rotate_back(pair.rotation, -pair.offset), pair.b.extent);
}
ABUT_INLINE IntW nearest_region(const SpherePairW&) { return IntW(0); }
// Two axes are seldom deepest at an end; and where they are, that is found again as the end of their common stretch.
ABUT_INLINE IntW nearest_region(const CapsulePairW&) { return IntW(kBestFace << 16 | kBestFace); }

// How far a point is from a segment of half length `half` along Y, squared.
ABUT_INLINE FloatW distance_squared_to_axis(Vec3W point, FloatW half) {
    const FloatW beyond = max(abs(point.y) - half, FloatW(0.0f));
    return point.x * point.x + beyond * beyond + point.z * point.z;
}

// Long axes that nearly touch: a hair off the square to both of them the normal is not the least one any more, and the points are not what
// they seem. So both are looked at again: the gap along the normal, and whether the points are on the axes.
ABUT_INLINE MaskW is_certified(const CapsulePairW& pair, const AnswerW& answer) {
    const FloatW share = FloatW(kCertificateShare) * pair.tolerance, allowed = share * share;
    const FloatW distance = answer.signed_distance + pair.radius, along = (distance + pair.radius_a - pair.radius_b) * FloatW(0.5f);
    const Vec3W on_a = answer.midpoint - answer.normal * along, on_b = on_a + answer.normal * distance;
    return (gap_along(pair, answer.normal, kAllLanes) >= distance - share) &
           (distance_squared_to_axis(on_a, pair.a.extent.y) <= allowed) &
           (distance_squared_to_axis(rotate_back(pair.rotation, on_b - pair.offset), pair.b.extent.y) <= allowed);
}
template <class CoreB>
ABUT_INLINE MaskW is_certified(const PairW<PointCore, CoreB>&, const AnswerW&) {
    return MaskW::from_bits(kAllLanes);
}

template <class CoreA, class CoreB, class Form>
ABUT_INLINE void run_closed_form(Run& run, Form form) {
    for_each_group<CoreA, CoreB>(run.chunk, all_of(run.chunk), [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
        lanes = run.admit(pair, list, lanes);
        const AnswerW answer = form(pair);
        const std::uint32_t certified = is_certified(pair, answer).bits() & lanes;
        run.store(pair, list, certified, answer, [&] { return nearest_region(pair); });
        run.exact.append(list, lanes & ~certified);
    });
}

// --- GJK on cores ---

enum class Start { cold, warm };

// A search that no more lanes than these go on with waits for others.
constexpr int kFewLanes = kLanes / 4;

// Those of a list with and those without something in their caches go through apart, so that no lane's neighbours show in its bits.
template <class CoreA, class CoreB, class Stage>
ABUT_INLINE void for_each_start(const Run& run, const PairList& list, Stage&& stage) {
    const auto groups = [&](const PairList& part, Start start) {
        for_each_group<CoreA, CoreB>(run.chunk, part, [&](const auto& pair, const std::uint16_t* group, std::uint32_t lanes) {
            stage(pair, group, lanes, start);
        });
    };
    if (run.chunk.frame->caches == nullptr) return groups(list, Start::cold);
    PairList warm, cold;
    for (std::uint32_t i = 0; i < list.count; ++i) {
        const bool is_warm = is_known(run.chunk, list.index[i]);
        warm.append_if(is_warm, list.index[i]);
        cold.append_if(!is_warm, list.index[i]);
    }
    groups(warm, Start::warm);
    groups(cold, Start::cold);
}

ABUT_INLINE void keep_overlap(Run& run, const std::uint16_t* list, std::uint32_t lanes, const TetrahedronW& seeds) {
    ABUT_UNROLL(4)
    for (int k = 0; k < 4; ++k) store_lanes(seeds.id[k], lanes, run.seeds[k] + run.overlap.count);
    run.overlap.append(list, lanes);
}

// Where GJK looks first: from the point of A's core that is nearest to B's centre to that; of a floor or a rod the centre says little.
template <class Pair>
ABUT_INLINE Vec3W first_direction(const Pair& pair) {
    return pair.offset;
}
template <class CoreB>
ABUT_INLINE Vec3W first_direction(const PairW<ExtentCore, CoreB>& pair) {
    const Vec3W over = abs(pair.offset) - pair.a.extent;
    const FloatW zero = 0.0f;
    const Vec3W outside = copysign({max(over.x, zero), max(over.y, zero), max(over.z, zero)}, pair.offset);
    return select(length_squared(outside) > FloatW(0.0f), outside, pair.offset);
}

// What GJK found; `warm`: lanes that began from their caches.
template <class CoreA, class CoreB>
ABUT_INLINE void store_separation(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes,
                                  const GjkResult& found, MaskW warm) {
    const MaskW astray = found.uncertain & warm;
    if (const MaskW later = found.unfinished | astray; any(later)) {
        run.unfinished.append(list, found, warm);
        run.anew.append(list, astray.bits());
        lanes &= ~later.bits();
    }
    const std::uint32_t far = store_bounded(run, pair, list, found);
    if (run.chunk.frame->caches != nullptr) store_warm(run.chunk, list, lanes & ~far, found);
    if (const std::uint32_t apart = found.apart.bits(); apart != 0) {
        const CertifiedW result = certify(pair, found.simplex, apart);
        const std::uint32_t certified = result.certified.bits() & apart;
        if (certified != 0) run.store(pair, list, certified, result.answer, [&] { return simplex_names(found.simplex); });
        run.exact.append(list, apart & ~certified);
    }
    run.exact.append(list, found.uncertain.bits() & lanes);
    const std::uint32_t enclosed = found.enclosed.bits();
    if (enclosed == 0) return;
    if (run.query() == Query::overlap || (run.query() == Query::distance && run.chunk.parameters->separation_only)) {
        const std::uint32_t firmly = found.firmly.bits() & enclosed;
        store_none(run.chunk, list, firmly, 0.0f);
        run.exact.append(list, enclosed & ~firmly);
    } else {
        keep_overlap(run, list, enclosed, found.seeds);
    }
}

// GJK for all of a list: groups as they come, then the searches that few of a group went on with, gathered, then those that their caches led
// astray. `admit(pair, list, lanes)` returns the lanes that take part.
template <class CoreA, class CoreB, class Admit>
ABUT_INLINE void separate(Run& run, const PairList& all, Admit&& admit) {
    for_each_start<CoreA, CoreB>(run, all, [&](const auto& pair, const std::uint16_t* list, std::uint32_t group, Start start) {
        const std::uint32_t lanes = admit(pair, list, group);
        const MaskW active = MaskW::from_bits(lanes);
        GjkLimits limits = limits_of(run, pair, list, lanes);
        limits.few = kFewLanes;
        GjkResult found;
        if (start == Start::warm)
            gjk_warm(pair, load_warm(run.chunk, pair, list, lanes), active, limits, found);
        else
            gjk(pair, first_direction(pair), active, limits, found);
        store_separation(run, pair, list, lanes, found, start == Start::warm ? active : MaskW());
    });
    for_each_group<CoreA, CoreB>(run.chunk, run.unfinished.pairs, [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
        GjkResult found;
        gjk_resume(pair, run.unfinished.searches(list), MaskW::from_bits(lanes), limits_of(run, pair, list, lanes), found);
        store_separation(run, pair, list, lanes, found, run.unfinished.are_from_cache(list));
    });
    for_each_group<CoreA, CoreB>(run.chunk, run.anew, [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
        GjkResult found;
        gjk(pair, first_direction(pair), MaskW::from_bits(lanes), limits_of(run, pair, list, lanes), found);
        store_separation(run, pair, list, lanes, found, MaskW());
    });
}

// --- Depth ---

// Of `lanes` those whose cores overlap as deeply as the features say; the others go to the exact path. The supports along the normal must
// agree, which those of nearly parallel edges need not.
template <class Pair>
ABUT_INLINE std::uint32_t sure_overlap(Run& run, const Pair& pair, const std::uint16_t* list, std::uint32_t lanes, Vec3W normal,
                                       FloatW separation) {
    const std::uint32_t overlap = (separation <= FloatW(0.0f)).bits() & lanes;
    const MaskW agrees = abs(gap_along(pair, normal, overlap) - separation) <= FloatW(kCertificateShare) * pair.tolerance;
    const std::uint32_t sure = overlap & agrees.bits();
    run.exact.append(list, lanes & ~sure);
    return sure;
}

// Answers the lanes whose witness points are found, and keeps the axis of the others. Cores that are apart after all go to the exact path.
template <class Pair>
ABUT_INLINE void store_witness(Run& run, const Pair& pair, const std::uint16_t* list, std::uint32_t lanes, Vec3W normal, FloatW separation,
                               const WitnessW& witness) {
    const std::uint32_t sure = sure_overlap(run, pair, list, lanes, normal, separation), found = witness.found.bits() & sure;
    if (found != 0) run.store(pair, list, found, witness.answer, [&] { return witness.names; });
    const std::uint32_t left = sure & ~found;
    if (left == 0) return;
    // A contact's features will most likely have the deepest point; a sphere has none.
    constexpr bool has_features = !std::is_same_v<decltype(pair.a), PointCore>;
    if (has_features && run.query() == Query::collide) {
        run.contacts.append(list, left, {separation - pair.radius, normal, splat(0.0f)}, IntW(kNoPoint));
        return;
    }
    keep_axis(run, list, left, normal, separation);
}

// Points of the pairs in run.pull by pulling them apart. What does not check is for the exact path.
template <class CoreA, class CoreB>
void run_pulled(Run& run) {
    for_each_group<CoreA, CoreB>(run.chunk, run.pull, [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
        const std::ptrdiff_t first = list - run.pull.index;
        FloatW axis[4];
        for (int k = 0; k < 4; ++k) axis[k] = FloatW::load_unaligned(run.axis[k] + first);
        const WitnessW witness = witness_along(pair, {axis[0], axis[1], axis[2]}, axis[3], MaskW::from_bits(lanes));
        const std::uint32_t found = witness.found.bits() & lanes;
        if (found != 0) run.store(pair, list, found, witness.answer, [&] { return witness.names; });
        run.exact.append(list, lanes & ~found);
    });
}

// --- Boxes: separating axes first ---

// A contact's points mostly come with its features: the witness points are worked out where they do not.
ABUT_INLINE void store_box_axis(Run& run, const PairW<ExtentCore, ExtentCore>& pair, const std::uint16_t* list, std::uint32_t lanes,
                                const BoxAxisW& axis) {
    if (run.query() != Query::collide) return store_witness(run, pair, list, lanes, axis.normal, axis.separation, box_witness(pair, axis));
    const std::uint32_t sure = sure_overlap(run, pair, list, lanes, axis.normal, axis.separation);
    run.contacts.append(list, sure, {axis.separation - pair.radius, axis.normal, {axis.separation, axis.feature, 0.0f}}, IntW(kBoxAxis));
}

// Depths along two axes of boxes that differ by less do not choose between them, for a contact: the contact slack, and no more than the thinnest
// side allows, as that of a card is all the depth there is. A capsule has no sides.
ABUT_INLINE FloatW axis_slack(const Run& run, const PairW<ExtentCore, ExtentCore>& pair) {
    if (run.query() != Query::collide) return 0.0f;
    const auto thinnest = [](Vec3W extent) { return min(extent.x, min(extent.y, extent.z)); };
    const FloatW b = thinnest(pair.b.extent), thin = run.chunk.kind_a == ShapeKind::capsule ? b : min(thinnest(pair.a.extent), b);
    return min(contact_slack(run.chunk, pair), FloatW(kAxisShare) * thin);
}

ABUT_INLINE void classify_boxes(Run& run, const PairW<ExtentCore, ExtentCore>& pair, const std::uint16_t* list, std::uint32_t lanes) {
    if (run.query() == Query::overlap) {
        const MaskW sharp = pair.radius == FloatW(0.0f), apart = boxes_apart(pair);
        const std::uint32_t decided = (sharp | ~apart).bits() & lanes;
        store_hits(run.chunk, list, decided, ~apart);
        run.apart.append(list, lanes & ~decided);
        return;
    }
    const BoxAxisW axis = box_sat(pair, axis_slack(run, pair));
    const FloatW bound = (axis.separation - pair.radius) * pair.frame.metres;
    const FloatW reach = reach_of(run, list, lanes);
    const MaskW apart = axis.separation > FloatW(0.0f);
    const std::uint32_t beyond = (apart & (bound > reach + pair.tolerance * pair.frame.metres)).bits() & lanes;
    if (beyond != 0) store_beyond(run, pair, list, beyond, axis.separation);
    lanes &= ~beyond;
    run.apart.append(list, apart.bits() & lanes);
    lanes &= ~apart.bits();
    if (lanes == 0) return;
    if (run.query() == Query::distance && run.chunk.parameters->separation_only) {
        store_none(run.chunk, list, lanes, 0.0f);
        return;
    }
    store_box_axis(run, pair, list, lanes, axis);
}

void run_boxes(Run& run) {
    for_each_group<ExtentCore, ExtentCore>(run.chunk, answer_far(run), [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
        classify_boxes(run, pair, list, run.admit(pair, list, lanes));
    });
    separate<ExtentCore, ExtentCore>(run, run.apart, [](const auto&, const std::uint16_t*, std::uint32_t lanes) { return lanes; });
    // Apart by separating axes, yet overlapping by GJK: they touch to within rounding.
    run.exact.append(run.overlap);
}

auto admit_to(Run& run) {
    return [&run](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) { return run.admit(pair, list, lanes); };
}

// A capsule's axis seldom reaches into the box: GJK first.
void run_capsule_box(Run& run) {
    separate<ExtentCore, ExtentCore>(run, answer_far(run), admit_to(run));
    for_each_group<ExtentCore, ExtentCore>(run.chunk, run.overlap, [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
        store_box_axis(run, pair, list, lanes, box_sat(pair, axis_slack(run, pair)));
    });
}

// Depth of overlapping cores: the axis by pruned SAT, the points by pulling apart along it.
template <class CoreA, class CoreB>
ABUT_INLINE void penetrate(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes) {
    const std::ptrdiff_t first = list - run.overlap.index;
    TetrahedronW seeds;
    for (int k = 0; k < 4; ++k) {
        LaneArray<std::int32_t> id = lanes_of(IntW(0));
        for_each_lane(lanes, [&](int lane) { id[lane] = run.seeds[k][first + lane]; });
        seeds.id[k] = load(id);
    }
    const DepthAxisW axis = hull_sat(pair, seeds, *run.chunk.frame, lanes);
    run.exact.append(list, lanes & ~axis.found.bits());
    store_witness(run, pair, list, lanes & axis.found.bits(), axis.normal, axis.separation, axis.witness);
}

template <class CoreA, class CoreB>
void run_hulls(Run& run) {
    separate<CoreA, CoreB>(run, answer_far(run), admit_to(run));
    for_each_group<CoreA, CoreB>(run.chunk, run.overlap, [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
        penetrate(run, pair, list, lanes);
    });
}

// Manifolds first: what lacks its deepest point there is pulled apart, and what that cannot answer is for the exact path.
template <class CoreA, class CoreB>
void finish(Run& run, ChunkCounters& counters) {
    run_contacts<CoreA, CoreB>(run);
    run_pulled<CoreA, CoreB>(run);
    run_contacts<CoreA, CoreB>(run);
    if (run.exact.count != 0) run_exact<CoreA, CoreB>(run, counters);
}

// The cores of a pair of kinds, and how it is answered.
template <class CoreA, class CoreB, class Answer>
void run_all(Run& run, ChunkCounters& counters, Answer&& answer) {
    if (run.chunk.parameters->exact_only)
        run.exact = all_of(run.chunk);
    else
        answer();
    finish<CoreA, CoreB>(run, counters);
}

template <class CoreA, class CoreB, class Form>
void run_all_closed(Run& run, ChunkCounters& counters, Form form) {
    run_all<CoreA, CoreB>(run, counters, [&] { run_closed_form<CoreA, CoreB>(run, form); });
}

template <class CoreA>
void run_all_hulls(Run& run, ChunkCounters& counters) {
    run_all<CoreA, HullCore>(run, counters, [&] { run_hulls<CoreA, HullCore>(run); });
}

void run_kind(Run& run, ChunkCounters& counters) {
    const ShapeKind a = run.chunk.kind_a, b = run.chunk.kind_b;
    if (b == ShapeKind::halfspace) return run_halfspace_kind(run, counters);
    if (b > ShapeKind::hull) return run_curved_kind(run, counters);
    if (b == ShapeKind::hull) {
        if (a == ShapeKind::hull) return run_all_hulls<HullCore>(run, counters);
        if (a == ShapeKind::sphere) return run_all_hulls<PointCore>(run, counters);
        return run_all_hulls<ExtentCore>(run, counters);
    }
    if (b == ShapeKind::box) {
        if (a == ShapeKind::sphere) return run_all_closed<PointCore, ExtentCore>(run, counters, [](const auto& pair) { return sphere_box(pair); });
        return run_all<ExtentCore, ExtentCore>(run, counters, [&] { a == ShapeKind::capsule ? run_capsule_box(run) : run_boxes(run); });
    }
    if (b == ShapeKind::sphere) return run_all_closed<PointCore, PointCore>(run, counters, [](const auto& pair) { return sphere_sphere(pair); });
    if (a == ShapeKind::sphere)
        return run_all_closed<PointCore, ExtentCore>(run, counters, [](const auto& pair) { return sphere_capsule(pair); });
    run_all_closed<ExtentCore, ExtentCore>(run, counters, [](const auto& pair) { return capsule_capsule(pair); });
}

}  // namespace

void run_chunk(const Chunk& chunk, ChunkCounters& counters) {
    Run run(chunk);
    run_kind(run, counters);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
