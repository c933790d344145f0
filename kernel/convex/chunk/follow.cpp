#include "convex/chunk/follow.hpp"

#include "convex/chunk/record_rows.hpp"
#include "convex/separation/motion_bound.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

using namespace motion_detail;
using manifold_detail::tangent;

// Bits in the high half of a record's first word, beside those of warm_marks.hpp.
constexpr std::uint32_t kContacts = 0x7u << 16,        // number of contacts that follow
    kOneFrame = 0x1u << 22, kMostFrames = 0x3u << 22;  // the number of frames in which the contacts have followed
constexpr int kTiltShift = 24;                         // the first bit of the largest tilt for which contacts follow
constexpr float kTiltSteps = 255.0f / kMostTurned;
constexpr int kContactWords = 6, kChecksum = 1, kPose = 2, kNormal = 8, kSlopeA = 10, kBounds = 11, kShape = 12,
              kFirstContact = 13;

// The high half of a float, stored in either half of a word and rounded towards zero or upwards.
constexpr std::int32_t kHighHalf = -0x10000, kIsDeep = 0x10000;
ABUT_INLINE FloatW high_of(IntW word) { return float_of(word & IntW(kHighHalf)); }
ABUT_INLINE FloatW low_of(IntW word) { return float_of(word << 16); }
ABUT_INLINE IntW pack_halves(FloatW high, FloatW low) {
    return (bits_of(high) & IntW(kHighHalf)) | (bits_of(low) >> 16);
}
ABUT_INLINE FloatW rounded_up(FloatW x) {
    return float_of(bits_of(x) + select(x > FloatW(0.0f), IntW(0xffff), IntW(0)));
}
// Converts a number from -1 to 1 into 8 bits.
ABUT_INLINE IntW to_8_bits(FloatW x) { return bits_of(x * FloatW(127.0f) + FloatW(12582912.0f)) & IntW(0xff); }
ABUT_INLINE FloatW from_8_bits(IntW x) {
    return (float_of((x ^ IntW(0x80)) | IntW(0x4b000000)) - FloatW(8388608.0f + 128.0f)) * FloatW(1.0f / 127.0f);
}
// The largest slope that a record can hold.
ABUT_INLINE FloatW most_slope(MaskW has_room) { return select(has_room, FloatW(kMostSlope), FloatW(kMostRise)); }
// A unit vector from two numbers of -1 to 1 and the sign of z: the vector, or its opposite, projected from (0, 0, -1).
ABUT_INLINE Vec3W unit_from_projection(FloatW px, FloatW py, FloatW sign_of_z) {
    const FloatW one = 1.0f, squared = px * px + py * py, by = one / (one + squared);
    return flip_sign(Vec3W{px * (by + by), py * (by + by), (one - squared) * by}, sign_of_z);
}
// Converts a tilt from 0 to kMostTurned into bits, rounded down.
ABUT_INLINE IntW to_tilt_bits(FloatW tilt) {
    return bits_of(max(tilt * FloatW(kTiltSteps) - FloatW(0.5f), FloatW(0.0f)) + FloatW(8388608.0f)) << kTiltShift;
}

// The records of a group, as one vector per word, in the order of FollowRecord.
struct FollowRecordW {
    FloatW word[kRecordWords];

    FollowRecordW() = default;
    ABUT_INLINE explicit FollowRecordW(const RecordRows& rows) { load_rows(rows.row, word); }
    ABUT_INLINE void store(const RecordRows& rows) const {
        store_rows(word, kRecordWords, [&](int lane) { return rows.row[lane]; });
    }

