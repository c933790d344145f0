// Loads pairs of a chunk into lanes, in the frame of A's core, scaled by a power of two so that the larger size is in
// [1, 2). The scaling is exact, keeps products of edges from underflowing, and makes answers scale-free to the bit.
#pragma once

#include <abut/math.hpp>

#include "base/tolerances.hpp"
#include "convex/contract/chunk.hpp"
#include "convex/lanes/curved.hpp"
#include "simd/gather.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The transformation of a lane's answer back into world axes.
struct ToWorldW {
    Mat3W axes;      // A's local axes in world axes; the identity for a sphere
    Vec3W centre;    // A's core centre in A's body frame, metres
    Vec3W b_from_a;  // B's position minus A's, world axes, metres
    Vec3W b_centre;  // B's core centre minus A's position, world axes, metres
    Vec3W offset;    // from A's core centre to B's, in A's axes, scaled
    FloatW unit;     // metres per scaled unit, a power of two
    // Lanes with a core centre far from its body's origin. For these lanes only: both core centres and B's position,
    // world axes, metres, relative to A's position, each as a sum of two vectors.
    std::uint32_t far_lanes = 0;
    Vec3W far_a[2], far_b[2], far_offset[2];
};

template <class CoreA, class CoreB>
struct PairW {
    CoreA a;
    CoreB b;
    Mat3W rotation;  // B's local axes in A's axes
    Vec3W offset;    // B's core centre relative to A's, in A's axes
    FloatW radius_a, radius_b;
    FloatW radius;     // the sum of both radii
    FloatW smaller;    // the smaller shape's size
    FloatW tolerance;  // promise 1's bound while the separation is below the larger size
    FloatW scale;      // scaled units per metre
    ToWorldW to_world;
    MaskW bad_pose;
    std::uint32_t self;  // lanes of a body with itself
    MaskW needs_exact;   // float32 cannot hold this pair: distances of over 1e12 sizes
};

struct BodyW {
    Vec3W position;
    QuatW orientation;
    FloatW norm_squared;  // of the orientation, within 1% of 1
    FloatW extent_x, extent_y, extent_z, radius, size, rounding;
    FloatW offset, offset_rest;  // of a half-space: their sum is its offset along its normal, which is in extent
    MaskW bad;
};

struct BodyRows {
    const Body* const* body;  // of each lane: a part of the chunk's column if the pairs are adjacent, otherwise `some`
    const Body* some[kLanes];
    const InstanceRecord* record[kLanes];
};

// The bodies' positions, shape ids and orientations.
struct PosesW {
    FloatW position[4], orientation[4];

    template <class Row>
    ABUT_INLINE explicit PosesW(const Row* const* bodies) {
        transpose_records4(bodies, position);
        transpose_records4(bodies, orientation, 4);
    }
    // The slots of the bodies' shapes in the table of their kind.
    ABUT_INLINE IntW slot() const {
        return bits_of(position[3]) & IntW(static_cast<std::int32_t>(ShapeId::kMaxSlots - 1));
    }
    ABUT_INLINE LaneArray<std::int32_t> slots() const { return lanes_of(slot()); }
};

// True if the position is in range and the quaternion within 1% of unit length. NaN gives false, as in
// convex/contract/valid_pose.hpp.
ABUT_INLINE MaskW is_valid_pose(Vec3W p, FloatW norm_squared) {
    const FloatW far = abs(p.x) + abs(p.y) + abs(p.z);
    return (far <= FloatW(kFarthestMetres)) & (norm_squared >= FloatW(kUnitSquaredLow)) &
           (norm_squared <= FloatW(kUnitSquaredHigh));
}

// Loads only the radius of spheres, which is their size. Loads the whole record of other shapes.
ABUT_INLINE void load_records(const InstanceRecord* records, const PosesW& poses, BodyW& out) {
    const FloatW zero = 0.0f;
    static_assert(sizeof(InstanceRecord) == 4 << 3);
    out.radius = out.size = float_of(gather<4>(&records->radius, poses.slot() << 3));
    out.extent_x = out.extent_y = out.extent_z = out.offset = out.rounding = out.offset_rest = zero;
}
ABUT_INLINE void load_records(const InstanceRecord* const* rows, BodyW& out) {
    FloatW r[4], s[4];
    transpose_records4(rows, r);
    transpose_records4(rows, s, 4);
    out.extent_x = r[0];
    out.extent_y = r[1];
    out.extent_z = r[2];
    out.radius = r[3];
    out.size = s[0];
    out.offset = s[1];
    out.rounding = s[2];
    out.offset_rest = s[3];
}

