#include "chunk/follow.hpp"

#include "separation/motion_bound.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

using namespace motion_detail;

// In the high half of a record's mark.
constexpr std::uint32_t kContacts = 0x7u << 16,  // how many follow
    kAxisFrame = 0x8u << 16,                     // a frame in which the axis has served instead
    kAxisFrames = 0xf8u << 16, kHasFollowed = 0x100u << 16;
constexpr int kWords = sizeof(FollowRecord) / 4, kFirstContact = offsetof(FollowRecord, contact) / 4, kContactWords = 5;

std::byte* record_of(const Chunk& chunk, std::uint32_t i) { return cache_of(chunk, i).opaque + kSearchBytes; }

IntW hash_of_poses(const PairPosesW& now) {
    SealW hash;
    hash.add(now.offset.x), hash.add(now.offset.y), hash.add(now.offset.z);
    for (int k = 0; k < 4; ++k) hash.add(now.raw_a[k]), hash.add(now.raw_b[k]);
    return hash.value();
}

// The records of a group, one word per lane, in the order of FollowRecord.
struct FollowRecordW {
    FloatW word[kWords];

    FollowRecordW() = default;
    ABUT_INLINE FollowRecordW(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes) {
        const float* rows[kLanes];
        const int first = lowest_bit(lanes);
        for (int lane = 0; lane < kLanes; ++lane)
            rows[lane] = reinterpret_cast<const float*>(record_of(chunk, list[lanes >> lane & 1 ? lane : first]));
        static_assert(kWords % 4 == 0);
        for (int i = 0; i < kWords; i += 4) {
            FloatW four[4];
            transpose_records4(rows, four, i);
            for (int k = 0; k < 4; ++k) word[i + k] = four[k];
        }
    }
    ABUT_INLINE void store(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes) const {
        for (int i = 0; i < kWords; i += 4) {
            const LaneRecords4 four(word[i], word[i + 1], word[i + 2], word[i + 3]);
            for_each_lane(lanes, [&](int lane) { std::memcpy(record_of(chunk, list[lane]) + 4 * i, four[lane], 16); });
        }
    }

    ABUT_INLINE IntW mark() const { return bits_of(word[0]); }
    ABUT_INLINE IntW count() const { return (mark() & IntW(static_cast<std::int32_t>(kContacts))) >> 16; }
    // Contacts of such a record are computed again where they do not follow. The new ones do. Either these have followed, or the axis has served for so
    // many frames that the pair may have come to rest. An axis costs several times as much as contacts that follow.
    ABUT_INLINE MaskW is_spent() const {
        const IntW followed = static_cast<std::int32_t>(kHasFollowed), frames = static_cast<std::int32_t>(kAxisFrames);
        return ((mark() & followed) == followed) | ((mark() & frames) == frames);
    }
    ABUT_INLINE IntW last() const { return bits_of(word[1]); }
    ABUT_INLINE SeenFromAW pose() const { return {vector(3), {word[6], word[7], word[8], word[9]}}; }
    ABUT_INLINE Vec3W normal() const { return vector(10); }
    ABUT_INLINE FloatW most() const { return word[13]; }
    ABUT_INLINE FloatW room() const { return abs(word[14]); }
    ABUT_INLINE FloatW deep() const { return word[15]; }
    ABUT_INLINE MaskW normal_is_of_b() const { return word[14] < FloatW(0.0f); }
    ABUT_INLINE Vec3W on_b(int k) const { return vector(kFirstContact + kContactWords * k); }
    ABUT_INLINE FloatW separation(int k) const { return word[kFirstContact + kContactWords * k + 3]; }
    ABUT_INLINE IntW feature(int k) const { return bits_of(word[kFirstContact + kContactWords * k + 4]); }