    ABUT_INLINE IntW mark() const { return bits_of(word[0]); }
    ABUT_INLINE IntW count() const { return (mark() & IntW(static_cast<std::int32_t>(kContacts))) >> 16; }
    ABUT_INLINE FloatW most_tilt() const {
        return (float_of((mark() >> kTiltShift) | IntW(0x4b000000)) - FloatW(8388608.0f)) * FloatW(1.0f / kTiltSteps);
    }
    // The number of frames in which the contacts have followed, as bits of the mark.
    ABUT_INLINE IntW frames() const { return mark() & IntW(static_cast<std::int32_t>(kMostFrames)); }
    ABUT_INLINE SeenFromAW pose() const { return {vector(kPose), from_projection(vector(kPose + 3))}; }
    ABUT_INLINE MaskW is_at(const SeenFromAW& now) const {
        return are_equal(vector(kPose), now.offset) & are_equal(vector(kPose + 3), project(now.orientation));
    }
    ABUT_INLINE Vec3W normal() const { return unit_from_projection(word[kNormal], word[kNormal + 1], word[kSlopeA]); }
    ABUT_INLINE FloatW margin() const { return abs(high_of(bits_of(word[kBounds]))); }
    ABUT_INLINE MaskW has_long_room() const { return MaskW((bits_of(word[kBounds]) >> 31) == IntW(1)); }
    ABUT_INLINE FloatW room() const { return abs(low_of(bits_of(word[kBounds]))); }
    ABUT_INLINE MaskW normal_is_of_b() const { return low_of(bits_of(word[kBounds])) < FloatW(0.0f); }
    ABUT_INLINE FloatW smaller() const { return abs(high_of(bits_of(word[kShape]))); }
    ABUT_INLINE MaskW is_deep() const { return MaskW((bits_of(word[kShape]) & IntW(kIsDeep)) == IntW(kIsDeep)); }
    ABUT_INLINE MaskW has_room() const { return MaskW((bits_of(word[kShape]) >> 31) == IntW(1)); }
    ABUT_INLINE SlopeW slope_a() const { return slope(word[kSlopeA]); }
    ABUT_INLINE SlopeW slope_b() const { return slope(word[kShape]); }
    ABUT_INLINE Vec3W on_a(int k) const { return vector(kFirstContact + kContactWords * k); }
    ABUT_INLINE FloatW separation(int k) const { return word[kFirstContact + kContactWords * k + 3]; }
    ABUT_INLINE IntW feature(int k) const { return bits_of(word[kFirstContact + kContactWords * k + 4]); }
    ABUT_INLINE IntW law(int k) const { return bits_of(word[kFirstContact + kContactWords * k + 5]); }

