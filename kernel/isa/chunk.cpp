// A chunk, from entries to results, for every pair of kinds: compiled once per ISA. The order of the stages is the order below.
#include "isa/chunk.hpp"

#include "depth/box_witness.hpp"
#include "depth/hull_sat.hpp"
#include "depth/witness.hpp"
#include "results/store.hpp"
#include "separation/box_sat.hpp"
#include "separation/gjk.hpp"
#include "separation/round_pairs.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

// Entry indices of a chunk that go on to a later stage.
struct PairList {
    std::uint32_t count = 0;
    std::uint16_t index[kChunkPairs];

    ABUT_INLINE void append(const std::uint16_t* list, std::uint32_t lanes) {
        for_each_lane(lanes, [&](int lane) { index[count++] = list[lane]; });
    }
    void append(const PairList& other) {
        for (std::uint32_t i = 0; i < other.count; ++i) index[count++] = other.index[i];
    }
};

ABUT_INLINE std::uint32_t lane_bits(std::uint32_t count) { return count >= kLanes ? kAllLanes : (1u << count) - 1; }

// Walks `list` kLanes entries at a time: stage(pair, entry indices, lanes).
template <class CoreA, class CoreB, class Stage>
ABUT_INLINE void for_each_group(const Chunk& chunk, const PairList& list, Stage&& stage) {
    for (std::uint32_t first = 0; first < list.count; first += kLanes) {
        PairW<CoreA, CoreB> pair;
        const std::uint16_t* group = list.index + first;
        const std::uint32_t count = list.count - first < kLanes ? list.count - first : kLanes;
        load_pairs(chunk, group, count, pair);
        stage(pair, group, lane_bits(count));
    }
}

ABUT_INLINE FloatW margin_of(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes) {
    if (!chunk.parameters->margins) return chunk.parameters->reach;
    LaneArray<float> margin = lanes_of(FloatW(0.0f));
    for_each_lane(lanes, [&](int lane) { margin[lane] = chunk.parameters->margins[chunk.entries[list[lane]].pair()]; });
    return load(margin);
}

// What a chunk's run shares between its stages.
struct Run {
    const Chunk& chunk;
    PairList apart;    // not yet answered: wants GJK
    PairList overlap;  // cores overlap: wants depth
    PairList pull;     // depth's axis known, points not
    PairList exact;    // wants the exact path
    std::int32_t seeds[4][kChunkPairs];  // of overlap[i]: GJK's last vertices
    float axis[4][kChunkPairs + kLanes];          // of pull[i]: normal and separation

    explicit Run(const Chunk& c) : chunk(c) {}

    Query query() const { return chunk.parameters->query; }

    // Bad poses get their status, pairs that float32 cannot hold go to the exact path; returns the lanes that are left.
    template <class Pair>
    ABUT_INLINE std::uint32_t admit(const Pair& pair, const std::uint16_t* list, std::uint32_t lanes) {
        const std::uint32_t bad = pair.bad_pose.bits() & lanes;
        if (bad != 0) {
            store_status(chunk, list, bad, Status::bad_pose);
            lanes &= ~bad;
        }
        // A body overlaps itself, flat or not: there the sign would be rounding.
        if (const std::uint32_t self = pair.self & lanes; self != 0 && query() == Query::overlap) {
            store_none(chunk, list, self, 0.0f);
            lanes &= ~self;
        }
        const std::uint32_t hard = pair.needs_exact.bits() & lanes;
        if (hard != 0) exact.append(list, hard);
        return lanes & ~hard;
    }

