// Closed forms: spheres and capsules with each other, a sphere and a box.
#include "convex/chunk/begin.hpp"
#include "convex/chunk/families.hpp"
#include "convex/chunk/final_states.hpp"
#include "convex/separation/round_pairs.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

// The feature of B, a capsule's axis or a box, that is nearest to A's centre.
ABUT_INLINE IntW nearest_region(const SphereExtentPairW& pair) {
    return region_name(rotate_back(pair.rotation, -pair.offset), pair.b.extent);
}
ABUT_INLINE IntW nearest_region(const SpherePairW&) { return IntW(0); }
// Two capsules seldom touch at an end. If they do, the end is that of their common segment.
ABUT_INLINE IntW nearest_region(const CapsulePairW&) { return IntW(kBestFace << 16 | kBestFace); }

// The squared distance of a point from a segment of half length `half` along Y.
ABUT_INLINE FloatW distance_squared_to_axis(Vec3W point, FloatW half) {
    const FloatW beyond = max(abs(point.y) - half, FloatW(0.0f));
    return point.x * point.x + beyond * beyond + point.z * point.z;
}

// Checks long axes that nearly touch: if the normal is not perpendicular to both axes, the distance is not the least,
// and the points are wrong. Tests the gap along the normal, and whether the points are on the axes.
ABUT_INLINE MaskW is_certified(const CapsulePairW& pair, const AnswerW& answer) {
    const FloatW share = FloatW(kCertificateShare) * pair.tolerance, allowed = share * share;
    const FloatW distance = answer.signed_distance + pair.radius,
                 along = (distance + pair.radius_a - pair.radius_b) * FloatW(0.5f);
    const Vec3W on_a = answer.midpoint - answer.normal * along, on_b = on_a + answer.normal * distance;
    return (gap_along(pair, answer.normal, kAllLanes) >= distance - share) &
           (distance_squared_to_axis(on_a, pair.a.extent.y) <= allowed) &
           (distance_squared_to_axis(rotate_back(pair.rotation, on_b - pair.offset), pair.b.extent.y) <= allowed);
}
template <class CoreB>
ABUT_INLINE MaskW is_certified(const PairW<PointCore, CoreB>&, const AnswerW&) {
    return MaskW::from_bits(kAllLanes);
}

template <class CoreA, class CoreB>
using ClosedForm = AnswerW (*)(const PairW<CoreA, CoreB>&);

// The closed-form answers of a group. Uncertified lanes go to the exact path.
struct ClosedAnswerW {
    AnswerW answer;
    std::uint32_t lanes;
};
template <class CoreA, class CoreB, ClosedForm<CoreA, CoreB> kForm>
ABUT_INLINE ClosedAnswerW answer_closed(Run& run, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list,
                                        std::uint32_t group) {
    const std::uint32_t lanes = run.admit(pair, list, group);
    const AnswerW answer = kForm(pair);
    const std::uint32_t certified = is_certified(pair, answer).bits() & lanes;
    run.exact.append(list, lanes & ~certified);
    return {answer, certified};
}

// A step for one query, inlined, so that unused parts of a pair are not computed.
template <class CoreA, class CoreB, ClosedForm<CoreA, CoreB> kForm>
struct HitClosed {
    Run& run;

    ABUT_INLINE void operator()(const PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t group,
                                NoPayloadW) const {
        const ClosedAnswerW found = answer_closed<CoreA, CoreB, kForm>(run, pair, list, group);
        run.writer.write_hits_of(pair, list, found.lanes, found.answer.signed_distance);
    }
};
template <class CoreA, class CoreB, ClosedForm<CoreA, CoreB> kForm>
struct DistanceClosed {
    Run& run;

    ABUT_INLINE void operator()(const PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t group,
                                NoPayloadW) const {
        const ClosedAnswerW found = answer_closed<CoreA, CoreB, kForm>(run, pair, list, group);
        run.writer.write_distances_of(pair, list, found.lanes, found.answer);
    }
};
template <class CoreA, class CoreB, ClosedForm<CoreA, CoreB> kForm>
struct ContactClosed {
    Run& run;

    ABUT_INLINE void operator()(const PairW<CoreA, CoreB>& pair, const std::uint16_t* list, std::uint32_t group,
                                NoPayloadW) const {
        const ClosedAnswerW found = answer_closed<CoreA, CoreB, kForm>(run, pair, list, group);
        run.answer(pair, list, found.lanes, found.answer, [&] { return nearest_region(pair); });
    }
};

template <class CoreA, class CoreB, ClosedForm<CoreA, CoreB> kForm>
void run_closed(Run& run) {
    run.begin_all(run.direct);
    run_states(run, [&](State state) {
        if (state != State::direct) return run_final_states<CoreA, CoreB>(run, state);
        if (run.writer.needs_hits())
            return for_each_group<CoreA, CoreB, Load::inlined>(run.chunk, run.direct,
                                                               HitClosed<CoreA, CoreB, kForm>{run});
        if (run.writer.needs_contacts())
            return for_each_group<CoreA, CoreB>(run.chunk, run.direct, ContactClosed<CoreA, CoreB, kForm>{run});
        for_each_group<CoreA, CoreB>(run.chunk, run.direct, DistanceClosed<CoreA, CoreB, kForm>{run});
    });
}

}  // namespace

void run_round(Run& run) {
    const ShapeKind a = run.chunk.kind_a, b = run.chunk.kind_b;
    if (b == ShapeKind::sphere) return run_closed<PointCore, PointCore, sphere_sphere>(run);
    if (b == ShapeKind::box) return run_closed<PointCore, ExtentCore, sphere_box>(run);
    if (a == ShapeKind::sphere) return run_closed<PointCore, ExtentCore, sphere_capsule>(run);
    run_closed<ExtentCore, ExtentCore, capsule_capsule>(run);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
