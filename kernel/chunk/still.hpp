// Touching pairs that have not moved: their contacts are those of before, and no shape is looked at.
//
// What is kept is a statement as in motion_bound.hpp: two shapes, by their content, at this offset and these orientations, have these contacts
// within this reach. It counts for the same bits only: contacts that lag behind a motion, be it far below promise 1's bound, let a solver's stacks
// creep. They are kept once a pair was met twice at its place: those of a pair that moves would be kept for nothing. One that has moved is left alone
// for some frames.
#pragma once

#include "chunk/store.hpp"
#include "frame/warm_marks.hpp"
#include "separation/motion_bound.hpp"
#include "separation/warm.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// In WarmCache::opaque, behind a WarmRecord or a FarRecord.
struct StillRecord {
    std::uint32_t mark;     // in the low half as in warm_marks.hpp; in the high half how many contacts, or frames to wait
    std::uint32_t seal[2];  // of kStillMark
    float offset[3];        // B's position from A's, world axes
    float turn_a[4], turn_b[4];
    ManifoldRecord manifold;  // kStillMark: as the call gave it; zeros behind the last contact
};
static_assert(sizeof(WarmRecord) == kSearchBytes && sizeof(StillRecord) == sizeof(WarmCache) - kSearchBytes);

inline constexpr std::uint32_t kFramesToWait = 7;  // after a motion

namespace still_detail {

ABUT_INLINE std::byte* record_of(const Chunk& chunk, std::uint32_t i) { return cache_of(chunk, i).opaque + kSearchBytes; }
ABUT_INLINE std::uint32_t mark_of(const std::byte* record) {
    std::uint32_t mark;
    std::memcpy(&mark, record, sizeof mark);
    return mark & 0xffff;
}
ABUT_INLINE void set_mark(std::byte* record, std::uint32_t mark) { std::memcpy(record, &mark, sizeof mark); }

// What the contacts of two shapes at their places depend on.
struct Conditions {
    std::uint32_t content_a, content_b, is_swapped;
    float reach, slack;
};
class ConditionsW {
public:
    ABUT_INLINE ConditionsW(const motion_detail::PlacesW& places, FloatW reach, float slack)
        : content_a_(lanes_of(places.content_a)), content_b_(lanes_of(places.content_b)), reach_(lanes_of(reach)), slack_(slack) {}
    ABUT_INLINE Conditions of(const Chunk& chunk, const std::uint16_t* list, int lane) const {
        return {static_cast<std::uint32_t>(content_a_[lane]), static_cast<std::uint32_t>(content_b_[lane]), chunk.is_swapped(list[lane]),
                reach_[lane], slack_};
    }

private:
    LaneArray<std::int32_t> content_a_, content_b_;
    LaneArray<float> reach_;
    float slack_;
};

// A hash of all words of the record but its seal, and of the conditions [multiply and shift, four chains side by side].
inline std::uint64_t seal_of(const StillRecord& record, const Conditions& conditions) {
    constexpr std::uint64_t kMultiplier = 0x9fb21c651e98df25u;
    constexpr std::size_t kFirst = offsetof(StillRecord, offset), kWords = (sizeof(StillRecord) - kFirst) / 8;
    static_assert((sizeof(StillRecord) - kFirst) % 8 == 0);
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
    std::uint64_t seal = 0;
    for (const std::uint64_t one : chain) seal = mix(seal ^ mix(one));
    return seal;
}

// The poses of a chunk's pairs as a record has them, for one lane at a time.
class PoseWords {
public:
    ABUT_INLINE explicit PoseWords(const motion_detail::PlacesW& places)
        : words_{lanes_of(places.offset.x), lanes_of(places.offset.y), lanes_of(places.offset.z), lanes_of(places.raw_a[0]),
                 lanes_of(places.raw_a[1]), lanes_of(places.raw_a[2]), lanes_of(places.raw_a[3]), lanes_of(places.raw_b[0]),
                 lanes_of(places.raw_b[1]), lanes_of(places.raw_b[2]), lanes_of(places.raw_b[3])} {}
    ABUT_INLINE void store(int lane, std::byte* record) const {
        float pose[11];
        for (int k = 0; k < 11; ++k) pose[k] = words_[k][lane];
        std::memcpy(record + offsetof(StillRecord, offset), pose, sizeof pose);
    }

private:
    LaneArray<float> words_[11];
};

}  // namespace still_detail

