// Runs a chunk of pairs in the plane, kLanes pairs at a time: load, axes, nearest points, contacts.
#include "d2/convex/plane_chunk.hpp"

#include "d2/convex/plane_writer.hpp"
#include "simd/from_baseline.hpp"

namespace abut::ABUT_ISA_NAMESPACE {
namespace {

using abut::d2::PlaneChunk;
using abut::d2::QueryParameters;

// What a group's answers become. In memory and out of line: all pairs of kinds share it.
ABUT_NOINLINE void write_group(PlaneGroup& group, const PlanePairW& pair, const PlaneAnswerW& answer, MaskW needed,
                               FloatW reach, bool has_edges) {
    const QueryParameters& asked = *group.chunk.parameters;
    const FloatW zero = 0.0f, distance = answer.distance - (pair.a.radius + pair.b.radius);
    const std::uint32_t wanted = needed.bits(), certified = wanted & answer.certified.bits();
    group.list_uncertified(wanted & ~certified);
    if (asked.query == Query::overlap) return group.write_hits(certified, (distance <= zero).bits());
    if (asked.query == Query::collide) {
        const auto contacts =
            abut::d2::make_contacts<FloatW>(answer, pair.a.radius, pair.b.radius, distance, pair.tolerance, has_edges);
        return group.write_contacts(pair, certified, answer.normal, contacts, reach);
    }
    const MaskW beyond = distance > reach, overlapping = distance <= zero;
    const bool leaves_depth_out = asked.separation_only;
    const FloatW reported = leaves_depth_out ? max(distance, zero) : distance;
    group.write_distances(pair, certified, select(beyond, FloatW(HUGE_VALF), reported), answer.normal,
                          answer.point_a + pair.a.radius * answer.normal,
                          answer.point_b - pair.b.radius * answer.normal,
                          leaves_depth_out ? beyond | overlapping : beyond);
}

// Two cores swept by circles.
template <class A, class B>
ABUT_INLINE void answer_group(PlaneGroup& group) {
    const PlaneChunk& chunk = group.chunk;
    const QueryParameters& asked = *chunk.parameters;
    const PlanePairW pair(chunk, group.first);
    const A a(pair.a.rows);
    const auto b = B(pair.b.rows).rotated_by(pair.rotation);
    const FloatW slack = min(FloatW(asked.contact_slack), FloatW(0.004f) * min(pair.a.size, pair.b.size));
    const AxisW axis = best_axis(a, b, pair.offset, asked.query == Query::collide ? slack : FloatW(0.0f));
    const std::uint32_t good = pair.good.bits();
    group.refuse(~good);
    const FloatW reach = group.reach();
    MaskW needed = pair.good;
    if (asked.query != Query::distance) {
        // Cores farther apart along an axis than the reach have no hit and no contact; cores that overlap have a hit.
        const MaskW far = axis.separation > reach + pair.a.radius + pair.b.radius + pair.tolerance;
        // (Two points have no axis.)
        const MaskW hit = A::kHasEdges || B::kHasEdges ? axis.separation < -pair.tolerance : MaskW();
        const bool is_overlap = asked.query == Query::overlap;
        const MaskW known = is_overlap ? far | hit : far;
        std::uint8_t* const out = is_overlap ? chunk.out->hit : chunk.out->contact_count;
        const std::uint32_t hits = is_overlap ? hit.bits() : 0;
        group.each(good & known.bits(),
                   [&](int lane, std::uint32_t i, bool) { out[i] = static_cast<std::uint8_t>(hits >> lane & 1); });
        needed = pair.good & ~known;
        if ((needed.bits() & group.lanes) == 0) return;
    }
    const PlaneAnswerW answer = answer_cores(a, b, pair, axis);
    write_group(group, pair, answer, needed, reach, A::kHasEdges && B::kHasEdges);
}

template <class A, class B>
std::uint32_t run_pairs(const PlaneChunk& chunk) {
    std::uint32_t uncertified = 0;
    for (std::uint32_t first = 0; first < chunk.count; first += kLanes) {
        PlaneGroup group = {chunk, first, lane_bits(chunk.count - first), uncertified};
        answer_group<A, B>(group);
        uncertified = group.uncertified;
    }
    return uncertified;
}

// The kinds are in canonical order: `next` and later ones can be B.
template <class A, class B, class... Next>
std::uint32_t run_with(const PlaneChunk& chunk, std::uint32_t next) {
    if constexpr (sizeof...(Next) == 0) {
        return run_pairs<A, B>(chunk);
    } else {
        if (std::uint32_t(chunk.kind_b) == next) return run_pairs<A, B>(chunk);
        return run_with<A, Next...>(chunk, next + 1);
    }
}
template <class A, class... Next>
std::uint32_t run_from(const PlaneChunk& chunk, std::uint32_t next) {
    if constexpr (sizeof...(Next) != 0)
        if (std::uint32_t(chunk.kind_a) != next) return run_from<Next...>(chunk, next + 1);
    return run_with<A, A, Next...>(chunk, next);
}

}  // namespace

std::uint32_t run_plane_chunk(const PlaneChunk& chunk) {
    return run_from<PointCoreW, SegmentCoreW, BoxCoreW<false>, PolygonCoreW<4>, PolygonCoreW<8>>(chunk, 0);
}

constexpr PlaneKernels kPlaneKernels = {FromBaseline<run_plane_chunk>::call};

}  // namespace abut::ABUT_ISA_NAMESPACE