    ABUT_INLINE void set(int at, Vec3W v) { word[at] = v.x, word[at + 1] = v.y, word[at + 2] = v.z; }
    ABUT_INLINE void set_contact(int k, Vec3W on_b, FloatW separation, IntW feature) {
        const int at = kFirstContact + kContactWords * k;
        set(at, on_b);
        word[at + 3] = separation, word[at + 4] = float_of(feature);
    }
    // The checksum of all words but the tag, the previous pose and the checksum itself, of the count, and of all else that the contacts depend on.
    ABUT_INLINE IntW checksum(const Chunk& chunk, const PairPosesW& shapes, FloatW reach) const {
        SealW checksum;
        for (int i = 3; i < kWords; ++i) checksum.add(word[i]);
        checksum.add(count()), checksum.add(shapes.content_a), checksum.add(shapes.content_b), checksum.add(reach),
            checksum.add(FloatW(chunk.parameters->contact_slack)), checksum.add(FloatW(chunk.parameters->follow_distance));
        return checksum.value();
    }

private:
    static_assert(offsetof(FollowRecord, offset) == 12 && offsetof(FollowRecord, orientation) == 24 && offsetof(FollowRecord, normal) == 40 &&
                  offsetof(FollowRecord, most) == 52 && offsetof(FollowRecord, room) == 56 && offsetof(FollowRecord, deep) == 60 &&
                  sizeof(FollowRecord::contact[0]) == 4 * kContactWords);
    ABUT_INLINE Vec3W vector(int at) const { return {word[at], word[at + 1], word[at + 2]}; }
};

// The patch between the contacts: its middle, a disc around that which is in the patch, and the widest three contacts.
struct PatchW {
    Vec3W middle;
    FloatW radius;  // of the disc

    // `normal`: of the plane, about. Where there is no fourth contact it is the first one once more.
    ABUT_INLINE PatchW(const Vec3W (&at)[kManifoldPoints], MaskW has_four, Vec3W normal) : area_(0.0f) {
        FloatW widest = 0.0f, all = 0.0f;
        for (Vec3W& corner : corner_) corner = at[0];
        ABUT_UNROLL(4)
        for (int without = kManifoldPoints - 1; without >= 0; --without) {
            const Vec3W p = at[without == 0 ? 1 : 0], q = at[without <= 1 ? 2 : 1], r = at[without <= 2 ? 3 : 2], pq = q - p, pr = r - p;
            const FloatW twice = dot(cross(pq, pr), normal);
            const FloatW longest = max(length_squared(pq), max(length_squared(pr), length_squared(r - q)));
            // A triangle's middle is a third of its height from each side.
            const FloatW disc = abs(twice) / max(FloatW(3.0f) * sqrt(longest), FloatW(kTiny));
            const MaskW wider = disc > widest;
            widest = select(wider, disc, widest), all = all + disc, area_ = select(wider, twice, area_);
            corner_[0] = select(wider, p, corner_[0]), corner_[1] = select(wider, q, corner_[1]), corner_[2] = select(wider, r, corner_[2]);
            number_[0] = select(wider, IntW(without == 0 ? 1 : 0), number_[0]);
            number_[1] = select(wider, IntW(without <= 1 ? 2 : 1), number_[1]);
            number_[2] = select(wider, IntW(without <= 2 ? 3 : 2), number_[2]);
        }
        // The mean of four points is that of their four triangles' middles, and a mean of discs in a convex patch is in it as well.
        const Vec3W three = at[0] + at[1] + at[2];
        middle = select(has_four, (three + at[3]) * FloatW(0.25f), three * FloatW(1.0f / 3.0f));
        radius = select(has_four, all * FloatW(0.25f), widest);
    }
    // The gradient, in the plane of contact, of a height that all contacts have.
    ABUT_INLINE Vec3W rise(const FloatW (&height)[kManifoldPoints], Vec3W normal) const {
        const Vec3W pq = corner_[1] - corner_[0], pr = corner_[2] - corner_[0];
        const FloatW at_p = of(height, 0), to_q = of(height, 1) - at_p, to_r = of(height, 2) - at_p;
        return (cross(pr, normal) * to_q + cross(normal, pq) * to_r) * (FloatW(1.0f) / select(area_ == FloatW(0.0f), FloatW(1.0f), area_));
    }

private:
    Vec3W corner_[3];             // the widest three contacts
    IntW number_[3] = {0, 0, 0};  // which they are
    FloatW area_;                 // twice their area, with a sign

    ABUT_INLINE FloatW of(const FloatW (&value)[kManifoldPoints], int corner_number) const {
        const FloatW number = float_of(number_[corner_number]);
        FloatW out = value[0];
        for (int k = 1; k < kManifoldPoints; ++k) out = select(number == float_of(IntW(k)), value[k], out);
        return out;
    }
};

