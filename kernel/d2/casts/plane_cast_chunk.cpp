// Casts of convex bodies that do not rotate, kLanes pairs at a time: conservative advancement [Mirtich 1996] along the
// normal of the distance. It is exact for two edges, and converges for corners and circles as Newton's method does.
#include "d2/casts/plane_cast_chunk.hpp"

#include "d2/convex/plane_answer.hpp"
#include "d2/convex/plane_kind_pairs.hpp"
#include "simd/from_baseline.hpp"

namespace abut::ABUT_ISA_NAMESPACE {
namespace {

using abut::d2::PlaneCastAnswers;
using abut::d2::PlaneCastChunk;

constexpr int kMostRounds = 16;

// The poses at time 1 of bodies that do not rotate.
struct PlaneEndW {
    MaskW is_moved;  // the body moves without rotation
    DVec2W way;
};
ABUT_INLINE PlaneEndW end_of(const PlaneBodyW& body, const abut::d2::Body* const* ends) {
    FloatW end[4];
    transpose_records4(ends, end);
    const FloatW zero = 0.0f, most = abut::d2::kMostMetres;
    return {(end[2] + zero == body.given.c) & (end[3] + zero == body.given.s) & (abs(end[0]) <= most) &
                (abs(end[1]) <= most),
            {widen(end[0]) - widen(body.position.x), widen(end[1]) - widen(body.position.y)}};
}

// B's centre relative to A's, in A's axes, as a function of time.
struct PlaneMotionW {
    DVec2W offset, motion;
    ABUT_INLINE Vec2W at(const DoubleW& time) const {
        return {narrow(offset.x + time * motion.x), narrow(offset.y + time * motion.y)};
    }
};

// The results of a group of casts.
struct PlaneCastsW {
    MaskW hit, known;
    DoubleW time = 0.0;
    FloatW distance = 0.0f;
    Vec2W normal = {distance, distance}, point_a = normal, point_b = normal;  // of the cores

    ABUT_INLINE void keep(MaskW which, const PlaneAnswerW& answer) {
        hit |= which, known |= which;
        distance = select(which, answer.distance, distance), normal = select(which, answer.normal, normal);
        point_a = select(which, answer.point_a, point_a), point_b = select(which, answer.point_b, point_b);
    }
};

template <class A, class B>
ABUT_INLINE PlaneCastsW advance(const PlaneCastChunk& chunk, std::uint32_t first, const A& a, const B& b,
                                const PlaneMotionW& motion, PlanePairW& pair, MaskW alive) {
    const FloatW target = FloatW::load_unaligned(chunk.target + first), radius = pair.radius_a + pair.radius_b,
                 latest = FloatW::load_unaligned(chunk.latest + first), zero = 0.0f,
                 tolerance = FloatW(chunk.tolerance) * pair.smaller;
    const Vec2W velocity = {narrow(motion.motion.x), narrow(motion.motion.y)};
    // A closing speed errs by less than this.
    const FloatW noise = FloatW(4e-7f) * (abs(velocity.x) + abs(velocity.y));
    PlaneCastsW out;
    for (int round = 0; round < kMostRounds && any(alive); ++round) {
        pair.place(motion.at(out.time));
        const AxisW axis = best_axis(a, b, pair.offset, zero);
        PlaneAnswerW answer;
        alive &= answer_cores(a, b, pair, axis, alive, answer);
        const FloatW gap = answer.distance - radius;
        const MaskW near = alive & (gap <= target + tolerance - pair.tolerance);
        // The exact path decides whether bodies that touch at the start have a hit, unless the bodies stop and are
        // within the target, not only within the tolerance.
        const MaskW certain = near & (pair.tolerance <= FloatW(0.2f) * tolerance);
        if (round > 0)
            out.keep(certain, answer);
        else if (chunk.stops)
            out.keep(certain & (gap <= target), answer);
        alive &= ~near;
        const FloatW closing = noise - dot(answer.normal, velocity);
        const MaskW departs = closing <= zero;
        out.known |= alive & departs, alive &= ~departs;
        // Steps to a gap above the target, whatever the rounding. A hit is proved slightly above that gap.
        const FloatW step = (gap - pair.tolerance - target - FloatW(0.2f) * tolerance) / closing;
        alive &= step > zero;
        out.time = out.time + widen(select(alive, step, zero));
        const MaskW late = narrow(out.time - widen(latest)) > zero;
        out.known |= alive & late, alive &= ~late;
    }
    return out;
}

ABUT_NOINLINE void write_casts(PlaneCastAnswers& to, std::uint32_t first, const PlaneCastsW& found,
                               const PlanePairW& pair, const Vec2W& b_from_a) {
    const Vec2W normal = pair.a_rotation * found.normal,
                a = pair.a_rotation * (found.point_a + pair.radius_a * found.normal + pair.a_centre),
                b = pair.a_rotation * (found.point_b - pair.radius_b * found.normal + pair.a_centre);
    const LaneRecords4 normals(normal.x, normal.y, b_from_a.x, b_from_a.y), points(a.x, a.y, b.x, b.y);
    const LaneArray<float> distance = lanes_of(found.distance - (pair.radius_a + pair.radius_b));
    const LaneArray<double> time = lanes_of(found.time);
    const std::uint32_t hit = found.hit.bits(), known = found.known.bits();
    for (int lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t i = first + static_cast<std::uint32_t>(lane);
        to.is_known[i] = (known >> lane & 1) != 0, to.is_hit[i] = (hit >> lane & 1) != 0;
        to.time[i] = time[lane], to.distance[i] = distance[lane];
        const auto put = [](abut::d2::Vec2& column, const float* from) {
            std::memcpy(static_cast<void*>(&column), from, sizeof column);
        };
        put(to.normal[i], normals[lane]), put(to.b_from_a[i], normals[lane] + 2);
        put(to.point_a[i], points[lane]), put(to.point_b[i], points[lane] + 2);
    }
}

struct CastPairs {
    template <class A, class B>
    static void run(const PlaneCastChunk& chunk) {
        for (std::uint32_t first = 0; first < chunk.count; first += kLanes) {
            PlaneBodyW body_a, body_b;
            const MaskW good = body_a.load(chunk.starts_a + first, chunk.records_a) &
                               body_b.load(chunk.starts_b + first, chunk.records_b);
            const PlaneEndW end_a = end_of(body_a, chunk.ends_a + first), end_b = end_of(body_b, chunk.ends_b + first);
            const DVec2W way = {end_b.way.x - end_a.way.x, end_b.way.y - end_a.way.y};
            PlanePairW pair(body_a, body_b, good);
            const A a(body_a.records);
            const auto b = B(body_b.records).rotated_by(pair.rotation);
            const PlaneMotionW motion = {far_offset(body_a, body_b), unrotated(widen_unit(body_a.given), way)};
            const PlaneCastsW found = advance(chunk, first, a, b, motion, pair, good & end_a.is_moved & end_b.is_moved);
            write_casts(*chunk.answers, first, found, pair,
                        {narrow(widen(body_b.position.x) - widen(body_a.position.x) + found.time * way.x),
                         narrow(widen(body_b.position.y) - widen(body_a.position.y) + found.time * way.y)});
        }
    }
};

}  // namespace

void run_plane_casts(const PlaneCastChunk& chunk) { run_kinds<CastPairs>(chunk.kind_a, chunk.kind_b, chunk); }

constexpr PlaneCastKernels kPlaneCastKernels = {FromBaseline<run_plane_casts>::call};

}  // namespace abut::ABUT_ISA_NAMESPACE
