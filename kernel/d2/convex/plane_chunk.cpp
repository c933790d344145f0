// Runs a chunk of pairs in the plane, kLanes pairs at a time: load, axes, nearest points, contacts.
#include "d2/convex/plane_chunk.hpp"

#include "d2/convex/plane_kind_pairs.hpp"
#include "d2/convex/plane_writer.hpp"
#include "simd/from_baseline.hpp"

namespace abut::ABUT_ISA_NAMESPACE {
namespace {

using abut::d2::PlaneChunk;
using abut::d2::QueryParameters;

// A group's pairs on the way to their contacts. In memory, because pairs of kinds share the functions below.
struct PlaneTouchW {
    PlaneFrameW frame;
    PlaneAnswerW answer;
    AxisW axis;
    FloatW radius_a, radius_b, tolerance, reach;
    MaskW needed, certified;  // all lanes that are not needed are beyond reach or refused
};

template <int kEdges, bool kPacked>
ABUT_INLINE void write_touch(PlaneGroup& group, const PlaneTouchW& of, const PlaneAnswerW& answer, MaskW certified,
                             const abut::d2::FacingOf<FloatW>& facing) {
    const FloatW separation = answer.distance - (of.radius_a + of.radius_b);
    const MaskW open = of.needed & ~certified;
    group.list_uncertified(open.bits());
    group.write_contacts<kEdges, kPacked>(
        of.frame, certified, open, answer.normal,
        abut::d2::make_contacts<FloatW>(answer, facing, of.radius_a, of.radius_b, separation, of.tolerance, kEdges),
        of.reach);
}

// The contacts of lanes that the axis answers: cores that overlap, or are apart but for two corners that are nearest. If
// there are others, it writes nothing and returns false. Edges need normals only if some lane has a radius.
template <int kEdges, bool kPacked>
ABUT_NOINLINE bool touch_by_axis(PlaneGroup& group, PlaneTouchW& of) {
    PlaneAnswerW answer = of.answer;
    auto facing = core_facing<FloatW>(answer, of.axis.normal);
    const MaskW certified = of.needed & find_deepest<FloatW>(of.axis, facing, of.tolerance, answer);
    if (any(lanes_left(of.axis, of.tolerance, of.needed, certified))) {
        answer.is_slack = answer.is_slack & certified;
        of.answer = answer, of.certified = certified;
        return false;
    }
    if (any(of.radius_a + of.radius_b > FloatW(0.0f))) facing = swept_facing<FloatW>(answer, of.radius_a, of.radius_b);
    write_touch<kEdges, kPacked>(group, of, answer, certified, facing);
    return true;
}
template <int kEdges, bool kPacked>
ABUT_NOINLINE void touch_swept(PlaneGroup& group, const PlaneTouchW& of) {
    write_touch<kEdges, kPacked>(group, of, of.answer, of.certified,
                                 swept_facing<FloatW>(of.answer, of.radius_a, of.radius_b));
}

template <class A, class B>
ABUT_INLINE void touch_group(PlaneGroup& group, const A& a, const B& b, const PlanePairW& pair, const AxisW& axis,
                             MaskW needed, FloatW reach) {
    constexpr int kEdges = A::kHasEdges + B::kHasEdges;
    const bool is_packed = group.chunk.packed != nullptr;
    PlaneTouchW touch;
    touch.frame = pair, touch.axis = axis, touch.tolerance = pair.tolerance, touch.reach = reach;
    touch.radius_a = pair.radius_a, touch.radius_b = pair.radius_b, touch.needed = touch.certified = needed;
    if constexpr (kEdges == 0) {
        answer_cores(a, b, pair, axis, needed, touch.answer);
        if (is_packed) return write_touch<kEdges, true>(group, touch, touch.answer, needed, {});
        return write_touch<kEdges, false>(group, touch, touch.answer, needed, {});
    } else {
        find_edges(a, b, pair, axis, touch.answer);
        if (any(pair.radius_a + pair.radius_b > FloatW(0.0f))) find_normals(a, b, axis, touch.answer);
        const bool is_done =
            is_packed ? touch_by_axis<kEdges, true>(group, touch) : touch_by_axis<kEdges, false>(group, touch);
        if (is_done) return;
        const MaskW left = lanes_left(axis, pair.tolerance, needed, touch.certified);
        touch.certified |= answer_left(a, b, pair, axis, left, touch.answer);
        if (is_packed) return touch_swept<kEdges, true>(group, touch);
        touch_swept<kEdges, false>(group, touch);
    }
}

struct PlaneDistanceW {
    FloatW distance;
    Vec2W normal, point_a, point_b;