// Adding zero turns -0 into 0, so that signs of zeros decide nothing.
ABUT_INLINE void load_poses(const PosesW& poses, BodyW& out) {
    const FloatW none = 0.0f;
    const FloatW(&p)[4] = poses.position, q[4] = {poses.orientation[0] + none, poses.orientation[1] + none,
                                                  poses.orientation[2] + none, poses.orientation[3] + none};
    out.position = {p[0] + none, p[1] + none, p[2] + none};
    out.orientation = {q[0], q[1], q[2], q[3]};
    out.norm_squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const MaskW good = is_valid_pose(out.position, out.norm_squared);
    out.bad = ~good;
    if (!all(good)) {
        // Invalid poses become the identity, which keeps their lanes harmless.
        const FloatW zero = 0.0f, one = 1.0f;
        out.position = select(good, out.position, splat(0.0f));
        out.orientation = {select(good, q[0], zero), select(good, q[1], zero), select(good, q[2], zero),
                           select(good, q[3], one)};
        out.norm_squared = select(good, out.norm_squared, one);
    }
}

ABUT_INLINE BodyW load_bodies(const BodyRows& rows, const PosesW& poses) {
    BodyW out;
    load_records(rows.record, out);
    load_poses(poses, out);
    return out;
}

// 2^floor(log2 x), limited to [2^-97, 2^93] so that its inverse is a float; 1 for 0.
ABUT_INLINE FloatW power_of_two_below(FloatW x) {
    const IntW exponent = bits_of(x) & IntW(0x7f800000);
    const FloatW power = max(float_of(IntW(30 << 23)), min(float_of(IntW(220 << 23)), float_of(exponent)));
    return select(x > FloatW(0.0f), power, FloatW(1.0f));
}
ABUT_INLINE FloatW inverse_power_of_two(FloatW x) { return float_of(IntW(254 << 23) - bits_of(x)); }

ABUT_INLINE std::uint32_t self_lanes(const BodyRows& a, const BodyRows& b) {
    std::uint32_t self = 0;
    for (int lane = 0; lane < kLanes; ++lane) self |= static_cast<std::uint32_t>(a.body[lane] == b.body[lane]) << lane;
    return self;
}

// Loads a core, scaled. Returns its centre in its body's frame, metres.
ABUT_INLINE Vec3W load_core(const BodyRows&, const BodyW&, const FrameView&, FloatW, PointCore&) { return splat(0.0f); }
ABUT_INLINE Vec3W load_core(const BodyRows&, const BodyW& body, const FrameView&, FloatW scale, ExtentCore& core) {
    core.extent = {body.extent_x * scale, body.extent_y * scale, body.extent_z * scale};
    return splat(0.0f);
}
ABUT_INLINE Vec3W load_core(const BodyRows&, const BodyW&, const FrameView&, FloatW, PlaneCore&) { return splat(0.0f); }
ABUT_INLINE Vec3W load_core(const BodyRows&, const BodyW& body, const FrameView&, FloatW scale, CurvedCore& core) {
    core.extent = {body.extent_x * scale, body.extent_y * scale, body.extent_z * scale};
    core.erosion = (body.radius - body.rounding) * scale;
    return splat(0.0f);
}
ABUT_INLINE Vec3W load_core(const BodyRows& rows, const BodyW& body, const FrameView& frame, FloatW scale,
                            CustomCore& core) {
    core.custom.clear();
    if (core.kind == ShapeKind::custom)
        for (int lane = 0; lane < kLanes; ++lane)
            core.custom.set(1u << lane, frame.customs[rows.record[lane]->geometry]->support_lanes);
    return load_core(rows, body, frame, scale, static_cast<CurvedCore&>(core));
}
inline Vec3W load_core(const BodyRows& rows, const BodyW& body, const FrameView& frame, FloatW scale, HullCore& core) {
    const float* centre[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
        const HullGeometry& hull = frame.hulls[rows.record[lane]->geometry];
        core.set_hull(lane, hull);
        centre[lane] = &hull.centre.x;
    }
    FloatW column[4];
    transpose_records4(centre, column);
    const Vec3W instance_scale = {body.extent_x, body.extent_y, body.extent_z};
    core.scale = instance_scale * scale;
    return multiply({column[0], column[1], column[2]}, instance_scale);
}

template <class Core>
inline constexpr bool kMayBeOffCentre = false;
template <>
inline constexpr bool kMayBeOffCentre<HullCore> = true;

// A hull's tables are found through its record.
template <class Core>
inline constexpr bool kNeedsRecordEarly = std::is_same_v<Core, HullCore>;