ABUT_INLINE Vec3W along_plane(Vec3W v, Vec3W normal) { return v - normal * dot(v, normal); }

// The contacts of a group where the bodies are now. A's frame, metres.
struct FollowedW {
    Vec3W normal, point[kManifoldPoints];
    FloatW separation[kManifoldPoints];
    IntW feature[kManifoldPoints];
    FloatW share;  // of the way to their middle, by which they have gone inwards

    // `stays_on_faces`: contacts go inwards by what keeps them on both faces.
    ABUT_INLINE FollowedW(const FollowRecordW& record, const SeenFromAW& old_pose, const SeenFromAW& new_pose, bool stays_on_faces) {
        const FloatW half = 0.5f, zero = 0.0f;
        const Mat3W old_rotation = to_matrix(old_pose.orientation, FloatW(1.0f)), new_rotation = to_matrix(new_pose.orientation, FloatW(1.0f));
        const MaskW of_b = record.normal_is_of_b();
        const Vec3W before = record.normal();
        normal = select(of_b, rotate(new_rotation, rotate_back(old_rotation, before)), before);
        Vec3W middle[kManifoldPoints], drift[kManifoldPoints];
        FloatW most = zero;
        ABUT_UNROLL(4)
        for (int k = 0; k < kManifoldPoints; ++k) {
            const Vec3W b = rotate(new_rotation, record.on_b(k)) + new_pose.offset;
            const Vec3W a = rotate(old_rotation, record.on_b(k)) + old_pose.offset - before * record.separation(k), offset = b - a;
            separation[k] = dot(offset, normal), feature[k] = record.feature(k);
            drift[k] = offset - normal * separation[k];
            middle[k] = a + offset * half;
            most = max(most, length_squared(drift[k]));
        }
        const PatchW patch(middle, record.count() == IntW(kManifoldPoints), normal);
        const Vec3W rise = patch.rise(separation, normal);
        share = stays_on_faces ? half * FloatW(kDriftExcess) * sqrt(most) / max(patch.radius, FloatW(kTiny)) : zero;
        // The plane that the normal is square to has no slope; the other's is that of the separations.
        const FloatW from_middle = select(of_b, half, -half);
        ABUT_UNROLL(4)
        for (int k = 0; k < kManifoldPoints; ++k) {
            const Vec3W inwards = along_plane(patch.middle - middle[k], normal) * share;
            const FloatW change = dot(rise, inwards + drift[k] * from_middle);
            separation[k] = separation[k] + change;
            point[k] = middle[k] + inwards - normal * (change * from_middle);
        }
    }
    // True if B's surface next to the deepest contact is in A. Its way inwards is the part of the way down to the point `deep` below A's middle.
    ABUT_INLINE MaskW overlap(FloatW deep) const {
        const FloatW mean = ((separation[0] + separation[1]) + (separation[2] + separation[3])) * FloatW(0.25f), deepest = least();
        const FloatW inwards = share - deepest / select(deep > FloatW(0.0f), deep, FloatW(kTiny));
        return (deep > FloatW(0.0f)) & (inwards <= FloatW(1.0f)) & (deepest + inwards * (mean - deepest) < FloatW(0.0f));
    }
    // The deepest first.
    ABUT_INLINE void sort() {
        ABUT_UNROLL(4)
        for (int k = 1; k < kManifoldPoints; ++k) {
            const MaskW deeper = separation[k] < separation[0];
            swap_if(deeper, separation[0], separation[k]), swap_if(deeper, feature[0], feature[k]), swap_if(deeper, point[0], point[k]);
        }
    }
    ABUT_INLINE FloatW least() const { return min(min(separation[0], separation[1]), min(separation[2], separation[3])); }
    ABUT_INLINE FloatW greatest() const { return max(max(separation[0], separation[1]), max(separation[2], separation[3])); }

private:
    template <class Value>
    ABUT_INLINE static void swap_if(MaskW wanted, Value& a, Value& b) {
        const Value first = select(wanted, b, a);
        b = select(wanted, a, b), a = first;
    }
};

