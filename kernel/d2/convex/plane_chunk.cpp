// Runs a chunk of pairs in the plane, kLanes pairs at a time: load, axes, nearest points, contacts.
#include "d2/convex/plane_chunk.hpp"

#include "d2/convex/plane_kind_pairs.hpp"
#include "d2/convex/plane_writer.hpp"
#include "simd/from_baseline.hpp"

namespace abut::ABUT_ISA_NAMESPACE {
namespace {

using abut::d2::PlaneChunk;
using abut::d2::QueryParameters;

// What a group's answers become. `certified`: all lanes that are not are beyond reach, refused or listed.
template <int kEdges>
ABUT_INLINE void write_contact_group(const PlaneGroup& group, const PlanePairW& pair, const PlaneAnswerW& answer,
                                     MaskW certified, FloatW reach) {
    const FloatW separation = answer.distance - (pair.radius_a + pair.radius_b);
    group.write_contacts<kEdges>(
        pair, certified, answer.normal,
        abut::d2::make_contacts<FloatW>(answer, pair.radius_a, pair.radius_b, separation, pair.tolerance, kEdges),
        reach);
}

// In memory and out of line, because many pairs of kinds share them.
template <int kEdges>
ABUT_NOINLINE void write_shared_contacts(const PlaneGroup& group, const PlanePairW& pair, const PlaneAnswerW& answer,
                                         MaskW certified, FloatW reach) {
    write_contact_group<kEdges>(group, pair, answer, certified, reach);
}

ABUT_NOINLINE void write_distance_group(const PlaneGroup& group, const PlanePairW& pair, const PlaneAnswerW& answer,
                                        FloatW reach) {
    const FloatW zero = 0.0f, distance = answer.distance - (pair.radius_a + pair.radius_b);
    const MaskW beyond = distance > reach, overlapping = distance <= zero;
    const bool leaves_depth_out = group.chunk.parameters->separation_only;
    const FloatW reported = leaves_depth_out ? max(distance, zero) : distance;
    group.write_distances(pair, select(beyond, FloatW(HUGE_VALF), reported), answer.normal,
                          answer.point_a + pair.radius_a * answer.normal,
                          answer.point_b - pair.radius_b * answer.normal,
                          leaves_depth_out ? beyond | overlapping : beyond);
}

// Two cores swept by circles.
template <class A, class B>
ABUT_INLINE void answer_group(PlaneGroup& group) {
    const PlaneChunk& chunk = group.chunk;
    const QueryParameters& asked = *chunk.parameters;
    PlaneBodyW body_a, body_b;
    MaskW good = body_a.load(chunk.pairs->a + group.first, chunk.records_a);
    good &= body_b.load(chunk.pairs->b + group.first, chunk.records_b);
    const PlanePairW pair(body_a, body_b, good);
    const A a(body_a.records);
    const auto b = B(body_b.records).rotated_by(pair.rotation);
    const bool is_collide = asked.query == Query::collide, is_overlap = asked.query == Query::overlap;
    const FloatW slack = min(FloatW(asked.contact_slack), FloatW(0.004f) * pair.smaller);
    const AxisW axis = best_axis(a, b, pair.offset, is_collide ? slack : FloatW(0.0f));
    group.refuse(~pair.good.bits());
    const FloatW reach = group.reach(), radius = pair.radius_a + pair.radius_b;
    // Cores farther apart along an axis than the reach have no hit and no contact; cores that overlap have a hit. (Two
    // points have no axis.)
    MaskW hit = A::kHasEdges || B::kHasEdges ? pair.good & (axis.separation < -pair.tolerance) : MaskW();
    MaskW needed = pair.good;
    if (asked.query != Query::distance) needed &= ~(axis.separation > reach + radius + pair.tolerance);
    if (is_overlap) needed &= ~hit;
    PlaneAnswerW answer;
    if (any(needed)) {
        const MaskW certified = answer_cores(a, b, pair, axis, needed, is_collide, answer);
        group.list_uncertified((needed & ~certified).bits());
        if (asked.query == Query::distance) return write_distance_group(group, pair, answer, reach);
        constexpr int kEdges = A::kHasEdges + B::kHasEdges;
        if constexpr (kEdges == 0) {
            if (is_collide) return write_contact_group<kEdges>(group, pair, answer, certified, reach);
        } else {
            if (is_collide) return write_shared_contacts<kEdges>(group, pair, answer, certified, reach);
        }
        hit |= certified & (answer.distance <= radius);
    }
    if (is_overlap) group.write_bytes(IntW(0) - words_of(hit), chunk.out->hit);
}

struct AnswerPairs {
    template <class A, class B>
    static std::uint32_t run(const PlaneChunk& chunk) {
        std::uint32_t uncertified = 0;
        for (std::uint32_t first = 0; first < chunk.count; first += kLanes) {
            PlaneGroup group(chunk, first, uncertified);
            answer_group<A, B>(group);
            uncertified = group.uncertified;
        }
        return uncertified;
    }
};

}  // namespace

std::uint32_t run_plane_chunk(const PlaneChunk& chunk) {
    return run_kinds<AnswerPairs>(chunk.kind_a, chunk.kind_b, chunk);
}

constexpr PlaneKernels kPlaneKernels = {FromBaseline<run_plane_chunk>::call};

}  // namespace abut::ABUT_ISA_NAMESPACE