// Finds the bodies of the lanes' pairs and, for hulls, their records. `list`: the pairs' indices in the chunk.
template <class Core>
ABUT_INLINE void find_rows(const Body* const* column, const std::uint16_t* list, bool is_contiguous,
                           const InstanceRecord* records, BodyRows& rows) {
    rows.body = column + list[0];
    if (!is_contiguous) {
        for (int lane = 0; lane < kLanes; ++lane) rows.some[lane] = column[list[lane]];
        rows.body = rows.some;
    }
    if constexpr (kNeedsRecordEarly<Core>)
        for (int lane = 0; lane < kLanes; ++lane) rows.record[lane] = records + rows.body[lane]->shape.slot();
}

// Shape ids are loaded with the positions. They are loaded one by one only if records are needed early.
template <class Core>
ABUT_INLINE BodyW load_body(const InstanceRecord* records, BodyRows& rows, const PosesW& poses) {
    BodyW out;
    if constexpr (std::is_same_v<Core, PointCore>) {
        load_records(records, poses, out);
    } else {
        if constexpr (!kNeedsRecordEarly<Core>)
            store_addresses(records, poses.slot(), sizeof(InstanceRecord), rows.record);
        load_records(rows.record, out);
    }
    load_poses(poses, out);
    return out;
}

template <class Core>
ABUT_INLINE void set_kind(Core&, ShapeKind) {}
template <Curved Core>
ABUT_INLINE void set_kind(Core& core, ShapeKind kind) {
    core.kind = kind;
}

// v rotated by q and scaled by |q|^2, which is `squared`.
ABUT_INLINE DVec3W rotated_by(const QuatW& q, const DVec3W& v, DoubleW& squared) {
    const DVec3W u = widen(Vec3W{q.x, q.y, q.z});
    const DoubleW w = widen(q.w), two = 2.0, ww = w * w, uu = dot(u, u);
    squared = ww + uu;
    return v * (ww - uu) + u * (two * dot(u, v)) + cross(u, v) * (two * w);
}

// B's plane: the unit normal in world axes, and the plane's distance from A's position, rounding included. In double,
// because the distance may cancel: the origin of a ground plane may be a kilometre away from the bodies on it.
struct WorldPlaneW {
    DVec3W normal;
    DoubleW level;
};
ABUT_INLINE WorldPlaneW world_plane(const BodyW& a, const BodyW& b) {
    const DVec3W local = widen(Vec3W{b.extent_x, b.extent_y, b.extent_z});
    DoubleW squared = 0.0;
    const DVec3W rotated = rotated_by(b.orientation, local, squared);
    const DoubleW inverse = DoubleW(1.0) / (squared * sqrt(dot(local, local)));
    const DVec3W b_from_a = widen(b.position) - widen(a.position);
    const DoubleW offset = widen(b.offset) + widen(b.offset_rest);
    return {rotated * inverse, (dot(rotated, b_from_a) + squared * offset) * inverse + widen(b.radius)};
}

// Sets the plane relative to A's core centre, which is `centre` in A's frame.
ABUT_INLINE void set_plane(const BodyW& a, const BodyW& b, const Mat3W& axes, Vec3W centre, FloatW scale,
                           PlaneCore& plane) {
    const WorldPlaneW world = world_plane(a, b);
    plane.normal = rotate_back(axes, narrow(world.normal));
    plane.level = narrow(world.level * widen(scale)) - dot(plane.normal, centre * scale);
}

// The offset of the core's centre from its body's position, world axes, in double.
template <class Core>
ABUT_INLINE DVec3W centre_in_world(const Core&, const BodyW&) {
    return {0.0, 0.0, 0.0};
}
ABUT_INLINE DVec3W centre_in_world(const HullCore& core, const BodyW& body) {
    const float* centre[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) centre[lane] = &core.hull[lane]->centre.x;
    FloatW column[4];
    transpose_records4(centre, column);
    const DVec3W scale = widen(Vec3W{body.extent_x, body.extent_y, body.extent_z}),
                 c = widen(Vec3W{column[0], column[1], column[2]});
    DoubleW squared = 0.0;
    const DVec3W rotated = rotated_by(body.orientation, {scale.x * c.x, scale.y * c.y, scale.z * c.z}, squared);
    return rotated * (DoubleW(1.0) / squared);
}

ABUT_INLINE void split(const DVec3W& v, Vec3W (&parts)[2]) {
    parts[0] = narrow(v);
    parts[1] = narrow(v - widen(parts[0]));
}

