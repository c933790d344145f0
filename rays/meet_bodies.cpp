// Rays and bodies of one kind, one pair per lane: closed forms in double; hulls one after the other, a plane per lane; other shapes by RayChunk::meet_one.
#include "rays/hull_planes.hpp"
#include "rays/ray_lanes.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void meet_bodies(const RayChunk& chunk);
PlanesSpan meet_planes(const HullGeometry& hull, const double* origin, const double* direction);

namespace {

using MetW = Met<LaneRays>;
using RayW = LaneRays::Ray;

struct RecordsW {
    DVec3W extents = {0.0, 0.0, 0.0};
    DoubleW radius = 0.0, rounding = 0.0, bound_radius = 0.0, offset = 0.0;  // offset: of a half-space
};
ABUT_INLINE RecordsW load_records(const PairRows& rows) {
    FloatW a[4], b[4];
    transpose_records4(rows.record, a);
    transpose_records4(rows.record, b, 4);
    const DoubleW last = widen(b[3]);
    return {widen(Vec3W{a[0], a[1], a[2]}), widen(a[3]), widen(b[2]), last, widen(b[1]) + last};
}

struct HitW {
    MetW met = {HUGE_VAL, {0.0, 0.0, 0.0}, DoubleW(1.0) < DoubleW(0.0)};
    std::uint32_t one_by_one = 0;  // lanes that no closed form answers
    LaneArray<std::int32_t> child, status;
};

ABUT_INLINE const HullGeometry& hull_of(const RayChunk& chunk, const PairRows& rows, int lane) { return chunk.hulls[rows.record[lane]->geometry]; }

ABUT_INLINE DVec3W hull_centres(const RayChunk& chunk, const PairRows& rows) {
    LaneArray<float> x, y, z;
    for (int lane = 0; lane < kLanes; ++lane) {
        const Vec3& centre = hull_of(chunk, rows, lane).centre;
        x[lane] = centre.x, y[lane] = centre.y, z[lane] = centre.z;
    }
    return widen(Vec3W{load(x), load(y), load(z)});
}

// Solid hulls without rounding, of the lanes of `wanted`. The ray is about their centres.
ABUT_NOINLINE MetW meet_hulls(const RayChunk& chunk, const PairRows& rows, std::uint32_t wanted, const RayW& ray, const DVec3W& scale) {
    const LaneArray<double> ox = lanes_of(ray.origin.x / scale.x), oy = lanes_of(ray.origin.y / scale.y), oz = lanes_of(ray.origin.z / scale.z);
    const LaneArray<double> dx = lanes_of(ray.direction.x / scale.x), dy = lanes_of(ray.direction.y / scale.y),
                            dz = lanes_of(ray.direction.z / scale.z);
    LaneArray<double> from = lanes_of(DoubleW(HUGE_VAL)), to = lanes_of(DoubleW(-HUGE_VAL));
    LaneArray<float> nx = lanes_of(FloatW(1.0f)), ny = nx, nz = nx;
    for_each_lane(wanted, [&](int lane) {
        const HullGeometry& hull = hull_of(chunk, rows, lane);
        const double origin[3] = {ox[lane], oy[lane], oz[lane]}, direction[3] = {dx[lane], dy[lane], dz[lane]};
        const PlanesSpan span = span_of_planes(hull, origin, direction);
        from[lane] = span.from, to[lane] = span.to;
        const float* const plane = hull.planes.data() + span.entry;
        nx[lane] = plane[0], ny[lane] = plane[hull.padded_faces], nz[lane] = plane[2 * hull.padded_faces];
    });
    const DVec3W normal = widen(Vec3W{load(nx), load(ny), load(nz)});
    Span<LaneRays> span;
    span.from = load(from), span.to = load(to);
    span.normal = {normal.x / scale.x, normal.y / scale.y, normal.z / scale.z};
    return span.met(ray);
}

ABUT_INLINE std::uint32_t solid_lanes(const RayChunk& chunk, const PairRows& rows) {
    std::uint32_t lanes = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
        const HullGeometry& hull = hull_of(chunk, rows, lane);
        lanes |= static_cast<std::uint32_t>(rows.record[lane]->radius == 0.0f && hull.report.dimension == 3) << lane;
    }
    return lanes;
}

