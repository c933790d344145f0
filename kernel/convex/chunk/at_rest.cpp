#include "convex/chunk/at_rest.hpp"

#include "convex/separation/motion_bound.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

using namespace motion_detail;

// In a mark, beside the number of misses (warm_marks.hpp):
constexpr int kCountShift = 16;
constexpr std::uint32_t kCount = 7u << kCountShift,
                        kHasAnswered = 1u << 19,  // set in a later frame: storing the contacts has paid
    kNormalOfB = 1u << 22,                        // the normal rotates with B
    kIsSwapped = 1u << 31;                        // A was the caller's b
constexpr int kMark = 0, kChecksum = 1, kMargin = 2, kOffset = 3, kOrientationA = 6, kOrientationB = 10, kManifold = 14,
              kContact = 17, kContactWords = 5;
static_assert(offsetof(AtRestRecord, checksum) == 4 * kChecksum && offsetof(AtRestRecord, margin) == 4 * kMargin &&
              offsetof(AtRestRecord, offset) == 4 * kOffset &&
              offsetof(AtRestRecord, orientation_a) == 4 * kOrientationA &&
              offsetof(AtRestRecord, orientation_b) == 4 * kOrientationB &&
              offsetof(AtRestRecord, manifold) == 4 * kManifold && sizeof(AtRestRecord) == 4 * kRecordWords &&
              sizeof(ManifoldRecord) == 4 * (kRecordWords - kManifold) && sizeof(Contact) == 4 * kContactWords);

// The records of a group, as one vector per word.
struct AtRestRecordW {
    FloatW word[kRecordWords];

    ABUT_INLINE explicit AtRestRecordW(const RecordRows& rows) { load_rows(rows.row, word); }

    ABUT_INLINE MaskW is_at(const PairPosesW& now, FloatW reach) const {
        MaskW same = (word[kOffset] == now.offset.x) & (word[kOffset + 1] == now.offset.y) &
                     (word[kOffset + 2] == now.offset.z) & (word[kMargin] == reach);
        for (int k = 0; k < 4; ++k)
            same &= (word[kOrientationA + k] == now.raw_a[k]) & (word[kOrientationB + k] == now.raw_b[k]);
        return same;
    }
    ABUT_INLINE Vec3W vector(int at) const { return {word[at], word[at + 1], word[at + 2]}; }
    ABUT_INLINE QuatW orientation(int at) const {
        const FloatW* const q = word + at;
        const FloatW by = FloatW(1.0f) / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        return {q[0] * by, q[1] * by, q[2] * by, q[3] * by};
    }
    ABUT_INLINE MaskW has(std::uint32_t flag) const {
        const IntW bit = static_cast<std::int32_t>(flag);
        return (bits_of(word[kMark]) & bit) == bit;
    }
    ABUT_INLINE IntW checksum() const { return bits_of(word[kChecksum]); }
    // A checksum of the other words and of everything else that the contacts depend on.
    ABUT_INLINE IntW sum(const Chunk& chunk, const PairPosesW& now) const {
        ChecksumW all;
        ABUT_UNROLL(40)
        for (int i = kMargin; i < kRecordWords; ++i) all.add(word[i]);
        all.add(bits_of(word[kMark]) & IntW(static_cast<std::int32_t>(~(kHasAnswered | kMisses))));
        all.add(now.content_a), all.add(now.content_b), all.add(FloatW(chunk.parameters->contact_slack));
        return all.value();
    }
};

// The contacts of a group that move with the bodies, in the caller's order. World axes, metres.
struct MovedContactsW {
    FloatW word[kRecordWords - kManifold];  // as in ManifoldRecord
    MaskW moves;                            // lanes whose separations err by no more than the caller allows
    MaskW is_partly_beyond;                 // lanes with a contact beyond the margin

