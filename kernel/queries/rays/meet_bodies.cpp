// Intersects rays with bodies of one kind, one pair per lane, by closed forms in double. Hulls are computed one by one
// with one plane per lane, other shapes by RayChunk::meet_one.
#include "queries/rays/hull_planes.hpp"
#include "queries/rays/ray_answers.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void meet_bodies(const RayChunk& chunk);
void meet_meshes(const RayChunk& chunk);
PlanesSpan meet_planes(const HullGeometry& hull, const double* origin, const double* direction);

namespace {

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

ABUT_INLINE const HullGeometry& hull_of(const RayChunk& chunk, const PairRows& rows, int lane) {
    return chunk.hulls[rows.record[lane]->geometry];
}

ABUT_INLINE DVec3W hull_centres(const RayChunk& chunk, const PairRows& rows) {
    LaneArray<float> x, y, z;
    for (int lane = 0; lane < kLanes; ++lane) {
        const Vec3& centre = hull_of(chunk, rows, lane).centre;
        x[lane] = centre.x, y[lane] = centre.y, z[lane] = centre.z;
    }
    return widen(Vec3W{load(x), load(y), load(z)});
}

// Solid hulls without rounding, in the lanes of `wanted`. The origin of each ray is relative to the hull's centre.
ABUT_NOINLINE void meet_hulls(const RayChunk& chunk, const PairRows& rows, std::uint32_t wanted, const RayW& ray,
                              const DVec3W& scale, HitW& hit) {
    const LaneArray<double> ox = lanes_of(ray.origin.x / scale.x), oy = lanes_of(ray.origin.y / scale.y),
                            oz = lanes_of(ray.origin.z / scale.z);
    const LaneArray<double> dx = lanes_of(ray.direction.x / scale.x), dy = lanes_of(ray.direction.y / scale.y),
                            dz = lanes_of(ray.direction.z / scale.z);
    LaneArray<double> from = lanes_of(DoubleW(HUGE_VAL)), to = lanes_of(DoubleW(-HUGE_VAL));
    LaneArray<float> nx = lanes_of(FloatW(1.0f)), ny = nx, nz = nx;
    LaneArray<std::int32_t> face = lanes_of(hit.face);
    for_each_lane(wanted, [&](int lane) {
        const HullGeometry& hull = hull_of(chunk, rows, lane);
        const double origin[3] = {ox[lane], oy[lane], oz[lane]}, direction[3] = {dx[lane], dy[lane], dz[lane]};
        const PlanesSpan span = span_of_planes(hull, origin, direction);
        from[lane] = span.from, to[lane] = span.to, face[lane] = static_cast<std::int32_t>(span.entry);
        const float* const plane = hull.planes.data() + span.entry;
        nx[lane] = plane[0], ny[lane] = plane[hull.padded_faces], nz[lane] = plane[2 * hull.padded_faces];
    });
    const DVec3W normal = widen(Vec3W{load(nx), load(ny), load(nz)});
    Span<LaneRays> span;
    span.from = load(from), span.to = load(to);
    span.normal = {normal.x / scale.x, normal.y / scale.y, normal.z / scale.z};
    hit.met = span.met(ray), hit.face = load(face);
}

ABUT_INLINE std::uint32_t solid_lanes(const RayChunk& chunk, const PairRows& rows) {
    std::uint32_t lanes = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
        const HullGeometry& hull = hull_of(chunk, rows, lane);
        lanes |= static_cast<std::uint32_t>(rows.record[lane]->radius == 0.0f && hull.report.dimension == 3) << lane;
    }
    return lanes;
}

// Rays start near the shapes (clip_to_ball). `left`: the needed lanes whose rays meet the bounding ball.
ABUT_INLINE void meet_near(const RayChunk& chunk, const PairRows& rows, const RecordsW& of, const DVec3W& centre,
                           std::uint32_t left, const RayW& ray, HitW& hit) {
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
            meet_hulls(chunk, rows, left & solids, {ray.origin - centre, ray.direction, ray.length}, half, hit);
            hit.one_by_one = ~solids;
            break;
        }
        default: break;
    }
}

ABUT_INLINE void meet_bounded(const RayChunk& chunk, const PairRows& rows, const RecordsW& of, const LoadedRays& in,
                              HitW& hit) {
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
    hit.met.distance =
        select(clip.left & (hit.met.distance < infinite), min(hit.met.distance + clip.begin, in.ray.length), infinite);
}

ABUT_NOINLINE void find_faces(ShapeKind kind, HitW& hit) {
    const LaneArray<double> along = lanes_of(face_along<LaneRays>(kind, hit.met.normal));
    LaneArray<std::int32_t> face;
    for (int lane = 0; lane < kLanes; ++lane) face[lane] = static_cast<std::int32_t>(along[lane]);
    hit.face = load(face);
}

// Calls chunk.meet_one for the lanes of hit.one_by_one.
ABUT_NOINLINE void meet_others(const RayChunk& chunk, const PairRows& rows, const RayW& ray, HitW& hit) {
    const RayArrays rays(ray, sides_of(chunk, rows));
    hit.child = hit.status = lanes_of(IntW(0));
    load_hits(hit, [&](int lane) {
        LaneHit found;
        chunk.meet_one(chunk.call, rows.shape_bits(lane), rays[lane], found);
        return found;
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
    const RayChunk chunk = given;  // a copy, because the compiler cannot know that stores do not change `given`
    if (chunk.kind == ShapeKind::mesh) return meet_meshes(chunk);
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
        if (chunk.face != nullptr && chunk.kind != ShapeKind::hull) find_faces(chunk.kind, hit);
        if (hit.one_by_one != 0) meet_others(chunk, rows, in.ray, hit);
        store(chunk, rows, answers_of(in, hit));
    }
}

PlanesSpan meet_planes(const HullGeometry& hull, const double* origin, const double* direction) {
    return span_of_planes(hull, origin, direction);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