    // Sets the mark, but keeps the previous mark's number of misses.
    ABUT_INLINE void set_mark(const RecordRows& rows, IntW contacts_and_tilt) {
        LaneArray<std::int32_t> before;
        for (int lane = 0; lane < kLanes; ++lane) before[lane] = static_cast<std::int32_t>(rows.mark(lane));
        const IntW misses = load(before) & IntW(static_cast<std::int32_t>(kMisses));
        word[0] = float_of(IntW(static_cast<std::int32_t>(kFollowTag)) | misses | contacts_and_tilt);
    }
    ABUT_INLINE void set_pose(const SeenFromAW& now) {
        set(kPose, now.offset), set(kPose + 3, project(now.orientation));
    }
    ABUT_INLINE void set_normal(Vec3W n) {
        const Vec3W up = flip_sign(n, n.z);
        const FloatW by = FloatW(1.0f) / (FloatW(1.0f) + up.z);
        word[kNormal] = up.x * by, word[kNormal + 1] = up.y * by;
        word[kSlopeA] = float_of(bits_of(n.z) & IntW(INT32_MIN));
    }
    ABUT_INLINE void set_bounds(FloatW margin, FloatW room, MaskW is_long) {
        word[kBounds] = float_of(pack_halves(rounded_up(margin), room) | select(is_long, IntW(INT32_MIN), IntW(0)));
    }
    // Must be called after set_normal.
    ABUT_INLINE void set_shape(FloatW smaller, MaskW deep, MaskW with_room, SlopeW of_a, SlopeW of_b) {
        const IntW none = 0, flags = select(with_room, IntW(INT32_MIN), none) | select(deep, IntW(kIsDeep), none);
        const FloatW by = FloatW(1.0f) / most_slope(with_room);
        const auto pack = [by](SlopeW slope) { return (to_8_bits(slope.x * by) << 8) | to_8_bits(slope.y * by); };
        word[kShape] = float_of(flags | (bits_of(smaller) & IntW(kHighHalf & ~kIsDeep)) | pack(of_b));
        word[kSlopeA] = float_of(bits_of(word[kSlopeA]) | pack(of_a));
    }
    ABUT_INLINE void set_contact(int k, Vec3W on_a, FloatW separation, IntW feature, IntW law) {
        const int at = kFirstContact + kContactWords * k;
        set(at, on_a);
        word[at + 3] = separation, word[at + 4] = float_of(feature), word[at + 5] = float_of(law);
    }
    ABUT_INLINE void forget_contacts(MaskW lanes) {
        for (int i = kFirstContact; i < kRecordWords; ++i) word[i] = select(lanes, FloatW(0.0f), word[i]);
    }
    // A checksum of all other words and of everything else that the contacts depend on.
    ABUT_INLINE void set_checksum(const Chunk& chunk, const PairPosesW& shapes) {
        word[kChecksum] = float_of(sum(chunk, shapes));
    }
    ABUT_INLINE MaskW is_sealed(const Chunk& chunk, const PairPosesW& shapes) const {
        return MaskW(sum(chunk, shapes) == bits_of(word[kChecksum]));
    }

private:
    static_assert(offsetof(FollowRecord, checksum) == 4 * kChecksum && offsetof(FollowRecord, offset) == 4 * kPose &&
                  offsetof(FollowRecord, normal) == 4 * kNormal &&
                  offsetof(FollowRecord, margin_and_room) == 4 * kBounds &&
                  offsetof(FollowRecord, normal_and_slope_a) == 4 * kSlopeA &&
                  offsetof(FollowRecord, smaller_and_slope_b) == 4 * kShape &&
                  offsetof(FollowRecord, contact) == 4 * kFirstContact &&
                  sizeof(FollowRecord::contact[0]) == 4 * kContactWords && sizeof(FollowRecord) == 4 * kRecordWords);
    ABUT_INLINE static MaskW are_equal(Vec3W p, Vec3W q) { return (p.x == q.x) & (p.y == q.y) & (p.z == q.z); }
    ABUT_INLINE SlopeW slope(FloatW packed) const {
        const FloatW by = most_slope(has_room());
        return {from_8_bits((bits_of(packed) >> 8) & IntW(0xff)) * by, from_8_bits(bits_of(packed) & IntW(0xff)) * by};
    }
    ABUT_INLINE Vec3W vector(int at) const { return {word[at], word[at + 1], word[at + 2]}; }
    ABUT_INLINE void set(int at, Vec3W v) { word[at] = v.x, word[at + 1] = v.y, word[at + 2] = v.z; }
    ABUT_INLINE IntW sum(const Chunk& chunk, const PairPosesW& shapes) const {
        ChecksumW checksum;
        ABUT_UNROLL(40)
        for (int i = kPose; i < kRecordWords; ++i) checksum.add(word[i]);
        checksum.add(mark() & IntW(~static_cast<std::int32_t>(0xffff | kMostFrames | kMisses))),
            checksum.add(shapes.content_a), checksum.add(shapes.content_b);
        checksum.add(FloatW(chunk.parameters->contact_slack));
        return checksum.value();
    }
};

// The radius of a disc inside the contacts' patch. `normal`: the plane's, approximately. A missing fourth contact
// repeats the first one.
ABUT_INLINE FloatW inner_radius(const Vec3W (&at)[kManifoldPoints], MaskW has_four, Vec3W normal) {
    FloatW widest = 0.0f, all = 0.0f;
    ABUT_UNROLL(4)
    for (int without = kManifoldPoints - 1; without >= 0; --without) {
        const Vec3W p = at[without == 0 ? 1 : 0], q = at[without <= 1 ? 2 : 1], r = at[without <= 2 ? 3 : 2],
                    pq = q - p, pr = r - p;
        const FloatW longest = max(length_squared(pq), max(length_squared(pr), length_squared(r - q)));
        // The distance of a triangle's centroid from each edge is a third of the height over that edge.
        const FloatW disc = abs(dot(cross(pq, pr), normal)) / max(FloatW(3.0f) * sqrt(longest), FloatW(kTiny));
        widest = max(widest, disc), all = all + disc;
    }
    // The centroid of four points is the mean of the centroids of their four triangles. A mean of discs in a convex
    // patch is also in the patch.
    return select(has_four, all * FloatW(0.25f), widest);
}

