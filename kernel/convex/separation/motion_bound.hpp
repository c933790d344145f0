// Far pairs that have hardly moved: a bound on their motion since the record was made proves that they are still far
// apart [Mirtich 1996]. The shapes are not read.
//
// A record states a fact that is independent of frame, pair and store: two shapes, identified by their content, have at
// least this distance at this offset and these orientations. A hash of all its words and of the shapes' content
// invalidates records that a caller has mixed up or overwritten.
#pragma once

#include "convex/lanes/load.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The first part of WarmCache::opaque is this or a WarmRecord (convex/separation/warm.hpp). The second part:
// convex/chunk/at_rest.hpp.
struct FarRecord {
    std::uint32_t
        head;  // low half: kFarTag; high half: the high half of a float, a lower bound on the distance in metres
    std::uint32_t checksum;
    float offset[3];                // B's position relative to A's, world axes
    std::uint32_t orientations[3];  // both orientations, three times 16 bits each
};
static_assert(sizeof(FarRecord) <= sizeof(WarmCache));

inline constexpr std::uint32_t kFarTag = 0x6166;  // "fa"

namespace motion_detail {

// The poses of two bodies, and the identities of their shapes.
struct PairPosesW {
    Vec3W offset;
    QuatW orientation_a, orientation_b;  // unit
    FloatW raw_a[4], raw_b[4];           // as the bodies store them
    MaskW good;
    IntW content_a, content_b;
    FloatW origin_radius_a, origin_radius_b;
};

// The rotation between two orientations. Its vector part, the sine of half the angle along the axis, is exact to
// rounding even for tiny rotations.
ABUT_INLINE QuatW rotation_between(const QuatW& from, const QuatW& to) {
    const Vec3W v = {from.x, from.y, from.z}, u = {to.x, to.y, to.z}, axis = u * from.w - v * to.w - cross(u, v);
    return {axis.x, axis.y, axis.z, to.w * from.w + dot(u, v)};
}
// The matrix of a rotation, minus the identity: exact to rounding even for tiny rotations.
ABUT_INLINE Mat3W less_identity(const QuatW& q) {
    const Vec3W axis = {q.x, q.y, q.z}, twice = axis + axis;
    const FloatW xx = axis.x * twice.x, yy = axis.y * twice.y, zz = axis.z * twice.z;
    const FloatW xy = axis.x * twice.y, xz = axis.x * twice.z, yz = axis.y * twice.z, wx = q.w * twice.x,
                 wy = q.w * twice.y, wz = q.w * twice.z;
    return {{-(yy + zz), xy + wz, xz - wy}, {xy - wz, -(xx + zz), yz + wx}, {xz + wy, yz - wx, -(xx + yy)}};
}

// The position and orientation of one body. Removes lanes with bad poses from `good`.
ABUT_INLINE Vec3W take_pose(const PosesW& poses, QuatW& orientation, MaskW& good) {
    const Vec3W position = {poses.position[0], poses.position[1], poses.position[2]};
    const FloatW(&q)[4] = poses.orientation;
    const FloatW squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    good &= is_valid_pose(position, squared);
    const FloatW by = FloatW(1.0f) / sqrt(select(good, squared, FloatW(1.0f)));
    orientation = {q[0] * by, q[1] * by, q[2] * by, q[3] * by};
    return position;
}
ABUT_INLINE void take_identities(const PosesW& poses, const ShapeIdentity* identities, IntW& content,
                                 FloatW& origin_radius) {
    const LaneArray<std::int32_t> slot = poses.slots();
    static_assert(sizeof(ShapeIdentity) == 8);
    ShapeIdentity of_lane[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) of_lane[lane] = identities[slot[lane]];
    IntW radius;
    load_twos(of_lane, content, radius);
    origin_radius = float_of(radius);
}

ABUT_INLINE PairPosesW load_pair_poses(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes) {
    const FrameView& frame = *chunk.frame;
    const float *row_a[kLanes], *row_b[kLanes];
    const int first = lowest_bit(lanes);
    for (int lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t i = list[lanes >> lane & 1 ? lane : first];
        row_a[lane] = &chunk.pairs->a[i]->position.x, row_b[lane] = &chunk.pairs->b[i]->position.x;
    }
    const PosesW a(row_a), b(row_b);
    PairPosesW out;
    out.good = MaskW::from_bits(lanes);
    const Vec3W from = take_pose(a, out.orientation_a, out.good);
    out.offset = take_pose(b, out.orientation_b, out.good) - from;
    for (int k = 0; k < 4; ++k) out.raw_a[k] = a.orientation[k], out.raw_b[k] = b.orientation[k];
    take_identities(a, frame.identities[static_cast<int>(chunk.kind_a)], out.content_a, out.origin_radius_a);
    take_identities(b, chunk.frame_b->identities[static_cast<int>(chunk.kind_b)], out.content_b, out.origin_radius_b);
    return out;
}

// The largest rounding error of an offset.
ABUT_INLINE FloatW rounding_of(Vec3W offset) {
    const Vec3W m = abs(offset);
    return FloatW(kOffsetRounding) * (m.x + m.y + m.z);
}

// An orientation as three numbers of -1 to 1: the quaternion, or its opposite, projected from (0, 0, 0, -1). The
// projection at most doubles errors.
ABUT_INLINE Vec3W project(const QuatW& q) {
    return flip_sign(Vec3W{q.x, q.y, q.z}, q.w) * (FloatW(1.0f) / (FloatW(1.0f) + abs(q.w)));
}
ABUT_INLINE QuatW from_projection(Vec3W p) {
    const FloatW one = 1.0f, squared = length_squared(p), by = one / (one + squared);
    const Vec3W v = p * (by + by);
    return {v.x, v.y, v.z, (one - squared) * by};
}
// A projected orientation, in 16 bits per number.
struct PackedOrientationW {
    IntW x, y, z;
};
ABUT_INLINE PackedOrientationW pack(const QuatW& q) {
    const Vec3W p = project(q);
    return {to_16_bits(p.x), to_16_bits(p.y), to_16_bits(p.z)};
}
ABUT_INLINE QuatW unpack(const PackedOrientationW& packed) {
    return from_projection({from_16_bits(packed.x), from_16_bits(packed.y), from_16_bits(packed.z)});
}

// The distance between two quaternions (up to sign). The rotation between them moves a point at distance r by at most 2
// r times this.
ABUT_INLINE FloatW chord(const QuatW& now, const QuatW& before) {
    const FloatW along = now.x * before.x + now.y * before.y + now.z * before.z + now.w * before.w;
    const FloatW x = flip_sign(before.x, along) - now.x, y = flip_sign(before.y, along) - now.y;
    const FloatW z = flip_sign(before.z, along) - now.z, w = flip_sign(before.w, along) - now.w;
    return sqrt(x * x + y * y + z * z + w * w);
}

// B's pose relative to A, for a bound on the motion between two poses: `offset` and `orientation` in A's frame.
struct SeenFromAW {
    Vec3W offset;
    QuatW orientation;