    ABUT_INLINE PlaneDistanceW(const PlaneAnswerW& answer, const PlanePairW& pair)
        : distance(answer.distance - (pair.radius_a + pair.radius_b)),
          normal(answer.normal),
          point_a(answer.point_a + pair.radius_a * normal),
          point_b(answer.point_b - pair.radius_b * normal) {}
};
ABUT_NOINLINE void write_distance_group(const PlaneGroup& group, const PlaneFrameW& frame, const PlaneDistanceW& answer,
                                        FloatW reach) {
    const FloatW zero = 0.0f, distance = answer.distance;
    const MaskW beyond = distance > reach, overlapping = distance <= zero;
    const bool leaves_depth_out = group.chunk.parameters->separation_only;
    const FloatW reported = leaves_depth_out ? max(distance, zero) : distance;
    group.write_distances(frame, select(beyond, FloatW(HUGE_VALF), reported), answer.normal, answer.point_a,
                          answer.point_b, leaves_depth_out ? beyond | overlapping : beyond);
}

// Two cores swept by circles.
template <class A, class B>
ABUT_INLINE void answer_group(PlaneGroup& group) {
    const PlaneChunk& chunk = group.chunk;
    const QueryParameters& asked = *chunk.parameters;
    PlaneBodyW body_a, body_b;
    MaskW good = body_a.load(chunk.pairs->a + group.first, chunk.records_a);
    good &= body_b.load(chunk.pairs->b + group.first, chunk.records_b);
    // Not const: gcc 12 keeps constant structs in memory.
    PlanePairW pair(body_a, body_b, good);
    A a(body_a.records);
    auto b = B(body_b.records).rotated_by(pair.rotation);
    const bool is_collide = asked.query == Query::collide, is_overlap = asked.query == Query::overlap;
    const FloatW slack = min(FloatW(asked.contact_slack), FloatW(0.004f) * pair.smaller);
    AxisW axis = best_axis(a, b, pair.offset, is_collide ? slack : FloatW(0.0f));
    group.refuse(~pair.good.bits());
    const FloatW reach = group.reach(), radius = pair.radius_a + pair.radius_b;
    // Cores farther apart along an axis than the reach have no hit and no contact; cores that overlap have a hit. (Two
    // points have no axis.)
    MaskW hit = A::kHasEdges || B::kHasEdges ? pair.good & (axis.separation < -pair.tolerance) : MaskW();
    MaskW needed = pair.good;
    if (asked.query != Query::distance) needed &= ~(axis.separation > reach + radius + pair.tolerance);
    if (is_overlap) needed &= ~hit;
    if (any(needed)) {
        if (is_collide) return touch_group(group, a, b, pair, axis, needed, reach);
        PlaneAnswerW answer;
        const MaskW certified = answer_cores(a, b, pair, axis, needed, answer);
        group.list_uncertified((needed & ~certified).bits());
        if (asked.query == Query::distance) return write_distance_group(group, pair, {answer, pair}, reach);
        hit |= certified & (answer.distance <= radius);
    }
    if (is_overlap) group.write_bytes(IntW(0) - words_of(hit), chunk.out->hit);
}

struct AnswerPairs {
    template <class A, class B>
    static std::uint32_t run(const PlaneChunk& chunk) {
        PlaneGroup group(chunk);
        for (std::uint32_t first = 0; first < chunk.count; first += kLanes) {
            group.go_to(first);
            answer_group<A, B>(group);
        }
        return group.uncertified;
    }
};

}  // namespace

std::uint32_t run_plane_chunk(const PlaneChunk& chunk) {
    return run_kinds<AnswerPairs>(chunk.kind_a, chunk.kind_b, chunk);
}

constexpr PlaneKernels kPlaneKernels = {FromBaseline<run_plane_chunk>::call};

}  // namespace abut::ABUT_ISA_NAMESPACE