// Recomputes the centres of `far_lanes` in double: rounding of a float32 rotation would be visible in distant centres.
// The difference of the centres is as short as in any other pair. Rare, so it is out of line and reads the rows again.
template <class CoreA, class CoreB>
ABUT_NOINLINE void set_far_centres(const InstanceRecord* records_a, BodyRows& rows_a, const InstanceRecord* records_b,
                                   BodyRows& rows_b, std::uint32_t far_lanes, PairW<CoreA, CoreB>& pair) {
    const BodyW a = load_body<CoreA>(records_a, rows_a, PosesW(rows_a.body)),
                b = load_body<CoreB>(records_b, rows_b, PosesW(rows_b.body));
    const MaskW far = MaskW::from_bits(far_lanes);
    const DVec3W on_a = centre_in_world(pair.a, a), offset = widen(b.position) - widen(a.position);
    pair.to_world.far_lanes = far_lanes;
    split(on_a, pair.to_world.far_a);
    split(offset, pair.to_world.far_offset);
    if constexpr (std::is_same_v<CoreB, PlaneCore>) {
        const WorldPlaneW plane = world_plane(a, b);
        pair.b.level = select(far, narrow((plane.level - dot(plane.normal, on_a)) * widen(pair.scale)), pair.b.level);
        split(on_a, pair.to_world.far_b);
    } else {
        const DVec3W on_b = offset + centre_in_world(pair.b, b);
        split(on_b, pair.to_world.far_b);
        pair.offset =
            select(far, rotate_back(pair.to_world.axes, narrow((on_b - on_a) * widen(pair.scale))), pair.offset);
    }
}