    // Answers of any sign; contacts within `margin`, distances within the reach.
    template <class Pair>
    ABUT_INLINE void store(const Pair& pair, const std::uint16_t* list, std::uint32_t lanes, const AnswerW& answer, IntW feature) {
        switch (query()) {
            case Query::overlap: store_hits(chunk, list, lanes, answer.signed_distance <= FloatW(0.0f)); break;
            case Query::collide:
                store_contacts(chunk, list, lanes, pair.frame, answer, feature, margin_of(chunk, list, lanes));
                break;
            case Query::distance: {
                const FloatW distance = answer.signed_distance * pair.frame.metres;
                const std::uint32_t beyond = (distance > FloatW(chunk.parameters->reach)).bits() & lanes;
                const std::uint32_t flat = chunk.parameters->separation_only ? (distance <= FloatW(0.0f)).bits() & lanes : 0;
                if (beyond != 0) store_none(chunk, list, beyond, kInfinity);
                if (flat != 0) store_none(chunk, list, flat, 0.0f);
                store_distances(chunk, list, lanes & ~(beyond | flat), pair.frame, answer);
            }
        }
    }
};

PairList all_of(const Chunk& chunk) {
    PairList list;
    list.count = chunk.count;
    for (std::uint32_t i = 0; i < chunk.count; ++i) list.index[i] = static_cast<std::uint16_t>(i);
    return list;
}

// --- Closed forms: one stage, any query ---

template <class CoreA, class CoreB, class Form>
ABUT_INLINE void run_closed_form(Run& run, Form form) {
    for_each_group<CoreA, CoreB>(run.chunk, all_of(run.chunk), [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
        lanes = run.admit(pair, list, lanes);
        run.store(pair, list, lanes, form(pair), IntW(0));
    });
}

// --- GJK on cores ---

// Where the caller needs no more: beyond the margin or maximum distance, or (overlap) near enough to hit.
template <class Pair>
ABUT_INLINE GjkLimits limits_of(const Run& run, const Pair& pair, const std::uint16_t* list, std::uint32_t lanes) {
    if (run.query() == Query::overlap) return {pair.radius, pair.radius};
    const FloatW reach = run.query() == Query::collide ? margin_of(run.chunk, list, lanes) : FloatW(run.chunk.parameters->reach);
    // A shade more than asked: the answer itself is compared with the reach, not this bound.
    return {(reach * pair.scale + pair.radius) * FloatW(1.0f + kGjkStopShare * kToleranceSmaller) + pair.tolerance, FloatW(-1.0f)};
}

// The halves of a contact's feature id: A's vertex in the high one.
ABUT_INLINE IntW feature_of(const SimplexW& s) { return (s.id[0] << 16) | (s.id[0] >> 16); }

// Full-precision supports along the answer: the packed ones on the way may have fallen short.
template <class CoreA, class CoreB>
ABUT_INLINE MaskW is_lower_bound(const PairW<CoreA, CoreB>& pair, Vec3W v, FloatW allowed, std::uint32_t lanes) {
    const FloatW vv = length_squared(v), short_by = vv - gap_along(pair, v, lanes);
    return (short_by <= FloatW(2.0f * kGjkStopRelative) * vv) | (short_by * short_by <= allowed * allowed * vv);
}
ABUT_INLINE MaskW is_lower_bound(const PairW<ExtentCore, ExtentCore>&, Vec3W, FloatW, std::uint32_t) {
    return MaskW::from_bits(kAllLanes);  // GJK's own supports are never packed
}

struct CertifiedW {
    AnswerW answer;
    MaskW certified;
};

// The simplex's nearest point as an answer. It is an upper bound only where the shapes' points are really that far apart: v comes from a
// face's normal, which a sliver knows badly.
template <class CoreA, class CoreB>
ABUT_INLINE CertifiedW certify(const PairW<CoreA, CoreB>& pair, const SimplexW& s, std::uint32_t lanes) {
    const Vec3W on_a = point_on_a(pair, s), on_b = point_on_b(pair, s);
    const FloatW squared = length_squared(s.v), distance = sqrt(squared), half = 0.5f;
    const Vec3W normal = s.v * (FloatW(1.0f) / distance);
    CertifiedW out;
    out.answer = {distance - pair.radius, normal, (on_a + on_b) * half + normal * ((pair.radius_a - pair.radius_b) * half)};
    const FloatW allowed = FloatW(kCertificateShare) * pair.tolerance + FloatW(kGjkStopRelative) * distance;
    out.certified = (length_squared(on_b - on_a - s.v) <= allowed * allowed) & is_lower_bound(pair, s.v, allowed, lanes);
    return out;
}