// The contact slack of shapes of this size, metres.
ABUT_INLINE FloatW slack_of(FloatW smaller, float contact_slack) {
    return min(FloatW(contact_slack), FloatW(kSlackShare) * smaller);
}
// True if the signed distance of two overlapping shapes is certainly near the separation of their deepest contact: the
// contact is at most half the slack deep, or the shapes overlap in a patch that is wider than deep.
ABUT_INLINE MaskW is_shallow(FloatW deepest, MaskW is_patch, FloatW smaller, float contact_slack) {
    const FloatW half = 0.5f;
    return (deepest >= -half * slack_of(smaller, contact_slack)) |
           (is_patch & (deepest >= -FloatW(kPatchDepth * kDeepBelowShare) * smaller));
}

// The contacts of a group at the present poses. A's frame, metres.
struct FollowedW {
    Vec3W normal, point[kManifoldPoints];
    FloatW separation[kManifoldPoints];
    IntW feature[kManifoldPoints];
    FloatW tilt;  // radians: rotation of B against A, as seen by the contact normal, since the record was made

    ABUT_INLINE FollowedW(const FollowRecordW& record, const SeenFromAW& before, const SeenFromAW& now) {
        const FloatW half = 0.5f, zero = 0.0f;
        const Mat3W turn = less_identity(rotation_between(before.orientation, now.orientation));
        const Vec3W n = record.normal(), x = tangent(n), y = cross(n, x), turned_n = rotate(turn, n),
                    step = now.offset - before.offset;
        const MaskW of_b = record.normal_is_of_b();
        const FloatW steepest = select(record.has_room(), FloatW(kSteepestLaw), FloatW(kSteepestShortLaw));
        normal = select(of_b, n + turned_n, n);
        tilt = sqrt(length_squared(turned_n));
        FloatW across[kManifoldPoints], dx[kManifoldPoints], dy[kManifoldPoints];
        ABUT_UNROLL(4)
        for (int k = 0; k < kManifoldPoints; ++k) {
            const Vec3W on_a = record.on_a(k), apart = n * record.separation(k);
            const Vec3W b_from_a = apart + step + rotate(turn, on_a + apart - before.offset);
            across[k] = dot(normal, b_from_a);
            const Vec3W moved = b_from_a - normal * across[k];
            dx[k] = dot(x, moved), dy[k] = dot(y, moved);
        }
        const FloatW turned = dot(y, rotate(turn, x)), tilt_x = dot(x, turned_n), tilt_y = dot(y, turned_n);
        const SlopeW slope_a = record.slope_a(), slope_b = record.slope_b();
        // B tilts against the normal, or the normal tilts with B.
        const SlopeW tilted_b = {slope_b.x - select(of_b, zero, tilt_x), slope_b.y - select(of_b, zero, tilt_y)};
        const SlopeW between = {slope_b.x - slope_a.x - tilt_x, slope_b.y - slope_a.y - tilt_y};
        ABUT_UNROLL(4)
        for (int k = 0; k < kManifoldPoints; ++k) {
            const SlideW slide = slide_by(record.law(k), steepest, dx[k], dy[k], turned);
            separation[k] =
                across[k] + (between.x * slide.x + between.y * slide.y) - (tilted_b.x * dx[k] + tilted_b.y * dy[k]);
            // In A's frame, A's face has not rotated.
            const FloatW up = slope_a.x * slide.x + slope_a.y * slide.y;
            point[k] = record.on_a(k) + x * slide.x + y * slide.y + n * up + normal * (half * separation[k]);
            feature[k] = record.feature(k);
        }
    }
    // For contacts with room: true if after `motion` the signed distance is certainly within the contact slack of the
    // deepest contact and, if that contact overlaps, the shapes certainly overlap. Within the room, no part is deeper
    // than the contacts by more than kTiltShare of the slack.
    //
    // Upper bounds on the signed distance are: the separation of points on both bodies; 0, if these points overlap; and
    // the deepest separation itself, if the bodies overlap in a patch. In the last case the common part of the bodies
    // is as wide as the patch, and as deep as A is below the patch, so the overlap along other axes is larger.
    ABUT_INLINE MaskW is_right(const FollowRecordW& record, FloatW motion, float contact_slack) const {
        const FloatW zero = 0.0f, deep = FloatW(kDeepBelowShare) * record.smaller(), deepest = least();
        const MaskW is_patch = (record.count() == IntW(3)) | (record.count() == IntW(4)),
                    overlaps = record.is_deep() & overlap(deep, motion);
        return (deepest > zero) | (overlaps & is_shallow(deepest, is_patch, record.smaller(), contact_slack));
    }
    // True if B's surface at the deepest contact is inside A, on the line to the point `deep` below A's contacts.
    ABUT_INLINE MaskW overlap(FloatW deep, FloatW motion) const {
        const FloatW mean = ((separation[0] + separation[1]) + (separation[2] + separation[3])) * FloatW(0.25f),
                     deepest = least();
        const FloatW most = mean + FloatW(kMostSlope) * motion, part = -deepest / deep;
        return (part <= FloatW(1.0f)) & (deepest + part * (most - deepest) < FloatW(0.0f));
    }
    ABUT_INLINE FloatW least() const {
        return min(min(separation[0], separation[1]), min(separation[2], separation[3]));
    }
    ABUT_INLINE FloatW greatest() const {
        return max(max(separation[0], separation[1]), max(separation[2], separation[3]));
    }
};

