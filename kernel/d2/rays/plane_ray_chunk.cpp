// Rays in the plane, one per lane, in double: the formulas of body_ray_2d.cpp.
#include "d2/rays/plane_ray_chunk.hpp"

#include "d2/convex/plane_pairs.hpp"
#include "simd/from_baseline.hpp"

namespace abut::ABUT_ISA_NAMESPACE {
namespace {

using abut::d2::PlaneRayAnswers;
using abut::d2::PlaneRayChunk;
using abut::d2::ShapeKind;

ABUT_INLINE DVec2W widen(const Vec2W& v) { return {widen(v.x), widen(v.y)}; }
ABUT_INLINE DVec2W operator-(const DVec2W& a, const DVec2W& b) { return {a.x - b.x, a.y - b.y}; }
ABUT_INLINE DoubleW dot(const DVec2W& a, const DVec2W& b) { return a.x * b.x + a.y * b.y; }
ABUT_INLINE DVec2W select(DoubleMaskW m, const DVec2W& yes, const DVec2W& no) {
    return {select(m, yes.x, no.x), select(m, yes.y, no.y)};
}

// The corners and edges of a core; edge i is from corner i to the next one.
template <int kEdges, int kCorners>
struct OutlineW {
    Vec2W corner[kCorners], normal[kEdges == 0 ? 1 : kEdges];
    FloatW offset[kEdges == 0 ? 1 : kEdges];
    FloatW thick = 1.0f;  // 0 for a polygon of fewer than three corners, which has no inside
};
ABUT_INLINE OutlineW<0, 1> outline_of(const PointCoreW&) {
    OutlineW<0, 1> out;
    out.corner[0] = {FloatW(0.0f), FloatW(0.0f)};
    return out;
}
ABUT_INLINE OutlineW<2, 2> outline_of(const SegmentCoreW& core) {
    OutlineW<2, 2> out;
    out.corner[0] = -core.half, out.corner[1] = core.half;
    out.normal[0] = core.normal, out.normal[1] = -core.normal;
    out.offset[0] = out.offset[1] = 0.0f;
    return out;
}
ABUT_INLINE OutlineW<4, 4> outline_of(const BoxCoreW<false>& core) {
    OutlineW<4, 4> out;
    const FloatW x = core.half_x, y = core.half_y, one = 1.0f, zero = 0.0f;
    out.corner[0] = {-x, -y}, out.corner[1] = {x, -y}, out.corner[2] = {x, y}, out.corner[3] = {-x, y};
    out.normal[0] = {zero, -one}, out.normal[1] = {one, zero}, out.normal[2] = {zero, one},
    out.normal[3] = {-one, zero};
    out.offset[0] = out.offset[2] = y, out.offset[1] = out.offset[3] = x;
    return out;
}
template <int N>
ABUT_INLINE OutlineW<N, N> outline_of(const PolygonCoreW<N, false>& core) {
    OutlineW<N, N> out;
    for (int i = 0; i < N; ++i) {
        out.corner[i] = {core.x[i], core.y[i]}, out.normal[i] = {core.normal_x[i], core.normal_y[i]};
        out.offset[i] = core.offset[i];
    }
    out.thick = select(core.offset[2] == FloatW(abut::d2::kNoEdge), FloatW(0.0f), FloatW(1.0f));
    return out;
}

// A ray in the axes of a core, relative to its centre; the direction is unit.
struct PlaneRayW {
    DVec2W origin, direction;
};
struct PlaneHitW {
    DoubleW at = HUGE_VAL;
    DVec2W normal = {0.0, 0.0};
    DoubleMaskW inside = {};