ABUT_INLINE void keep_overlap(Run& run, const std::uint16_t* list, std::uint32_t lanes, const TetrahedronW& seeds) {
    for (int k = 0; k < 4; ++k) {
        const LaneArray<std::int32_t> id = lanes_of(seeds.id[k]);
        std::uint32_t at = run.overlap.count;
        for_each_lane(lanes, [&](int lane) { run.seeds[k][at++] = id[lane]; });
    }
    run.overlap.append(list, lanes);
}

template <class CoreA, class CoreB>
ABUT_INLINE void separate(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t lanes) {
    GjkResult found;
    gjk(pair, pair.offset, MaskW::from_bits(lanes), limits_of(run, pair, list, lanes), found);
    const std::uint32_t beyond = found.beyond.bits(), within = found.within.bits(), apart = found.apart.bits();
    if (beyond != 0) store_none(run.chunk, list, beyond, kInfinity);
    if (within != 0) store_none(run.chunk, list, within, 0.0f);
    if (apart != 0) {
        const CertifiedW result = certify(pair, found.simplex, apart);
        const std::uint32_t certified = result.certified.bits() & apart;
        if (certified != 0) run.store(pair, list, certified, result.answer, feature_of(found.simplex));
        run.exact.append(list, apart & ~certified);
    }
    run.exact.append(list, found.uncertain.bits());
    const std::uint32_t enclosed = found.enclosed.bits();
    if (enclosed == 0) return;
    if (run.query() == Query::overlap || (run.query() == Query::distance && run.chunk.parameters->separation_only))
        store_none(run.chunk, list, enclosed, 0.0f);
    else
        keep_overlap(run, list, enclosed, found.seeds);
}

// --- Depth ---

// Answers the lanes whose witness points are found, and keeps the axis of the others. Cores that are apart after all go to the exact path.
template <class Pair>
ABUT_INLINE void store_witness(Run& run, const Pair& pair, const std::uint16_t* list, std::uint32_t lanes, Vec3W normal, FloatW separation,
                               const WitnessW& witness) {
    const std::uint32_t overlap = (separation <= FloatW(0.0f)).bits() & lanes;
    run.exact.append(list, lanes & ~overlap);
    // The features say how deep; the supports along the normal must agree, which those of nearly parallel edges need not.
    const MaskW agrees = abs(gap_along(pair, normal, overlap) - separation) <= FloatW(kCertificateShare) * pair.tolerance;
    const std::uint32_t found = (witness.found & agrees).bits() & overlap;
    if (found != 0) run.store(pair, list, found, witness.answer, witness.feature);
    const std::uint32_t left = overlap & ~found;
    if (left == 0) return;
    const LaneArray<float> axis[4] = {lanes_of(normal.x), lanes_of(normal.y), lanes_of(normal.z), lanes_of(separation)};
    std::uint32_t at = run.pull.count;
    for_each_lane(left, [&](int lane) {
        for (int k = 0; k < 4; ++k) run.axis[k][at] = axis[k][lane];
        ++at;
    });
    run.pull.append(list, left);
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
        if (found != 0) run.store(pair, list, found, witness.answer, witness.feature);
        run.exact.append(list, lanes & ~found);
    });
}

// --- Boxes: separating axes first ---