ABUT_INLINE void store_followed(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes,
                                const FollowRecordW& record, const PairPosesW& now, const FollowedW& followed) {
    const Mat3W axes = to_matrix(now.orientation_a, FloatW(1.0f));
    const IntW count = record.count();
    const std::uint32_t has_four = (count == IntW(4)).bits(), has_three = has_four | (count == IntW(3)).bits();
    const std::uint32_t has[kManifoldPoints] = {kAllLanes, has_three | (count == IntW(2)).bits(), has_three, has_four};
    // Each rotation by a rounded quaternion changes the normal's length by some ulps.
    const Vec3W normal = rotate(axes, followed.normal);
    store_detail::put_manifolds(chunk, list, lanes, has, normal * (FloatW(1.0f) / sqrt(length_squared(normal))),
                                now.offset, [&](int k) {
                                    return store_detail::WorldContactW{rotate(axes, followed.point[k]),
                                                                       followed.separation[k], followed.feature[k]};
                                });
}

// True if contacts have followed for long enough to be stored again at once. A record costs about 1,000 instructions; a
// frame in which contacts follow saves some 350 for two boxes, over 1,000 for hulls and curved shapes, and too little
// for a capsule with a capsule or a box.
MaskW were_worth_storing(const Chunk& chunk, IntW frames) {
    const auto is_cheap = [](ShapeKind kind) { return kind == ShapeKind::box || kind == ShapeKind::capsule; };
    const IntW most = static_cast<std::int32_t>(kMostFrames), none = 0;
    if (!is_cheap(chunk.kind_a) || !is_cheap(chunk.kind_b)) return ~MaskW(frames == none);
    return chunk.kind_a == ShapeKind::box && chunk.kind_b == ShapeKind::box ? MaskW(frames == most) : MaskW();
}

// The largest motion for which the contacts of a group follow, metres.
struct RoomW {
    FloatW metres, tilt = kMostTurned;
    MaskW
        has_room;  // the contacts of two faces: their laws limit the motion (laws.room), not only the short limit of all contacts
    MaskW is_long;  // `metres` is laws.room; is_right must then hold
    MaskW is_wide;  // the patch is wide, or there is none: other directions are then not shallower (see is_right)