// For a ray close to the shapes.
ABUT_INLINE void meet_near(const RayChunk& chunk, const PairRows& rows, const RecordsW& of, const DVec3W& centre, std::uint32_t left, const RayW& ray,
                           HitW& hit) {
    const DoubleW zero = 0.0;
    const DVec3W &half = of.extents, along = {zero, half.y, zero};
    const DoubleMaskW is_rounded = zero < of.radius;
    switch (chunk.kind) {
        case ShapeKind::sphere: hit.met = meet_ball<LaneRays>(ray, {zero, zero, zero}, of.radius); break;
        case ShapeKind::capsule: hit.met = meet_capsule<LaneRays>(ray, -along, along, of.radius); break;
        case ShapeKind::box:
            hit.met = meet_box<LaneRays>(ray, half);
            hit.one_by_one = bits_of(is_rounded);
            break;
        case ShapeKind::cylinder:
            hit.met = meet_cylinder<LaneRays>(ray, half.x, half.y);
            hit.one_by_one = bits_of(is_rounded | (half.x == zero));
            break;
        case ShapeKind::cone:
            hit.met = meet_cone<LaneRays>(ray, half.x, half.y);
            hit.one_by_one = bits_of(is_rounded | (half.x == zero) | (half.y == zero));
            break;
        case ShapeKind::ellipsoid:
            hit.met = meet_ellipsoid<LaneRays>(ray, half);
            hit.one_by_one = bits_of(zero < of.rounding);
            break;
        case ShapeKind::hull: {
            const std::uint32_t solids = solid_lanes(chunk, rows);
            hit.met = meet_hulls(chunk, rows, left & solids, {ray.origin - centre, ray.direction, ray.length}, half);
            hit.one_by_one = ~solids;
            break;
        }
        default: break;
    }
}

ABUT_INLINE void meet_bounded(const RayChunk& chunk, const PairRows& rows, const RecordsW& of, const LoadedRays& in, HitW& hit) {
    const bool is_hull = chunk.kind == ShapeKind::hull;
    const DoubleW infinite = HUGE_VAL, zero = 0.0;
    DVec3W centre = {0.0, 0.0, 0.0};
    RayW ray = in.ray;
    if (is_hull) centre = multiply(of.extents, hull_centres(chunk, rows)), ray.origin = ray.origin - centre;
    Clipped<LaneRays> clip = clip_to_ball<LaneRays>(ray, of.bound_radius);
    const std::uint32_t left = in.needed & bits_of(clip.left);
    if (left == 0) return;
    if (is_hull) clip.near.origin = clip.near.origin + centre;
    meet_near(chunk, rows, of, centre, left, clip.near, hit);
    hit.one_by_one &= left;
    const DoubleMaskW arrives = hit.met.inside & (zero < clip.begin);
    hit.met.inside = hit.met.inside & ~arrives;
    hit.met.normal = select(arrives, -in.ray.direction, hit.met.normal);
    hit.met.distance = select(clip.left & (hit.met.distance < infinite), min(hit.met.distance + clip.begin, in.ray.length), infinite);
}

// The lanes of hit.one_by_one.
ABUT_NOINLINE void meet_others(const RayChunk& chunk, const PairRows& rows, const RayW& ray, HitW& hit) {
    const LaneArray<double> ray_lanes[7] = {lanes_of(ray.origin.x),    lanes_of(ray.origin.y),    lanes_of(ray.origin.z), lanes_of(ray.direction.x),
                                            lanes_of(ray.direction.y), lanes_of(ray.direction.z), lanes_of(ray.length)};
    LaneArray<double> met[5] = {lanes_of(hit.met.distance), lanes_of(hit.met.normal.x), lanes_of(hit.met.normal.y), lanes_of(hit.met.normal.z),
                                lanes_of(select(hit.met.inside, DoubleW(1.0), DoubleW(0.0)))};
    hit.child = hit.status = lanes_of(IntW(0));
    clear_upper();
    for_each_lane(hit.one_by_one, [&](int lane) {
        LaneRay one;
        for (int k = 0; k < 3; ++k) one.origin[k] = ray_lanes[k][lane], one.direction[k] = ray_lanes[3 + k][lane];
        one.length = ray_lanes[6][lane];
        LaneHit found;
        chunk.meet_one(chunk.call, rows.shape_bits(lane), one, found);
        met[0][lane] = found.distance;
        for (int k = 0; k < 3; ++k) met[1 + k][lane] = found.normal[k];
        met[4][lane] = found.starts_inside ? 1.0 : 0.0;
        hit.child[lane] = static_cast<std::int32_t>(found.child), hit.status[lane] = static_cast<std::int32_t>(found.status);
    });
    hit.met = {load(met[0]), {load(met[1]), load(met[2]), load(met[3])}, DoubleW(0.5) < load(met[4])};
}

struct AnswersW {
    DoubleW fraction;
    Vec3W point, normal;
    IntW hit, inside, child, status;
};

