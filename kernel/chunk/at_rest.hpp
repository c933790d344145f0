// Touching pairs that have not moved: an unchanged pair gets the contacts of its cache, without a look at its shapes.
//
// A record states, as in motion_bound.hpp, what holds for two shapes (by content) at this offset and these orientations. The poses must have equal
// bits: contacts that lag behind a motion, even far below promise 1's bound, let a solver's stacks creep. Contacts are stored only when a pair is met
// a second time in the same pose, because those of moving pairs would be useless.
//
// Of a pair met once, the pose is stored (follow.hpp). A pair that moved far is left alone for some frames.
#pragma once

#include "chunk/follow.hpp"
#include "frame/warm_marks.hpp"
#include "separation/motion_bound.hpp"
#include "separation/warm.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// In WarmCache::opaque, after a WarmRecord or a FarRecord.
struct AtRestRecord {
    std::uint32_t mark;         // low half: see warm_marks.hpp; high half: the number of contacts, or of frames to wait
    std::uint32_t checksum[2];  // of kAtRestTag
    float offset[3];            // B's position from A's, world axes
    float orientation_a[4], orientation_b[4];
    ManifoldRecord manifold;  // with kAtRestTag: the answer; zeros after the final contact
};
static_assert(sizeof(WarmRecord) == kSearchBytes && sizeof(AtRestRecord) == sizeof(WarmCache) - kSearchBytes);

namespace at_rest_detail {

ABUT_INLINE std::byte* record_of(const Chunk& chunk, std::uint32_t i) { return cache_of(chunk, i).opaque + kSearchBytes; }
ABUT_INLINE std::uint32_t tag_of(const std::byte* record) {
    std::uint32_t mark;
    std::memcpy(&mark, record, sizeof mark);
    return mark & 0xffff;
}
ABUT_INLINE void set_mark(std::byte* record, std::uint32_t mark) { std::memcpy(record, &mark, sizeof mark); }
// What contacts depend on besides the poses.
struct Conditions {
    std::uint32_t content_a, content_b, is_swapped;
    float reach, slack;
};
class ConditionsW {
public:
    ABUT_INLINE ConditionsW(const motion_detail::PairPosesW& poses, FloatW reach, float slack)
        : content_a_(lanes_of(poses.content_a)), content_b_(lanes_of(poses.content_b)), reach_(lanes_of(reach)), slack_(slack) {}
    ABUT_INLINE Conditions of(const Chunk& chunk, const std::uint16_t* list, int lane) const {
        return {static_cast<std::uint32_t>(content_a_[lane]), static_cast<std::uint32_t>(content_b_[lane]), chunk.is_swapped(list[lane]),
                reach_[lane], slack_};
    }

private:
    LaneArray<std::int32_t> content_a_, content_b_;
    LaneArray<float> reach_;
    float slack_;
};

// A hash of the record's words except the checksum, and of the conditions [multiply and shift, four parallel chains].
inline std::uint64_t checksum_of(const AtRestRecord& record, const Conditions& conditions) {
    constexpr std::uint64_t kMultiplier = 0x9fb21c651e98df25u;
    constexpr std::size_t kFirst = offsetof(AtRestRecord, offset), kWords = (sizeof(AtRestRecord) - kFirst) / 8;
    static_assert((sizeof(AtRestRecord) - kFirst) % 8 == 0);
    std::uint64_t chain[4] = {record.mark, (std::uint64_t(conditions.content_a) << 32) | conditions.content_b, conditions.is_swapped, 0};
    std::memcpy(&chain[3], &conditions.reach, sizeof(float) * 2);
    const auto mix = [](std::uint64_t h) {
        h *= kMultiplier;
        return h ^ (h >> 29);
    };
    const auto* const bytes = reinterpret_cast<const std::byte*>(&record);
    for (std::size_t i = 0; i < kWords; ++i) {
        std::uint64_t word;
        std::memcpy(&word, bytes + kFirst + 8 * i, sizeof word);
        chain[i % 4] = mix(chain[i % 4] ^ word);
    }
    std::uint64_t checksum = 0;
    for (const std::uint64_t one : chain) checksum = mix(checksum ^ mix(one));
    return checksum;
}

// The poses of a chunk's pairs in the form of a record, for one lane at a time.
class PoseWords {
public:
    ABUT_INLINE explicit PoseWords(const motion_detail::PairPosesW& poses)
        : words_{lanes_of(poses.offset.x), lanes_of(poses.offset.y), lanes_of(poses.offset.z), lanes_of(poses.raw_a[0]),
                 lanes_of(poses.raw_a[1]), lanes_of(poses.raw_a[2]), lanes_of(poses.raw_a[3]), lanes_of(poses.raw_b[0]),
                 lanes_of(poses.raw_b[1]), lanes_of(poses.raw_b[2]), lanes_of(poses.raw_b[3])} {}
    ABUT_INLINE void store(int lane, std::byte* record) const {
        float pose[11];
        for (int k = 0; k < 11; ++k) pose[k] = words_[k][lane];
        std::memcpy(record + offsetof(AtRestRecord, offset), pose, sizeof pose);
    }
    ABUT_INLINE bool are_in(int lane, const AtRestRecord& record) const {
        bool same = true;
        for (int k = 0; k < 3; ++k) same &= words_[k][lane] == record.offset[k];
        for (int k = 0; k < 4; ++k) same &= words_[3 + k][lane] == record.orientation_a[k];
        for (int k = 0; k < 4; ++k) same &= words_[7 + k][lane] == record.orientation_b[k];
        return same;
    }

private:
    LaneArray<float> words_[11];
};

}  // namespace at_rest_detail