    ABUT_INLINE SeenFromAW(Vec3W seen_offset, const QuatW& seen_orientation)
        : offset(seen_offset), orientation(seen_orientation) {}
    ABUT_INLINE SeenFromAW(Vec3W world_offset, const QuatW& a, const QuatW& b) {
        const Vec3W u = {-a.x, -a.y, -a.z}, v = {b.x, b.y, b.z}, across = cross(u, world_offset),
                    twice = across + across;
        offset = world_offset + twice * a.w + cross(u, twice);
        const Vec3W xyz = v * a.w + u * b.w + cross(u, v);
        orientation = {xyz.x, xyz.y, xyz.z, a.w * b.w - dot(u, v)};
    }
    ABUT_INLINE FloatW moved_since(const SeenFromAW& before, FloatW origin_radius) const {
        const Vec3W m = abs(before.offset);
        const FloatW rounding = FloatW(kSeenRounding) * (m.x + m.y + m.z + origin_radius);
        return sqrt(length_squared(offset - before.offset)) +
               FloatW(2.0f) * origin_radius * chord(orientation, before.orientation) + rounding;
    }
};

// A hash of all words of a record [Jenkins, one at a time]: three chains, each of every third word, to shorten
// dependencies; then a hash of the three.
class ChecksumW {
public:
    ABUT_INLINE void add(IntW word) { mix(chain_[next_++ % kChains], word); }
    ABUT_INLINE void add(FloatW word) { add(bits_of(word)); }
    ABUT_INLINE IntW value() const {
        IntW h = chain_[0];
        for (int i = 1; i < kChains; ++i) mix(h, chain_[i]);
        h = h + (h << 3);
        h = h ^ (h >> 11);
        return h + (h << 15);
    }

private:
    static constexpr int kChains = 3;
    static constexpr auto kStart = static_cast<std::int32_t>(0x9e3779b9);
    IntW chain_[kChains] = {kStart, kStart, kStart};
    int next_ = 0;

    ABUT_INLINE static void mix(IntW& h, IntW word) {
        h = h + word;
        h = h + (h << 10);
        h = h ^ (h >> 6);
    }
};

// The words of a record except the checksum.
struct StatementW {
    IntW head;
    Vec3W offset;
    IntW orientations[3];