ABUT_INLINE void classify_boxes(Run& run, const PairW<ExtentCore, ExtentCore>& pair, const std::uint16_t* list, std::uint32_t lanes) {
    if (run.query() == Query::overlap) {
        const MaskW sharp = pair.radius == FloatW(0.0f), apart = boxes_apart(pair);
        const std::uint32_t decided = (sharp | ~apart).bits() & lanes;
        store_hits(run.chunk, list, decided, ~apart);
        run.apart.append(list, lanes & ~decided);
        return;
    }
    const BoxAxisW axis = box_sat(pair);
    const FloatW bound = (axis.separation - pair.radius) * pair.frame.metres;
    const FloatW reach = run.query() == Query::collide ? margin_of(run.chunk, list, lanes) : FloatW(run.chunk.parameters->reach);
    const MaskW apart = axis.separation > FloatW(0.0f);
    const std::uint32_t beyond = (apart & (bound > reach + pair.tolerance * pair.frame.metres)).bits() & lanes;
    if (beyond != 0) store_none(run.chunk, list, beyond, kInfinity);
    lanes &= ~beyond;
    run.apart.append(list, apart.bits() & lanes);
    lanes &= ~apart.bits();
    if (lanes == 0) return;
    if (run.query() == Query::distance && run.chunk.parameters->separation_only) {
        store_none(run.chunk, list, lanes, 0.0f);
        return;
    }
    store_witness(run, pair, list, lanes, axis.normal, axis.separation, box_witness(pair, axis));
}

void run_boxes(Run& run) {
    for_each_group<ExtentCore, ExtentCore>(run.chunk, all_of(run.chunk), [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
        classify_boxes(run, pair, list, run.admit(pair, list, lanes));
    });
    for_each_group<ExtentCore, ExtentCore>(run.chunk, run.apart, [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
        separate(run, pair, list, lanes);
    });
    // Apart by separating axes, yet overlapping by GJK: they touch to within rounding.
    run.exact.append(run.overlap);
    run_pulled<ExtentCore, ExtentCore>(run);
}

// A capsule's axis seldom reaches into the box: GJK first.
void run_capsule_box(Run& run) {
    for_each_group<ExtentCore, ExtentCore>(run.chunk, all_of(run.chunk), [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
        separate(run, pair, list, run.admit(pair, list, lanes));
    });
    for_each_group<ExtentCore, ExtentCore>(run.chunk, run.overlap, [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
        const BoxAxisW axis = box_sat(pair);
        store_witness(run, pair, list, lanes, axis.normal, axis.separation, box_witness(pair, axis));
    });
    run_pulled<ExtentCore, ExtentCore>(run);
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
    for_each_group<CoreA, CoreB>(run.chunk, all_of(run.chunk), [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
        separate(run, pair, list, run.admit(pair, list, lanes));
    });
    for_each_group<CoreA, CoreB>(run.chunk, run.overlap, [&](const auto& pair, const std::uint16_t* list, std::uint32_t lanes) {
        penetrate(run, pair, list, lanes);
    });
    run_pulled<CoreA, CoreB>(run);
}

void run_kind(Run& run) {
    const ShapeKind a = run.chunk.kind_a, b = run.chunk.kind_b;
    if (b == ShapeKind::hull) {
        if (a == ShapeKind::hull) return run_hulls<HullCore, HullCore>(run);
        if (a == ShapeKind::sphere) return run_hulls<PointCore, HullCore>(run);
        return run_hulls<ExtentCore, HullCore>(run);
    }
    if (b == ShapeKind::box) {
        if (a == ShapeKind::sphere) return run_closed_form<PointCore, ExtentCore>(run, [](const auto& pair) { return sphere_box(pair); });
        if (a == ShapeKind::capsule) return run_capsule_box(run);
        return run_boxes(run);
    }
    if (b == ShapeKind::sphere) return run_closed_form<PointCore, PointCore>(run, [](const auto& pair) { return sphere_sphere(pair); });
    if (a == ShapeKind::sphere) return run_closed_form<PointCore, ExtentCore>(run, [](const auto& pair) { return sphere_capsule(pair); });
    run_closed_form<ExtentCore, ExtentCore>(run, [](const auto& pair) { return capsule_capsule(pair); });
}

}  // namespace

void run_chunk(const Chunk& chunk, ChunkCounters& counters) {
    Run run(chunk);
    if (chunk.parameters->exact_only)
        run.exact = all_of(chunk);
    else
        run_kind(run);
    run_exact_pairs(chunk, run.exact.index, run.exact.count, counters);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