    ABUT_INLINE RoomW(const Chunk& chunk, const PairPosesW& now, const AnsweredW& answered, FloatW patch_radius,
                      MaskW exact, MaskW has_three) {
        const FloatW half = 0.5f, zero = 0.0f;
        const ContactLawsW& laws = answered.manifold.laws;
        const FloatW deepest = answered.manifold.separation[0] * answered.to_world.unit, distance = answered.distance;
        has_room = laws.room > zero;
        // During so short a motion the deepest contact and the signed distance stay within the slack of each other, and
        // neither changes its sign. A normal that rotates with B moves against A's points by their distance from B's
        // origin, which may be more than B's origin radius.
        const FloatW farthest_a = sqrt(length_squared(now.offset)) + now.origin_radius_a;
        const FloatW share =
            select(MaskW::from_bits(laws.of_b), min(now.origin_radius_b / max(farthest_a, FloatW(kTiny)), FloatW(1.0f)),
                   FloatW(1.0f));
        const FloatW off =
            max(abs(deepest - distance), abs(answered.manifold.along * answered.to_world.unit - distance));
        const FloatW spent = off + answered.tolerance, left = half * (answered.slack - spent) * share;
        const MaskW same_sign = (min(deepest, distance) > zero) | (max(deepest, distance) < zero);
        const FloatW sure =
            select(same_sign, FloatW(kSureShare) * (min(abs(deepest), abs(distance)) - answered.tolerance), zero);
        const FloatW short_way =
            min(min(FloatW(kFollowShare) * answered.slack, laws.short_room * answered.to_world.unit), min(left, sure));
        // The patch lacks corners that move over both faces. The limit on the motion limits the missing part.
        const FloatW room = laws.room * answered.to_world.unit,
                     long_way = select(has_three, min(room, FloatW(kMostMissing) * patch_radius), room);
        const float contact_slack = chunk.parameters->contact_slack;
        const auto stays_wide = [&](FloatW motion) {
            return ~has_three |
                   (FloatW(2.0f) * (patch_radius - motion) >= FloatW(kPatchDepth * kDeepBelowShare) * answered.smaller);
        };
        const MaskW provable = (deepest > zero) | (answered.is_deep & stays_wide(long_way) &
                                                   is_shallow(deepest, has_three, answered.smaller, contact_slack));
        // The tilt as a motion: the angle times B's origin radius.
        is_long = has_room & provable & (min(long_way, laws.most_tilt * now.origin_radius_b) > short_way);
        metres = max(select(exact, select(is_long, long_way, short_way), zero), zero),
        tilt = select(is_long, min(laws.most_tilt, tilt), tilt);
        is_wide = stays_wide(metres);
    }
};

}  // namespace

std::uint32_t answer_following(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach) {
    const RecordRows rows(chunk, list, lanes);
    const FollowRecordW record(rows);
    const PairPosesW now = load_pair_poses(chunk, list, lanes);
    const SeenFromAW new_pose(now.offset, now.orientation_a, now.orientation_b), old_pose = record.pose();
    const FloatW motion = new_pose.moved_since(old_pose, now.origin_radius_b), room = record.room(), zero = 0.0f;
    const IntW frames = record.frames(), none = 0, most = static_cast<std::int32_t>(kMostFrames);
    const MaskW rests = MaskW(frames == none) & record.is_at(new_pose), sealed = record.is_sealed(chunk, now);
    FollowedW followed(record, old_pose, new_pose);
    const MaskW is_proved =
        (followed.tilt <= record.most_tilt()) &
        (~record.has_long_room() | followed.is_right(record, motion, chunk.parameters->contact_slack));
    const MaskW stays = sealed & ~rests & (motion + max(reach - record.margin(), zero) <= room) &
                        (followed.greatest() <= reach) & is_proved;
    const std::uint32_t good = now.good.bits() & lanes, follows = stays.bits() & good;
    if (follows != 0) {
        put_deepest_first(followed.separation, followed.feature, followed.point);
        store_followed(chunk, list, follows, record, now, followed);
    }
    // Contacts that have followed for long enough are stored again as soon as they are computed.
    const MaskW were_worth = were_worth_storing(chunk, frames);
    const IntW one_more = select(MaskW(frames == most), none, IntW(static_cast<std::int32_t>(kOneFrame)));
    const IntW kept = select(were_worth, record.mark() & IntW(~static_cast<std::int32_t>(kMisses)), record.mark());
    const IntW next =
        select(rests, IntW(static_cast<std::int32_t>(kRestingMark)), select(stays, kept + one_more, none));
    const LaneArray<std::int32_t> next_marks = lanes_of(next), marks = lanes_of(record.mark());
    const std::uint32_t misses = (~rests & ~stays & ~were_worth).bits();
    for_each_lane(good & ~MaskW(next == record.mark()).bits(), [&](int lane) {
        auto mark = static_cast<std::uint32_t>(next_marks[lane]);
        if ((misses >> lane & 1) != 0)
            mark = moving_mark((static_cast<std::uint32_t>(marks[lane]) & kMisses) >> kMissesShift);
        rows.set_mark(lane, mark);
    });
    return follows;
}