    ABUT_INLINE StatementW(IntW known_head, Vec3W known_offset, IntW t0, IntW t1, IntW t2)
        : head(known_head), offset(known_offset), orientations{t0, t1, t2} {}
    // Cutting off bits reduces the gap, which is safe.
    ABUT_INLINE StatementW(const PairPosesW& poses, FloatW known_gap)
        : head((bits_of(known_gap) & IntW(static_cast<std::int32_t>(0xffff0000))) | IntW(kFarTag)),
          offset(poses.offset) {
        const PackedOrientationW a = pack(poses.orientation_a), b = pack(poses.orientation_b);
        orientations[0] = a.x | (a.y << 16), orientations[1] = a.z | (b.x << 16), orientations[2] = b.y | (b.z << 16);
    }

    ABUT_INLINE FloatW gap() const { return float_of(head & IntW(static_cast<std::int32_t>(0xffff0000))); }
    ABUT_INLINE QuatW orientation_a() const {
        return unpack({low(orientations[0]), orientations[0] >> 16, low(orientations[1])});
    }
    ABUT_INLINE QuatW orientation_b() const {
        return unpack({orientations[1] >> 16, low(orientations[2]), orientations[2] >> 16});
    }
    ABUT_INLINE IntW checksum(const PairPosesW& poses) const {
        ChecksumW checksum;
        checksum.add(head), checksum.add(offset.x), checksum.add(offset.y), checksum.add(offset.z);
        checksum.add(orientations[0]), checksum.add(orientations[1]), checksum.add(orientations[2]);
        checksum.add(poses.content_a), checksum.add(poses.content_b);
        return checksum.value();
    }

private:
    ABUT_INLINE static IntW low(IntW x) { return x & IntW(0xffff); }
};

}  // namespace motion_detail

ABUT_INLINE WarmCache& cache_of(const Chunk& chunk, std::uint32_t i) { return chunk.cache(i); }
ABUT_INLINE std::uint32_t tag_of(const WarmCache& cache) {
    std::uint32_t mark;
    std::memcpy(&mark, cache.opaque, sizeof mark);
    return mark;
}

// Removes the record of a search or a far pair; contacts stay.
ABUT_INLINE void forget(WarmCache& cache) { std::memset(cache.opaque, 0, sizeof(FarRecord)); }

// Returns those of `lanes` (all with records) that are still farther apart than `reach`, metres.
inline std::uint32_t is_beyond_reach(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach) {
    using namespace motion_detail;
    const float* rows[kLanes];
    const int first = lowest_bit(lanes);
    for (int lane = 0; lane < kLanes; ++lane)
        rows[lane] = reinterpret_cast<const float*>(cache_of(chunk, list[lanes >> lane & 1 ? lane : first]).opaque);
    FloatW w[4], x[4];
    transpose_records4(rows, w);
    transpose_records4(rows, x, 4);
    const StatementW known(bits_of(w[0]), {w[2], w[3], x[0]}, bits_of(x[1]), bits_of(x[2]), bits_of(x[3]));
    const PairPosesW now = load_pair_poses(chunk, list, lanes);
    const MaskW sealed = known.checksum(now) == bits_of(w[1]);
    const FloatW two = 2.0f, rounding = kOrientationRounding;
    const FloatW moved = sqrt(length_squared(now.offset - known.offset)) +
                         two * now.origin_radius_a * (chord(now.orientation_a, known.orientation_a()) + rounding) +
                         two * now.origin_radius_b * (chord(now.orientation_b, known.orientation_b()) + rounding) +
                         rounding_of(now.offset);
    return (now.good & sealed & (known.gap() - moved * FloatW(kMotionExcess) > reach)).bits() & lanes;
}

// Stores that `lanes` are at least `gap` apart, metres.
inline void store_far(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW gap) {
    using namespace motion_detail;
    const PairPosesW now = load_pair_poses(chunk, list, lanes);
    const StatementW statement(now, gap - rounding_of(now.offset));
    const LaneArray<std::int32_t> head = lanes_of(statement.head), checksum = lanes_of(statement.checksum(now));
    const LaneArray<std::int32_t> orientations[3] = {
        lanes_of(statement.orientations[0]), lanes_of(statement.orientations[1]), lanes_of(statement.orientations[2])};
    const LaneArray<float> x = lanes_of(statement.offset.x), y = lanes_of(statement.offset.y),
                           z = lanes_of(statement.offset.z);
    for_each_lane(now.good.bits() & lanes, [&](int lane) {
        const auto word = [lane](const LaneArray<std::int32_t>& of) { return static_cast<std::uint32_t>(of[lane]); };
        const FarRecord record = {word(head),
                                  word(checksum),
                                  {x[lane], y[lane], z[lane]},
                                  {word(orientations[0]), word(orientations[1]), word(orientations[2])}};
        std::memcpy(cache_of(chunk, list[lane]).opaque, &record, sizeof record);
    });
}

}  // namespace abut::ABUT_ISA_NAMESPACE