    // `swapped`: A is the caller's b, now and in the record. A contact is computed from c, its position relative to B:
    // c has the same bits in both orders. Let T and U be the rotations of A and B since then, less the identity, n the
    // old normal, s a contact's separation and o the offset of B. The contact has the points c + o - n s / 2 on A and c
    // + n s / 2 on B, and
    //   their difference becomes  (n + T n) s + step - T o + (U - T) (c + n s / 2),
    //   their mean becomes  c + o + step / 2 + (T o + (T + U) c + (U - T) n s / 2) / 2.
    ABUT_INLINE MovedContactsW(const Chunk& chunk, const AtRestRecordW& record, const PairPosesW& now, FloatW reach,
                               MaskW swapped) {
        const FloatW zero = 0.0f, half = 0.5f;
        const Vec3W offset = record.vector(kOffset), step = now.offset - offset;
        const QuatW turned_a = rotation_between(record.orientation(kOrientationA), now.orientation_a),
                    turned_b = rotation_between(record.orientation(kOrientationB), now.orientation_b);
        const Mat3W turn_a = less_identity(turned_a), turn_b = less_identity(turned_b);
        const Vec3W n = flip(record.vector(kManifold), swapped), n_a = rotate(turn_a, n), n_b = rotate(turn_b, n),
                    moved_n = n + select(record.has(kNormalOfB), n_b, n_a), tilt = n_b - n_a;
        const Vec3W normal = moved_n * (FloatW(1.0f) / sqrt(length_squared(moved_n)));
        // A bound on the motion of B's points as seen from A. A rotation moves a point by at most its distance times
        // twice the quaternion's vector part.
        const Vec3W m = abs(offset), turned_offset = rotate(turn_a, offset), seen = step - turned_offset;
        const QuatW turned = rotation_between(turned_a, turned_b);
        const FloatW motion =
            sqrt(length_squared(seen)) +
            FloatW(2.0f) * now.origin_radius_b * sqrt(length_squared(Vec3W{turned.x, turned.y, turned.z})) +
            FloatW(kSeenRounding) * (m.x + m.y + m.z + now.origin_radius_b);
        const Vec3W slope = rotate_back(turn_b, normal) - rotate_back(turn_a, normal);
        const FloatW approach = dot(normal, seen), along = dot(normal, n + n_a) + half * dot(slope, n);
        const Mat3W mean = {(turn_a.x + turn_b.x) * half, (turn_a.y + turn_b.y) * half, (turn_a.z + turn_b.z) * half};
        const Vec3W middle = offset + (step + turned_offset) * half, quarter = tilt * FloatW(0.25f);
        Vec3W point[kManifoldPoints];
        FloatW separation[kManifoldPoints], changed = zero, greatest = -HUGE_VALF;
        IntW feature[kManifoldPoints];
        ABUT_UNROLL(4)
        for (int k = 0; k < kManifoldPoints; ++k) {
            const int at = kContact + kContactWords * k;
            const FloatW before = record.word[at + 3];
            const Vec3W stored = record.vector(at), c = select(swapped, stored, stored - offset);
            separation[k] = approach + (along * before + dot(slope, c));
            point[k] = c + (middle + (rotate(mean, c) + quarter * before));
            feature[k] = bits_of(record.word[at + 4]);
            changed = max(changed, abs(separation[k] - before)), greatest = max(greatest, separation[k]);
        }
        const FloatW most = min(FloatW(chunk.parameters->follow_distance),
                                FloatW(2 * kMostFollowed) * min(now.origin_radius_a, now.origin_radius_b));
        put_deepest_first(separation, feature, point);
        moves = (motion + changed + max(reach - record.word[kMargin], zero) <= most) & (separation[0] <= reach) &
                (length_squared(tilt) <= FloatW(kMostTurned * kMostTurned));
        is_partly_beyond = greatest > reach;
        put(0, flip(normal, swapped));
        ABUT_UNROLL(4)
        for (int k = 0; k < kManifoldPoints; ++k) {
            const int at = kContact - kManifold + kContactWords * k;
            put(at, select(swapped, point[k] - now.offset, point[k]));
            word[at + 3] = separation[k], word[at + 4] = float_of(feature[k]);
        }
    }

private:
    ABUT_INLINE static Vec3W flip(Vec3W v, MaskW swapped) { return select(swapped, -v, v); }
    ABUT_INLINE void put(int at, Vec3W v) { word[at] = v.x, word[at + 1] = v.y, word[at + 2] = v.z; }
};

// Leaves out contacts beyond the margin, except the first. Returns the number of remaining contacts.
std::uint8_t leave_out_beyond(float margin, Contact* contacts, std::uint32_t count) {
    std::uint8_t kept = 1;
    for (std::uint32_t k = 1; k < count; ++k)
        if (contacts[k].separation <= margin) contacts[kept++] = contacts[k];
    return kept;
}

}  // namespace