// The tag of a record. Counts down the frames of moving pairs.
ABUT_INLINE std::uint32_t next_tag(std::byte* record) {
    std::uint32_t mark;
    std::memcpy(&mark, record, sizeof mark);
    if ((mark & 0xffff) == kMovingMark) at_rest_detail::set_mark(record, mark >> kWaitShift <= 1 ? mark & kMisses : mark - (1u << kWaitShift));
    return mark & 0xffff;
}

// Answers those of `lanes` (all under kAtRestTag) that have not moved, and returns them. The others get kMovingMark.
inline std::uint32_t answer_at_rest(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach) {
    using namespace motion_detail;
    using namespace at_rest_detail;
    const PairPosesW now = load_pair_poses(chunk, list, lanes);
    const PoseWords poses(now);
    const ConditionsW conditions(now, reach, chunk.parameters->contact_slack);
    std::uint32_t answered = 0;
    for_each_lane(lanes & now.good.bits(), [&](int lane) {
        std::byte* const bytes = record_of(chunk, list[lane]);
        AtRestRecord record;
        std::memcpy(&record, bytes, sizeof record);
        if (!poses.are_in(lane, record)) return set_mark(bytes, moving_mark(0));
        const std::uint64_t checksum = checksum_of(record, conditions.of(chunk, list, lane));
        if (std::memcmp(record.checksum, &checksum, sizeof checksum) != 0) return set_mark(bytes, 0);
        const std::uint32_t pair = chunk.pair(list[lane]);
        chunk.out->contact_count[pair] = static_cast<std::uint8_t>(record.mark >> 16);
        chunk.out->manifolds[pair] = record.manifold;
        answered |= 1u << lane;
    });
    return answered;
}

// Lanes whose contacts are stored, by their caches: pairs that have come to rest, and pairs of which that is unknown, which may follow.
struct KeptLanes {
    std::uint32_t resting = 0, unknown = 0;

    ABUT_INLINE KeptLanes of(std::uint32_t lanes) const { return {resting & lanes, unknown & lanes}; }
    ABUT_INLINE bool any() const { return (resting | unknown) != 0; }
};
inline KeptLanes kept_lanes(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes) {
    KeptLanes out;
    for_each_lane(lanes, [&](int lane) {
        const std::uint32_t tag = at_rest_detail::tag_of(at_rest_detail::record_of(chunk, list[lane]));
        out.resting |= std::uint32_t(tag == kRestingMark) << lane;
        out.unknown |= std::uint32_t(tag != kRestingMark && tag != kMovingMark) << lane;
    });
    return out;
}

// Stores the new contacts of `lanes`: of resting pairs the answer, of the others a follow record.
inline void keep_contacts(const Chunk& chunk, const std::uint16_t* list, const KeptLanes& lanes, FloatW reach, const AnsweredW& answered) {
    using namespace motion_detail;
    using namespace at_rest_detail;
    std::uint32_t ok = 0;
    for_each_lane(lanes.resting | lanes.unknown,
                  [&](int lane) { ok |= std::uint32_t(chunk.out->status[chunk.pair(list[lane])] == Status::ok) << lane; });
    const auto [resting, unknown] = lanes.of(ok);
    if (unknown != 0) store_follow_record(chunk, list, unknown, reach, answered);
    if (resting == 0) return;
    const PairPosesW now = load_pair_poses(chunk, list, resting);
    const PoseWords poses(now);
    const ConditionsW conditions(now, reach, chunk.parameters->contact_slack);
    for_each_lane(resting & now.good.bits(), [&](int lane) {
        AtRestRecord record = {};
        poses.store(lane, reinterpret_cast<std::byte*>(&record));
        const std::uint32_t pair = chunk.pair(list[lane]), count = chunk.out->contact_count[pair];
        record.mark = kAtRestTag | count << 16;
        record.manifold.normal = chunk.out->manifolds[pair].normal;
        for (std::uint32_t k = 0; k < count; ++k) record.manifold.contacts[k] = chunk.out->manifolds[pair].contacts[k];
        const std::uint64_t checksum = checksum_of(record, conditions.of(chunk, list, lane));
        std::memcpy(record.checksum, &checksum, sizeof checksum);
        std::memcpy(record_of(chunk, list[lane]), &record, sizeof record);
    });
}

}  // namespace abut::ABUT_ISA_NAMESPACE