// Whether a place is kept of entry i, to be compared with where it is now. Counts the frames of those that wait.
ABUT_INLINE bool has_place(const Chunk& chunk, std::uint32_t i) {
    std::byte* const record = still_detail::record_of(chunk, i);
    std::uint32_t mark;
    std::memcpy(&mark, record, sizeof mark);
    if ((mark & 0xffff) == kMovingMark) {
        still_detail::set_mark(record, mark >> 16 <= 1 ? 0 : mark - (1u << 16));
        return false;
    }
    return abut::has_place(mark & 0xffff);
}

// Answers those of `lanes` (all have a place) that have not moved and whose contacts are kept; returns them. The others' records learn whether
// the pairs rest or move.
inline std::uint32_t answer_still(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach) {
    using namespace motion_detail;
    using namespace still_detail;
    const float* rows[kLanes];
    const int first = lowest_bit(lanes);
    for (int lane = 0; lane < kLanes; ++lane)
        rows[lane] = reinterpret_cast<const float*>(record_of(chunk, list[lanes >> lane & 1 ? lane : first]) + offsetof(StillRecord, seal) + 4);
    FloatW place[4], turn_a[4], turn_b[4];  // the first of `place` is a part of the seal
    transpose_records4(rows, place);
    transpose_records4(rows, turn_a, 4);
    transpose_records4(rows, turn_b, 8);
    const PlacesW now = load_places(chunk, list, lanes);
    MaskW same = now.good & (now.offset.x == place[1]) & (now.offset.y == place[2]) & (now.offset.z == place[3]);
    for (int k = 0; k < 4; ++k) same &= (now.raw_a[k] == turn_a[k]) & (now.raw_b[k] == turn_b[k]);
    const std::uint32_t still = same.bits() & lanes;
    const ConditionsW conditions(now, reach, chunk.parameters->contact_slack);
    std::uint32_t answered = 0;
    for_each_lane(still, [&](int lane) {
        std::byte* const bytes = record_of(chunk, list[lane]);
        if (mark_of(bytes) != kStillMark) return set_mark(bytes, kRestingMark);
        StillRecord record;
        std::memcpy(&record, bytes, sizeof record);
        const std::uint64_t seal = seal_of(record, conditions.of(chunk, list, lane));
        if (std::memcmp(record.seal, &seal, sizeof seal) != 0) return set_mark(bytes, 0);
        const std::uint32_t pair = chunk.pair(list[lane]);
        chunk.out->contact_count[pair] = static_cast<std::uint8_t>(record.mark >> 16);
        chunk.out->manifolds[pair] = record.manifold;
        answered |= 1u << lane;
    });
    for_each_lane(now.good.bits() & lanes & ~still, [&](int lane) { set_mark(record_of(chunk, list[lane]), kMovingMark | kFramesToWait << 16); });
    return answered;
}

// Keeps the contacts that `lanes` have just been given, of those that were met here before; of those that were not, the place.
inline void keep_contacts(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach) {
    using namespace motion_detail;
    using namespace still_detail;
    std::uint32_t resting = 0, unknown = 0;
    for_each_lane(lanes, [&](int lane) {
        const std::uint32_t mark = mark_of(record_of(chunk, list[lane]));
        const bool is_ok = chunk.out->status[chunk.pair(list[lane])] == Status::ok;
        resting |= static_cast<std::uint32_t>(is_ok & (mark == kRestingMark)) << lane;
        unknown |= static_cast<std::uint32_t>((mark != kRestingMark) & (mark != kMovingMark)) << lane;
    });
    const std::uint32_t kept = resting | unknown;
    if (kept == 0) return;
    const PlacesW now = load_places(chunk, list, kept);
    const PoseWords poses(now);
    const ConditionsW conditions(now, reach, chunk.parameters->contact_slack);
    for_each_lane(kept & now.good.bits(), [&](int lane) {
        std::byte* const bytes = record_of(chunk, list[lane]);
        StillRecord record = {};
        record.mark = kPlacedMark;
        poses.store(lane, reinterpret_cast<std::byte*>(&record));
        if (resting >> lane & 1) {
            const std::uint32_t pair = chunk.pair(list[lane]), count = chunk.out->contact_count[pair];
            record.mark = kStillMark | count << 16;
            record.manifold.normal = chunk.out->manifolds[pair].normal;
            for (std::uint32_t k = 0; k < count; ++k) record.manifold.contacts[k] = chunk.out->manifolds[pair].contacts[k];
            const std::uint64_t seal = seal_of(record, conditions.of(chunk, list, lane));
            std::memcpy(record.seal, &seal, sizeof seal);
        }
        std::memcpy(bytes, &record, sizeof record);
    });
}

}  // namespace abut::ABUT_ISA_NAMESPACE