ABUT_INLINE AnswersW answers_of(const LoadedRays& in, const HitW& hit) {
    const DoubleW one = 1.0;
    const std::uint32_t hits = in.needed & bits_of(hit.met.distance < DoubleW(HUGE_VAL));
    const MaskW is_hit = MaskW::from_bits(hits), is_valid = MaskW::from_bits(in.valid);
    const IntW yes = 1, no = 0;
    const Vec3W none = splat(0.0f);
    const DoubleMaskW are_hits = widen(float_of(words_of(is_hit) & bits_of(FloatW(1.0f)))) == one,
                      are_valid = widen(float_of(words_of(is_valid) & bits_of(FloatW(1.0f)))) == one;
    const DoubleW distance = select(are_hits, hit.met.distance, DoubleW(0.0));
    AnswersW out = {select(are_hits, min(distance / in.length, one), select(are_valid, one, DoubleW(0.0))),
                    select(is_hit, narrow(in.from_body + in.direction * distance), none),
                    select(is_hit, narrow(rotate(in.axes, hit.met.normal)), none),
                    select(is_hit, yes, no),
                    select(MaskW::from_bits(hits & bits_of(hit.met.inside)), yes, no),
                    no,
                    select(is_valid, IntW(static_cast<std::int32_t>(Status::ok)), IntW(static_cast<std::int32_t>(Status::bad_pose)))};
    if (hit.one_by_one == 0) return out;
    out.child = select(is_hit, load(hit.child), no);
    out.status = select(is_hit, load(hit.status), out.status);
    return out;
}

// To adjacent pairs.
ABUT_INLINE void store_in_order(const RayChunk& chunk, std::uint32_t pair, const AnswersW& of) {
    of.hit.store_bytes(chunk.hit + pair);
    of.status.store_bytes(reinterpret_cast<std::uint8_t*>(chunk.status + pair));
    of.fraction.lo.store_unaligned(chunk.fraction + pair), of.fraction.hi.store_unaligned(chunk.fraction + pair + kLanes / 2);
    if (chunk.point != nullptr) store_threes(of.point.x, of.point.y, of.point.z, &chunk.point[pair].x);
    if (chunk.normal != nullptr) store_threes(of.normal.x, of.normal.y, of.normal.z, &chunk.normal[pair].x);
    if (chunk.child != nullptr) of.child.store_unaligned(reinterpret_cast<std::int32_t*>(chunk.child + pair));
    if (chunk.inside != nullptr) of.inside.store_bytes(chunk.inside + pair);
}

ABUT_INLINE void store_each(const RayChunk& chunk, const PairRows& rows, const AnswersW& of) {
    const LaneArray<double> fraction = lanes_of(of.fraction);
    const FloatW none = 0.0f;
    const LaneRecords4 point(of.point.x, of.point.y, of.point.z, none), normal(of.normal.x, of.normal.y, of.normal.z, none);
    const LaneArray<std::int32_t> hit = lanes_of(of.hit), inside = lanes_of(of.inside), child = lanes_of(of.child), status = lanes_of(of.status);
    for_each_lane(rows.lanes, [&](int lane) {
        const auto pair = static_cast<std::uint32_t>(rows.pair[lane]);
        chunk.hit[pair] = static_cast<std::uint8_t>(hit[lane]);
        chunk.status[pair] = static_cast<Status>(status[lane]);
        chunk.fraction[pair] = fraction[lane];
        if (chunk.point != nullptr) std::memcpy(&chunk.point[pair].x, point[lane], sizeof(Vec3));
        if (chunk.normal != nullptr) std::memcpy(&chunk.normal[pair].x, normal[lane], sizeof(Vec3));
        if (chunk.child != nullptr) chunk.child[pair] = static_cast<std::uint32_t>(child[lane]);
        if (chunk.inside != nullptr) chunk.inside[pair] = static_cast<std::uint8_t>(inside[lane]);
    });
}

ABUT_INLINE bool has_closed_form(ShapeKind kind) {
    switch (kind) {
        case ShapeKind::sphere:
        case ShapeKind::capsule:
        case ShapeKind::box:
        case ShapeKind::cylinder:
        case ShapeKind::cone:
        case ShapeKind::ellipsoid:
        case ShapeKind::hull: return true;
        default: return false;
    }
}

}  // namespace

void meet_bodies(const RayChunk& given) {
    const RayChunk chunk = given;  // copied: the compiler cannot tell that what is written is none of it
    for (std::uint32_t first = 0; first < chunk.count; first += kLanes) {
        PairRows rows(chunk, first);
        const LoadedRays in = load_rays(chunk, first, rows);
        HitW hit;
        if (has_closed_form(chunk.kind)) {
            meet_bounded(chunk, rows, load_records(rows), in, hit);
        } else if (chunk.kind == ShapeKind::halfspace) {
            const RecordsW of = load_records(rows);
            hit.met = meet_halfspace<LaneRays>(in.ray, of.extents, of.offset, of.radius);
        } else {
            hit.one_by_one = in.needed;
        }
        if (hit.one_by_one != 0) meet_others(chunk, rows, in.ray, hit);
        const AnswersW answers = answers_of(in, hit);
        if (rows.are_adjacent())
            store_in_order(chunk, static_cast<std::uint32_t>(rows.pair[0]), answers);
        else
            store_each(chunk, rows, answers);
    }
}

PlanesSpan meet_planes(const HullGeometry& hull, const double* origin, const double* direction) { return span_of_planes(hull, origin, direction); }

}  // namespace abut::ABUT_ISA_NAMESPACE