void store_follow_record(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach,
                         const AnsweredW& answered) {
    const ToWorldW& to_world = answered.to_world;
    const ManifoldW& manifold = answered.manifold;
    const FloatW zero = 0.0f, half = 0.5f;
    const PairPosesW now = load_pair_poses(chunk, list, lanes);
    const SeenFromAW pose(now.offset, now.orientation_a, now.orientation_b);
    const Mat3W axes = to_matrix(now.orientation_a, FloatW(1.0f));
    // Missing contacts repeat the first one.
    const MaskW has[kManifoldPoints] = {MaskW::from_bits(kAllLanes), MaskW::from_bits(manifold.has[1]),
                                        MaskW::from_bits(manifold.has[2]), MaskW::from_bits(manifold.has[3])};
    Vec3W middle[kManifoldPoints];
    FloatW apart[kManifoldPoints];
    for (int k = 0; k < kManifoldPoints; ++k) {
        apart[k] = select(has[k], manifold.separation[k], manifold.separation[0]) * to_world.unit;
        middle[k] = rotate_back(
            axes, store_detail::world_point(to_world, select(has[k], manifold.point[k], manifold.point[0])));
    }
    const Vec3W normal = manifold.normal, m = abs(pose.offset);
    FollowRecordW record;
    record.set_normal(normal);
    const MaskW same_tangent =
        dot(tangent(normal), tangent(record.normal())) > half;  // rounding may make `tangent` choose another one
    const MaskW near =
        same_tangent & (FloatW(kFollowRounding) * (m.x + m.y + m.z + now.origin_radius_b) <= answered.tolerance);
    const RoomW room(chunk, now, answered, inner_radius(middle, has[3], normal),
                     near & MaskW::from_bits(~to_world.far_lanes & kAllLanes), has[2]);
    const ContactLawsW& laws = manifold.laws;
    record.set_pose(pose);
    record.set_bounds(reach, select(MaskW::from_bits(laws.of_b), -room.metres, room.metres), room.is_long);
    record.set_shape(answered.smaller, answered.is_deep & room.is_wide, room.has_room, laws.slope_a, laws.slope_b);
    for (int k = 0; k < kManifoldPoints; ++k)
        record.set_contact(k, middle[k] - normal * (apart[k] * half), apart[k],
                           select(has[k], manifold.feature[k], manifold.feature[0]),
                           select(has[k], laws.law[k], laws.law[0]));
    const MaskW follow = room.metres > zero;
    record.forget_contacts(~follow);
    IntW count = 1 << 16;
    for (int k = 1; k < kManifoldPoints; ++k) count = count + select(has[k], IntW(1 << 16), IntW(0));
    const RecordRows rows(chunk, list, lanes & now.good.bits());
    record.set_mark(rows, select(follow, count, IntW(0)) | to_tilt_bits(room.tilt));
    record.set_checksum(chunk, now);
    record.store(rows);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