std::uint32_t answer_at_rest(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach) {
    const RecordRows rows(chunk, list, lanes);
    const AtRestRecordW record(rows);
    const PairPosesW now = load_pair_poses(chunk, list, lanes);
    const MaskW swapped = swapped_lanes(chunk, list), sealed = record.sum(chunk, now) == record.checksum();
    const std::uint32_t usable = (now.good & sealed).bits() & ~(swapped.bits() ^ record.has(kIsSwapped).bits()) & lanes;
    const std::uint32_t at_rest = record.is_at(now, reach).bits() & usable;
    const OutputView& out = *chunk.out;
    // Sets the number of contacts; returns the manifold.
    const auto answer = [&](int lane) -> ManifoldRecord& {
        const std::uint32_t pair = chunk.pair(list[lane]), mark = rows.mark(lane);
        out.contact_count[pair] = static_cast<std::uint8_t>((mark & kCount) >> kCountShift);
        if ((mark & (kHasAnswered | kMisses)) != kHasAnswered) rows.set_mark(lane, (mark & ~kMisses) | kHasAnswered);
        return out.manifolds[pair];
    };
    for_each_lane(at_rest, [&](int lane) {
        std::memcpy(static_cast<void*>(&answer(lane)), rows.row[lane] + kManifold, sizeof(ManifoldRecord));
    });
    std::uint32_t answered = at_rest, partly_beyond = 0;
    const bool is_asked = chunk.parameters->follow_distance > 0.0f;
    if (is_asked && at_rest != usable) {
        const MovedContactsW moved(chunk, record, now, reach, swapped);
        const std::uint32_t moving = moved.moves.bits() & usable & ~at_rest;
        ManifoldRecord other_lanes;
        float* row[kLanes];
        for (float*& to : row) to = &other_lanes.normal.x;
        for_each_lane(moving, [&](int lane) { row[lane] = &answer(lane).normal.x; });
        store_rows(moved.word, kRecordWords - kManifold, [&](int lane) { return row[lane]; });
        answered |= moving, partly_beyond = moving & moved.is_partly_beyond.bits();
    }
    if (partly_beyond != 0) {
        const LaneArray<float> margin = lanes_of(reach);
        for_each_lane(partly_beyond, [&](int lane) {
            const std::uint32_t pair = chunk.pair(list[lane]);
            out.contact_count[pair] =
                leave_out_beyond(margin[lane], out.manifolds[pair].contacts, out.contact_count[pair]);
        });
    }
    for_each_lane(now.good.bits() & lanes & ~answered, [&](int lane) {
        const std::uint32_t mark = rows.mark(lane);
        const bool waits = is_asked && (mark & kHasAnswered) == 0;
        rows.set_mark(lane, waits ? moving_mark((mark & kMisses) >> kMissesShift) : 0);
    });
    return answered;
}

void store_at_rest(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach,
                   std::uint32_t normal_of_b) {
    const PairPosesW now = load_pair_poses(chunk, list, lanes);
    const std::uint32_t good = now.good.bits() & lanes;
    const RecordRows rows(chunk, list, good);
    for_each_lane(good, [&](int lane) {
        const std::uint32_t pair = chunk.pair(list[lane]), count = chunk.out->contact_count[pair];
        ManifoldRecord manifold;
        std::memcpy(static_cast<void*>(&manifold), &chunk.out->manifolds[pair], sizeof manifold);
        for (std::uint32_t k = count; k < kMaxContacts; ++k) manifold.contacts[k] = manifold.contacts[0];
        rows.set_mark(lane, kAtRestTag | (rows.mark(lane) & kMisses) | count << kCountShift |
                                ((normal_of_b >> lane & 1) != 0 ? kNormalOfB : 0) |
                                (chunk.is_swapped(list[lane]) ? kIsSwapped : 0));
        std::memcpy(rows.row[lane] + kManifold, &manifold, sizeof manifold);
    });
    const FloatW pose[] = {reach,        now.offset.x, now.offset.y, now.offset.z, now.raw_a[0], now.raw_a[1],
                           now.raw_a[2], now.raw_a[3], now.raw_b[0], now.raw_b[1], now.raw_b[2], now.raw_b[3]};
    store_rows(pose, std::size(pose), [&](int lane) { return rows.row[lane] + kMargin; });
    const LaneArray<std::int32_t> checksum = lanes_of(AtRestRecordW(rows).sum(chunk, now));
    for_each_lane(good,
                  [&](int lane) { std::memcpy(rows.row[lane] + kChecksum, &checksum[lane], sizeof checksum[lane]); });
}

}  // namespace abut::ABUT_ISA_NAMESPACE