    ABUT_INLINE void offer(DoubleMaskW is_met, const DoubleW& place, const DVec2W& along) {
        const DoubleMaskW better = is_met & (place < at);
        at = select(better, place, at), normal = select(better, along, normal);
    }
};

// A core without a radius: a ray enters it by the last edge whose line it enters, before it leaves by the first [Cyrus
// and Beck 1978].
template <int N>
requires(N > 2) ABUT_INLINE PlaneHitW clip_ray(const OutlineW<N, N>& core, const PlaneRayW& ray, const DoubleW& size) {
    const DoubleW zero = 0.0, slack = DoubleW(1e-12) * size;
    PlaneHitW out;
    DoubleW enter = -HUGE_VAL, leave = HUGE_VAL, highest = -HUGE_VAL;
    for (int i = 0; i < N; ++i) {
        const DVec2W normal = widen(core.normal[i]);
        const DoubleW speed = dot(normal, ray.direction), height = dot(normal, ray.origin) - widen(core.offset[i]);
        const DoubleW at = -height / speed;
        const DoubleMaskW enters = speed < zero, later = enters & (enter < at);
        enter = select(later, at, enter), out.normal = select(later, normal, out.normal);
        leave = select(zero < speed, min(at, leave), leave);
        // A ray along the edge never leaves, or always.
        leave = select((speed == zero) & (zero < height), DoubleW(-HUGE_VAL), leave);
        highest = max(highest, height);
    }
    out.inside = ~(zero < highest);
    out.at = select(~(leave + slack < enter) & ~(enter < zero), enter, DoubleW(HUGE_VAL));
    return out;
}

// A core swept by a circle: the ray meets the first of its edges, moved outwards, and of the circles about its corners.
template <int kEdges, int kCorners>
ABUT_INLINE PlaneHitW meet_swept(const OutlineW<kEdges, kCorners>& core, const PlaneRayW& ray, const DoubleW& radius,
                                 const DoubleW& size) {
    const DoubleW zero = 0.0, slack = DoubleW(1e-12) * size, swept = max(radius, slack);
    PlaneHitW out;
    DoubleW nearest = HUGE_VAL, highest = -HUGE_VAL;
    for (int i = 0; i < kEdges; ++i) {
        const DVec2W normal = widen(core.normal[i]), way = {-normal.y, normal.x};
        const DVec2W from = ray.origin - widen(core.corner[i]);
        const DoubleW width = dot(way, widen(core.corner[(i + 1) % kCorners]) - widen(core.corner[i]));
        const DoubleW speed = dot(normal, ray.direction), height = dot(normal, from), above = height - radius;
        const DoubleW at = -above / speed, place = dot(way, from) + at * dot(way, ray.direction);
        const DoubleMaskW is_edge = ~(zero == dot(normal, normal)), on = ~(place < -slack) & ~(width + slack < place);
        out.offer(is_edge & (speed < zero) & ~(above < zero) & on, at, normal);
        // The start of the ray: its distance from the edge, and its height.
        const DoubleW start = dot(way, from), past = start - min(max(start, zero), width);
        nearest = select(is_edge, min(nearest, height * height + past * past), nearest);
        highest = select(is_edge, max(highest, height), highest);
    }
    for (int i = 0; i < kCorners; ++i) {
        const DVec2W from = ray.origin - widen(core.corner[i]);
        const DoubleW ahead = -dot(from, ray.direction), past = from.x * ray.direction.y - from.y * ray.direction.x;
        const DoubleW under = (swept - past) * (swept + past), at = max(ahead - sqrt(max(under, zero)), zero);
        const DVec2W way = {from.x + at * ray.direction.x, from.y + at * ray.direction.y};
        const DoubleMaskW is_round = zero < radius;
        const DVec2W outward = {way.x / swept, way.y / swept}, back = {-ray.direction.x, -ray.direction.y};
        // If the ray runs along a line, it meets the line's end, whose normal is opposite to the ray.
        out.offer(~(under < zero) & ~(ahead < zero), at, select(is_round, outward, back));
        nearest = min(nearest, dot(from, from));
    }
    out.inside = ~(radius * radius < nearest);
    if constexpr (kEdges > 2) out.inside = out.inside | ((zero < widen(core.thick)) & ~(zero < highest));
    return out;
}

template <class Core>
ABUT_INLINE PlaneHitW meet_core(const Core& core, const PlaneRayW& ray, FloatW radius, FloatW size) {
    const auto outline = outline_of(core);
    if constexpr (requires { clip_ray(outline, ray, widen(size)); }) {
        PlaneHitW hit = clip_ray(outline, ray, widen(size));
        const FloatW roundness = max(radius, FloatW(1.0f) - outline.thick), zero = 0.0f;
        if (!any(roundness > zero)) return hit;
        const PlaneHitW swept = meet_swept(outline, ray, widen(radius), widen(size));
        const DoubleMaskW is_round = widen(zero) < widen(roundness);
        hit.at = select(is_round, swept.at, hit.at), hit.normal = select(is_round, swept.normal, hit.normal);
        hit.inside = (is_round & swept.inside) | (~is_round & hit.inside);
        return hit;
    } else {
        return meet_swept(outline, ray, widen(radius), widen(size));
    }
}

ABUT_INLINE DoubleW load_doubles(const double* from) {
    return {DoubleW::BatchD::load_unaligned(from), DoubleW::BatchD::load_unaligned(from + kLanes / 2)};
}
ABUT_INLINE std::uint32_t bits_of(DoubleMaskW m) {
    const DoubleW one = 1.0, zero = 0.0;
    return (narrow(select(m, one, zero)) > FloatW(0.0f)).bits();
}

// Everything except the intersection itself: which rays are valid, the axes of the bodies, the answers.
template <class Core>
void run_rays(const PlaneRayChunk& chunk) {
    PlaneRayAnswers& to = *chunk.answers;
    for (std::uint32_t first = 0; first < chunk.count; first += kLanes) {
        PlaneBodyW body;
        const DoubleW zero = 0.0, most = double(abut::d2::kMostMetres);
        DVec2W origin = {load_doubles(chunk.origin_x + first), load_doubles(chunk.origin_y + first)},
               given = {widen(FloatW::load_unaligned(chunk.direction_x + first)),
                        widen(FloatW::load_unaligned(chunk.direction_y + first))};
        const DoubleW own = sqrt(dot(given, given)), asked = widen(FloatW::load_unaligned(chunk.length + first));
        DoubleW length = select(asked == zero, own, asked);
        const DoubleMaskW is_ray = ~(most < abs(origin.x)) & ~(most < abs(origin.y)) & (zero < own) &
                                   ~(most < abs(given.x)) & ~(most < abs(given.y)) & (zero < length) & ~(most < length);
        const std::uint32_t valid = body.load(chunk.bodies + first, chunk.records).bits() & bits_of(is_ray);
        const DRotW turn = widen_unit(body.given);
        const DoubleW by = DoubleW(1.0) / own;
        const DVec2W direction = unrotated(turn, {given.x * by, given.y * by});
        const PlaneRayW ray = {unrotated(turn, origin) - widen(body.centre), direction};
        PlaneHitW hit = meet_core(Core(body.records), ray, body.radius, body.size);
        hit.at = select(hit.inside, zero, hit.at);
        const DoubleMaskW is_hit = ~(length < hit.at);
        const DoubleW reached = select(is_hit, hit.at, zero);
        const DVec2W local = {ray.origin.x + reached * direction.x + widen(body.centre.x),
                              ray.origin.y + reached * direction.y + widen(body.centre.y)};
        const DVec2W point = turn * local, normal = turn * select(hit.inside, DVec2W{zero, zero}, hit.normal);
        const LaneArray<double> fraction = lanes_of(select(is_hit, min(hit.at / length, DoubleW(1.0)), DoubleW(1.0)));
        const LaneRecords4 places(narrow(point.x), narrow(point.y), narrow(normal.x), narrow(normal.y));
        const std::uint32_t hits = bits_of(is_hit), insides = bits_of(hit.inside);
        for (int lane = 0; lane < kLanes; ++lane) {
            const std::uint32_t i = first + static_cast<std::uint32_t>(lane);
            to.is_valid[i] = (valid >> lane & 1) != 0, to.is_hit[i] = (hits >> lane & 1) != 0;
            to.is_inside[i] = (insides >> lane & 1) != 0, to.fraction[i] = fraction[lane];
            std::memcpy(static_cast<void*>(&to.point[i]), places[lane], sizeof to.point[i]);
            std::memcpy(static_cast<void*>(&to.normal[i]), places[lane] + 2, sizeof to.normal[i]);
        }
    }
}

}  // namespace

void run_plane_rays(const PlaneRayChunk& chunk) {
    switch (chunk.kind) {
        case ShapeKind::circle: return run_rays<PointCoreW>(chunk);
        case ShapeKind::capsule: return run_rays<SegmentCoreW>(chunk);
        case ShapeKind::box: return run_rays<BoxCoreW<false>>(chunk);
        case ShapeKind::polygon4: return run_rays<PolygonCoreW<4, false>>(chunk);
        default: return run_rays<PolygonCoreW<8, false>>(chunk);
    }
}

constexpr PlaneRayKernels kPlaneRayKernels = {FromBaseline<run_plane_rays>::call};

}  // namespace abut::ABUT_ISA_NAMESPACE