ABUT_INLINE void store_followed(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, const FollowRecordW& record,
                                const PairPosesW& now, const FollowedW& followed) {
    const Mat3W axes = to_matrix(now.orientation_a, FloatW(1.0f));
    const IntW count = record.count();
    const std::uint32_t has_four = (count == IntW(4)).bits(), has_three = has_four | (count == IntW(3)).bits();
    const std::uint32_t has[kManifoldPoints] = {kAllLanes, has_three | (count == IntW(2)).bits(), has_three, has_four};
    // Each rotation by a rounded quaternion changes the length by some ulps.
    const Vec3W normal = rotate(axes, followed.normal);
    store_detail::put_manifolds(chunk, list, lanes, has, normal * (FloatW(1.0f) / sqrt(length_squared(normal))), now.offset, [&](int k) {
        return store_detail::WorldContactW{rotate(axes, followed.point[k]), followed.separation[k], followed.feature[k]};
    });
}

// Those of `moved` that do not follow and whose axis may serve wait in `near`.
ABUT_INLINE std::uint32_t wait_along_axis(const Chunk& chunk, const std::uint16_t* list, std::uint32_t moved, const FollowRecordW& record,
                                          const PairPosesW& now, FloatW motion, StateList<KeptAxisW>& near) {
    const FloatW slack = min(FloatW(chunk.parameters->contact_slack), FloatW(kSlackShare) * min(now.origin_radius_a, now.origin_radius_b));
    const MaskW little = (motion <= slack * FloatW(kKeptShare)) & (record.most() < FloatW(HUGE_VALF));
    const std::uint32_t taken = moved & little.bits();
    near.append(list, taken, {record.normal(), record.most() + motion});
    return taken;
}

}  // namespace

std::uint32_t answer_following(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach, StateList<KeptAxisW>& near) {
    const FollowRecordW record(chunk, list, lanes);
    const PairPosesW now = load_pair_poses(chunk, list, lanes);
    const IntW hash = hash_of_poses(now);
    const std::uint32_t resting = (hash == record.last()).bits() & now.good.bits() & lanes, moved = now.good.bits() & lanes & ~resting;
    const SeenFromAW new_pose(now.offset, now.orientation_a, now.orientation_b), old_pose = record.pose();
    const FloatW motion = new_pose.moved_since(old_pose, now.origin_radius_b), zero = 0.0f;
    const std::uint32_t sealed = (record.checksum(chunk, now, reach) == bits_of(record.word[2])).bits() & moved;
    const bool is_exact = !(chunk.parameters->follow_distance > 0.0f);
    FollowedW followed(record, old_pose, new_pose, is_exact);
    MaskW stays = (motion <= record.room()) & (followed.greatest() <= reach);
    if (is_exact)
        stays &= (followed.share <= FloatW(kMostInwards)) &
                 ((followed.least() > zero) | (record.most() + motion <= zero) | followed.overlap(record.deep()));
    const std::uint32_t follows = stays.bits() & sealed;
    if (follows != 0) followed.sort(), store_followed(chunk, list, follows, record, now, followed);
    const std::uint32_t spent = is_exact ? record.is_spent().bits() : kAllLanes;
    const std::uint32_t along_axis = wait_along_axis(chunk, list, sealed & ~(follows | spent), record, now, motion, near);
    const LaneArray<std::int32_t> last = lanes_of(hash), mark = lanes_of(record.mark());
    for_each_lane(lanes & now.good.bits(), [&](int lane) {
        const std::uint32_t bit = 1u << lane, was = static_cast<std::uint32_t>(mark[lane]);
        std::uint32_t words[2] = {was, static_cast<std::uint32_t>(last[lane])};
        if ((resting & bit) != 0)
            words[0] = kRestingMark;
        else if ((follows & bit) != 0)
            words[0] |= kHasFollowed;
        else if ((along_axis & bit) != 0)
            words[0] += kAxisFrame;
        else
            words[0] = (spent & bit) != 0 ? 0 : kMovingMark | kFramesToWait << 16;
        std::memcpy(record_of(chunk, list[lane]), words, sizeof words);
    });
    return follows | along_axis;
}