template <class CoreA>
ABUT_INLINE Mat3W axes_of(const CoreA&, const BodyW& a) {
    return to_matrix(a.orientation, a.norm_squared);
}
ABUT_INLINE Mat3W axes_of(const PointCore&, const BodyW&) {
    const FloatW zero = 0.0f, one = 1.0f;
    return {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
}

// A half-space has no size, and its origin may be anywhere.
template <class CoreB>
inline constexpr bool kHasSize = !std::is_same_v<CoreB, PlaneCore>;

// Sets sizes, radii and promise 1's bound, in units of the power of two below the larger size.
template <class CoreA, class CoreB>
ABUT_INLINE void set_sizes(const BodyW& a, const BodyW& b, PairW<CoreA, CoreB>& pair) {
    const FloatW larger = kHasSize<CoreB> ? max(a.size, b.size) : a.size,
                 smaller = kHasSize<CoreB> ? min(a.size, b.size) : a.size;
    FloatW measure = larger;
    // Two points have no size: their distance is the unit.
    if (const MaskW has_size = larger > FloatW(0.0f); kHasSize<CoreB> && !all(has_size)) {
        const Vec3W apart = abs(b.position - a.position);
        measure = select(has_size, larger, max(apart.x, max(apart.y, apart.z)));
    }
    pair.to_world.unit = power_of_two_below(measure);
    pair.scale = inverse_power_of_two(pair.to_world.unit);
    pair.radius_a = a.radius * pair.scale;
    pair.radius_b = b.radius * pair.scale;
    pair.radius = pair.radius_a + pair.radius_b;
    pair.smaller = smaller * pair.scale;
    pair.tolerance = (FloatW(kToleranceSmaller) * smaller + FloatW(kToleranceLarger) * larger) * pair.scale;
}

// Sets B's pose relative to A's core centre. `centre_a`, `centre_b`: of the cores in their bodies' frames, metres.
template <class CoreA, class CoreB>
ABUT_INLINE void place(const BodyW& a, const BodyW& b, Vec3W centre_a, Vec3W centre_b, PairW<CoreA, CoreB>& pair) {
    ToWorldW& to_world = pair.to_world;
    to_world.axes = axes_of(pair.a, a);
    to_world.centre = centre_a;
    to_world.b_centre = to_world.b_from_a = b.position - a.position;
    if constexpr (kHasSize<CoreB>) {
        const Mat3W axes_b = to_matrix(b.orientation, b.norm_squared);
        pair.rotation = transpose_times(to_world.axes, axes_b);
        if constexpr (kMayBeOffCentre<CoreB>) to_world.b_centre = to_world.b_centre + rotate(axes_b, centre_b);
        pair.offset = rotate_back(to_world.axes, to_world.b_from_a * pair.scale);
        if constexpr (kMayBeOffCentre<CoreB>) pair.offset = pair.offset + rotate(pair.rotation, centre_b * pair.scale);
        if constexpr (kMayBeOffCentre<CoreA>) pair.offset = pair.offset - centre_a * pair.scale;
    } else {
        set_plane(a, b, to_world.axes, centre_a, pair.scale, pair.b);
        pair.offset = splat(0.0f);
    }
}

// Marks lanes that are too far apart for float32, which need the exact path. Replaces their offsets, so that no loop
// works on infinities.
template <class CoreA, class CoreB>
ABUT_INLINE void limit_offset(PairW<CoreA, CoreB>& pair) {
    const Vec3W far = abs(pair.offset);
    MaskW holds = max(far.x, max(far.y, far.z)) < FloatW(kMaxOffset);
    if constexpr (!kHasSize<CoreB>) holds = abs(pair.b.level) < FloatW(kMaxOffset);
    pair.needs_exact = ~holds;
    if (!all(holds)) pair.offset = select(holds, pair.offset, splat(4.0f));
    if constexpr (!kHasSize<CoreB>) pair.offset = splat(0.0f), pair.b.level = select(holds, pair.b.level, FloatW(4.0f));
    pair.to_world.offset = pair.offset;
}

// Loads a group of pairs. `list` holds the chunk's pair of each lane.
template <class CoreA, class CoreB>
ABUT_INLINE void load_pairs_inline(const Chunk& chunk, const std::uint16_t* list, PairW<CoreA, CoreB>& pair) {
    const InstanceRecord* const records_a = chunk.frame->records[static_cast<int>(chunk.kind_a)];
    const InstanceRecord* const records_b = chunk.frame_b->records[static_cast<int>(chunk.kind_b)];
    BodyRows rows_a, rows_b;
    const bool is_contiguous = are_in_sequence(list);
    find_rows<CoreA>(chunk.pairs->a, list, is_contiguous, records_a, rows_a);
    find_rows<CoreB>(chunk.pairs->b, list, is_contiguous, records_b, rows_b);
    pair.self = chunk.pairs->has_self ? self_lanes(rows_a, rows_b) : 0;
    const PosesW poses_a(rows_a.body), poses_b(rows_b.body);
    const BodyW a = load_body<CoreA>(records_a, rows_a, poses_a), b = load_body<CoreB>(records_b, rows_b, poses_b);
    pair.bad_pose = a.bad | b.bad;
    set_sizes(a, b, pair);

    set_kind(pair.a, chunk.kind_a);
    set_kind(pair.b, chunk.kind_b);
    const Vec3W centre_a = load_core(rows_a, a, *chunk.frame, pair.scale, pair.a);
    const Vec3W centre_b = load_core(rows_b, b, *chunk.frame_b, pair.scale, pair.b);
    place(a, b, centre_a, centre_b, pair);
    if constexpr (kMayBeOffCentre<CoreA> || kMayBeOffCentre<CoreB>) {
        const FloatW centres =
            sqrt(length_squared(centre_a * pair.scale)) + sqrt(length_squared(centre_b * pair.scale));
        const MaskW near = FloatW(kOffsetError) * centres <= FloatW(kOffsetShare) * pair.tolerance;
        if (!all(near)) set_far_centres(records_a, rows_a, records_b, rows_b, (~near).bits(), pair);
    }
    limit_offset(pair);
}
template <class CoreA, class CoreB>
ABUT_NOINLINE void load_pairs(const Chunk& chunk, const std::uint16_t* list, PairW<CoreA, CoreB>& pair) {
    load_pairs_inline(chunk, list, pair);
}

// The support of the Minkowski difference B - A along `direction`, in A's frame. The id has A's vertex in the low half
// and B's vertex in the high half.
template <class CoreA, class CoreB>
ABUT_INLINE Vec3W minkowski_support(const PairW<CoreA, CoreB>& pair, Vec3W direction, std::uint32_t active, IntW& id) {
    IntW id_a, id_b;
    const Vec3W on_a = support(pair.a, -direction, active, id_a);
    const Vec3W on_b = support(pair.b, rotate_back(pair.rotation, direction), active, id_b);
    id = id_a | (id_b << 16);
    return rotate(pair.rotation, on_b) + pair.offset - on_a;
}

// The vertex of B - A with an id.
template <class CoreA, class CoreB>
ABUT_INLINE Vec3W minkowski_vertex(const PairW<CoreA, CoreB>& pair, IntW id) {
    return rotate(pair.rotation, vertex(pair.b, id >> 16)) + pair.offset - vertex(pair.a, id);
}

// The gap between the cores' support planes along `normal` (from A to B, of any length). Divided by the length, the gap
// is a lower bound on the cores' distance.
template <class CoreA, class CoreB>
ABUT_INLINE FloatW gap_along(const PairW<CoreA, CoreB>& pair, Vec3W normal, std::uint32_t active) {
    return dot(normal, pair.offset) - support_value(pair.a, normal, active) -
           support_value(pair.b, rotate_back(pair.rotation, -normal), active);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