void store_follow_record(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach, const AnsweredW& answered) {
    const ToWorldW& to_world = answered.to_world;
    const ManifoldW& manifold = answered.manifold;
    const FloatW zero = 0.0f, half = 0.5f;
    const PairPosesW now = load_pair_poses(chunk, list, lanes);
    const SeenFromAW new_pose(now.offset, now.orientation_a, now.orientation_b);
    const Mat3W axes = to_matrix(now.orientation_a, FloatW(1.0f)), rotation = to_matrix(new_pose.orientation, FloatW(1.0f));
    const MaskW has_two = MaskW::from_bits(manifold.has[1]), has_face = MaskW::from_bits(manifold.has[kContactsOfFaces - 1]),
                has_four = MaskW::from_bits(manifold.has[kManifoldPoints - 1]);
    FollowRecordW record;
    const Vec3W normal = manifold.normal * (FloatW(1.0f) / sqrt(length_squared(manifold.normal)));
    Vec3W middle[kManifoldPoints];
    FloatW height_a[kManifoldPoints], height_b[kManifoldPoints];
    for (int k = 0; k < kManifoldPoints; ++k) {
        // The first one once more where there is no other.
        const MaskW has = MaskW::from_bits(k == 0 ? kAllLanes : manifold.has[k]);
        const Vec3W point = select(has, manifold.point[k], manifold.point[0]);
        const FloatW apart = select(has, manifold.separation[k], manifold.separation[0]) * to_world.unit;
        const IntW feature = select(has, manifold.feature[k], manifold.feature[0]);
        middle[k] = rotate_back(axes, store_detail::world_point(to_world, point));
        const FloatW height = dot(middle[k], normal);
        height_a[k] = height - apart * half, height_b[k] = height + apart * half;
        record.set_contact(k, rotate_back(rotation, middle[k] + normal * (apart * half) - new_pose.offset), apart, feature);
    }
    const PatchW patch(middle, has_four, normal);
    const FloatW level = kLevelSlope * kLevelSlope;
    const MaskW of_a = length_squared(patch.rise(height_a, normal)) <= level, of_b = length_squared(patch.rise(height_b, normal)) <= level;
    const Vec3W m = abs(new_pose.offset);
    const MaskW near = FloatW(kFollowRounding) * (m.x + m.y + m.z + now.origin_radius_b) <= answered.tolerance;
    const MaskW exact = near & MaskW::from_bits(~to_world.far_lanes & kAllLanes);
    const FloatW deepest = manifold.separation[0] * to_world.unit;
    const FloatW spent = abs(deepest - answered.distance) + (answered.most - answered.distance);
    FloatW room = min(FloatW(kFollowShare) * answered.slack, half * (answered.slack - spent));
    MaskW follow = has_face & (of_a | of_b) & exact & (room > zero);
    if (const float asked = chunk.parameters->follow_distance; asked > 0.0f) {
        room = min(FloatW(asked), FloatW(kMostFollowed) * min(now.origin_radius_a, now.origin_radius_b));
        follow = exact;
    }
    const IntW none = 0, few = select(has_two, IntW(2 << 16), IntW(1 << 16)),
               count = select(has_four, IntW(4 << 16), select(has_face, IntW(3 << 16), few));
    for (int i = kFirstContact; i < kWords; ++i) record.word[i] = select(follow, record.word[i], zero);
    record.word[0] = float_of(IntW(static_cast<std::int32_t>(kFollowTag)) | select(follow, count, none));
    record.word[1] = float_of(hash_of_poses(now));
    record.set(3, new_pose.offset);
    record.word[6] = new_pose.orientation.x, record.word[7] = new_pose.orientation.y, record.word[8] = new_pose.orientation.z,
    record.word[9] = new_pose.orientation.w;
    record.set(10, select(follow, normal, answered.normal));
    record.word[13] = select(has_face, answered.most, FloatW(HUGE_VALF));
    record.word[14] = select(follow, select(of_a | ~of_b, room, -room), zero);
    record.word[15] = select(follow, answered.deep, zero);
    record.word[2] = float_of(record.checksum(chunk, now, reach));
    record.store(chunk, list, lanes & now.good.bits());
}

}  // namespace abut::ABUT_ISA_NAMESPACE
