// Touching pairs that have not moved, or hardly.
//
// What is kept are statements as in motion_bound.hpp, of two shapes, by their content, at this offset and these orientations. A pair that is met
// again at the very place has the contacts of before, and no shape is looked at. This counts for the same bits only: contacts that lag behind a
// motion, be it far below promise 1's bound, let a solver's stacks creep. Contacts are kept once a pair was met twice at its place: those of a pair
// that moves would be kept for nothing.
//
// Of a pair that was met once, the axis of its contacts is kept, and the signed distance. While it moves by little, contacts along that axis are
// within the contact slack (kept_axis.hpp). One that has moved by more is left alone for some frames.
#pragma once

#include "chunk/carried.hpp"
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

// In the same place, under kPlacedMark and kRestingMark.
struct PlacedRecord {
    std::uint32_t mark;
    std::uint32_t last;  // a hash of the place where the pair was in the last frame
    std::uint32_t seal;
    float offset[3], turn_a[4], turn_b[4];  // as above
    float normal[3];                        // of the answer here, in A's frame
    float most;                             // metres: the signed distance here is no greater; infinite if the axis is not worth keeping
};
static_assert(offsetof(PlacedRecord, offset) == offsetof(StillRecord, offset) && offsetof(PlacedRecord, normal) == offsetof(StillRecord, manifold));
static_assert(sizeof(PlacedRecord) <= sizeof(StillRecord));

inline constexpr std::uint32_t kFramesToWait = 7;     // after a motion
inline constexpr std::uint32_t kContactsOfFaces = 3;  // fewer contacts are of an edge or a corner, and need the deepest point, which no axis has

namespace still_detail {

ABUT_INLINE std::byte* record_of(const Chunk& chunk, std::uint32_t i) { return cache_of(chunk, i).opaque + kSearchBytes; }
ABUT_INLINE std::uint32_t mark_of(const std::byte* record) {
    std::uint32_t mark;
    std::memcpy(&mark, record, sizeof mark);
    return mark & 0xffff;
}
ABUT_INLINE void set_mark(std::byte* record, std::uint32_t mark) { std::memcpy(record, &mark, sizeof mark); }
// Those of `lanes` whose records have an axis.
ABUT_INLINE std::uint32_t lanes_with_axis(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes) {
    std::uint32_t found = 0;
    for_each_lane(lanes, [&](int lane) { found |= static_cast<std::uint32_t>(mark_of(record_of(chunk, list[lane])) != kStillMark) << lane; });
    return found;
}

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

// Whether a place is kept in a record, to be compared with where the pair is now. Counts the frames of those that wait.
ABUT_INLINE bool has_place(std::byte* record) {
    std::uint32_t mark;
    std::memcpy(&mark, record, sizeof mark);
    if ((mark & 0xffff) == kMovingMark) {
        still_detail::set_mark(record, mark >> 16 <= 1 ? 0 : mark - (1u << 16));
        return false;
    }
    return abut::has_place(mark & 0xffff);
}

// What is kept of a group.
struct PlacedW {
    IntW last, seal;
    Vec3W offset;
    FloatW turn_a[4], turn_b[4], axis[4];

    ABUT_INLINE PlacedW(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes) {
        const float* rows[kLanes];
        const int first = lowest_bit(lanes);
        for (int lane = 0; lane < kLanes; ++lane)
            rows[lane] = reinterpret_cast<const float*>(still_detail::record_of(chunk, list[lanes >> lane & 1 ? lane : first]));
        FloatW words[4], rest[4];
        transpose_records4(rows, words);
        transpose_records4(rows, rest, 4);
        last = bits_of(words[1]), seal = bits_of(words[2]), offset.x = words[3];
        offset.y = rest[0], offset.z = rest[1], turn_a[0] = rest[2], turn_a[1] = rest[3];
        transpose_records4(rows, rest, 8);
        turn_a[2] = rest[0], turn_a[3] = rest[1], turn_b[0] = rest[2], turn_b[1] = rest[3];
        transpose_records4(rows, rest, 12);
        turn_b[2] = rest[0], turn_b[3] = rest[1], axis[0] = rest[2], axis[1] = rest[3];
        transpose_records4(rows, rest, 16);
        axis[2] = rest[0], axis[3] = rest[1];
    }
    ABUT_INLINE KeptAxisW kept() const { return {{axis[0], axis[1], axis[2]}, axis[3]}; }
};

namespace still_detail {

ABUT_INLINE void add_place(motion_detail::SealW& seal, Vec3W offset, const FloatW (&turn_a)[4], const FloatW (&turn_b)[4]) {
    seal.add(offset.x), seal.add(offset.y), seal.add(offset.z);
    for (int k = 0; k < 4; ++k) seal.add(turn_a[k]), seal.add(turn_b[k]);
}
ABUT_INLINE IntW hash_of_place(const motion_detail::PlacesW& now) {
    motion_detail::SealW hash;
    add_place(hash, now.offset, now.raw_a, now.raw_b);
    return hash.value();
}
ABUT_INLINE IntW seal_of_axis(const motion_detail::PlacesW& shapes, Vec3W offset, const FloatW (&turn_a)[4], const FloatW (&turn_b)[4],
                              const KeptAxisW& axis) {
    motion_detail::SealW seal;
    add_place(seal, offset, turn_a, turn_b);
    seal.add(axis.normal.x), seal.add(axis.normal.y), seal.add(axis.normal.z), seal.add(axis.most);
    seal.add(shapes.content_a), seal.add(shapes.content_b);
    return seal.value();
}
ABUT_INLINE QuatW unit(const FloatW (&q)[4]) {
    const FloatW by = FloatW(1.0f) / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return {q[0] * by, q[1] * by, q[2] * by, q[3] * by};
}

}  // namespace still_detail

// Of `moved`, those whose kept axis may serve wait in `near`; returns them. Those that are where they were in the last frame are to be met again, as a
// pair at rest; the others are left alone.
ABUT_INLINE std::uint32_t wait_along_axis(const Chunk& chunk, const std::uint16_t* list, std::uint32_t moved, const PlacedW& placed,
                                          const motion_detail::PlacesW& now, Waiting<KeptAxisW>& near) {
    using namespace motion_detail;
    using namespace still_detail;
    KeptAxisW axis = placed.kept();
    const SeenFromAW here(now.offset, now.turn_a, now.turn_b), there(placed.offset, unit(placed.turn_a), unit(placed.turn_b));
    const FloatW by = here.moved_since(there, now.lever_b);
    const FloatW slack = min(FloatW(chunk.parameters->contact_slack), FloatW(kSlackShare) * min(now.lever_a, now.lever_b));
    const MaskW little = by <= slack * FloatW(kKeptShare);
    const IntW place = hash_of_place(now);
    const MaskW sealed = seal_of_axis(now, placed.offset, placed.turn_a, placed.turn_b, axis) == placed.seal;
    const MaskW near_by = little & sealed & (axis.most < FloatW(HUGE_VALF));
    axis.most = axis.most + by;
    const std::uint32_t again = near_by.bits() & lanes_with_axis(chunk, list, moved), taken = again & ~(place == placed.last).bits();
    const LaneArray<std::int32_t> last = lanes_of(place);
    for_each_lane(taken, [&](int lane) {
        const std::uint32_t words[2] = {kPlacedMark, static_cast<std::uint32_t>(last[lane])};
        std::memcpy(record_of(chunk, list[lane]), words, sizeof words);
    });
    for_each_lane(moved & ~taken,
                  [&](int lane) { set_mark(record_of(chunk, list[lane]), again >> lane & 1 ? 0 : kMovingMark | kFramesToWait << 16); });
    near.append(list, taken, axis);
    return taken;
}

// Answers those of `lanes` (all have a place) that have not moved and whose contacts are kept; returns them. Adds those that have moved by little to
// `near`. The others' records learn whether the pairs rest or move.
inline std::uint32_t answer_still(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach, Waiting<KeptAxisW>& near) {
    using namespace motion_detail;
    using namespace still_detail;
    const PlacedW placed(chunk, list, lanes);
    const PlacesW now = load_places(chunk, list, lanes);
    MaskW same = now.good & (now.offset.x == placed.offset.x) & (now.offset.y == placed.offset.y) & (now.offset.z == placed.offset.z);
    for (int k = 0; k < 4; ++k) same &= (now.raw_a[k] == placed.turn_a[k]) & (now.raw_b[k] == placed.turn_b[k]);
    const std::uint32_t still = same.bits() & lanes, moved = now.good.bits() & lanes & ~still;
    const std::uint32_t taken = moved == 0 ? 0 : wait_along_axis(chunk, list, moved, placed, now, near);
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
    return answered | taken;
}

// Keeps the contacts that `lanes` have just been given, of those that were met here before; of those that were not, the place, and the axis that the
// contacts are along. `normal`, in A's frame, and `most`, metres: the answer's.
inline void keep_contacts(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach, Vec3W normal, FloatW most) {
    using namespace motion_detail;
    using namespace still_detail;
    std::uint32_t resting = 0, unknown = 0;
    for_each_lane(lanes, [&](int lane) {
        const std::uint32_t mark = mark_of(record_of(chunk, list[lane]));
        resting |= static_cast<std::uint32_t>(mark == kRestingMark) << lane;
        unknown |= static_cast<std::uint32_t>((mark != kRestingMark) & (mark != kMovingMark)) << lane;
    });
    const std::uint32_t kept = resting | unknown;
    if (kept == 0) return;
    std::uint32_t bad = 0, few = 0;
    for_each_lane(kept, [&](int lane) {
        const std::uint32_t pair = chunk.pair(list[lane]);
        bad |= static_cast<std::uint32_t>(chunk.out->status[pair] != Status::ok) << lane;
        few |= static_cast<std::uint32_t>(chunk.out->contact_count[pair] < kContactsOfFaces) << lane;
    });
    resting &= ~bad, few |= bad;
    const PlacesW now = load_places(chunk, list, kept);
    const PoseWords poses(now);
    if (const std::uint32_t placed = unknown & now.good.bits(); placed != 0) {
        const KeptAxisW axis = {normal, select(MaskW::from_bits(few), FloatW(HUGE_VALF), most)};
        const LaneArray<std::int32_t> seal = lanes_of(seal_of_axis(now, now.offset, now.raw_a, now.raw_b, axis)), last = lanes_of(hash_of_place(now));
        const LaneArray<float> x = lanes_of(normal.x), y = lanes_of(normal.y), z = lanes_of(normal.z), at_most = lanes_of(axis.most);
        for_each_lane(placed, [&](int lane) {
            PlacedRecord record;
            record.mark = kPlacedMark, record.last = static_cast<std::uint32_t>(last[lane]), record.seal = static_cast<std::uint32_t>(seal[lane]);
            poses.store(lane, reinterpret_cast<std::byte*>(&record));
            record.normal[0] = x[lane], record.normal[1] = y[lane], record.normal[2] = z[lane], record.most = at_most[lane];
            std::memcpy(record_of(chunk, list[lane]), &record, sizeof record);
        });
    }
    if (resting == 0) return;
    const ConditionsW conditions(now, reach, chunk.parameters->contact_slack);
    for_each_lane(resting & now.good.bits(), [&](int lane) {
        StillRecord record = {};
        poses.store(lane, reinterpret_cast<std::byte*>(&record));
        const std::uint32_t pair = chunk.pair(list[lane]), count = chunk.out->contact_count[pair];
        record.mark = kStillMark | count << 16;
        record.manifold.normal = chunk.out->manifolds[pair].normal;
        for (std::uint32_t k = 0; k < count; ++k) record.manifold.contacts[k] = chunk.out->manifolds[pair].contacts[k];
        const std::uint64_t seal = seal_of(record, conditions.of(chunk, list, lane));
        std::memcpy(record.seal, &seal, sizeof seal);
        std::memcpy(record_of(chunk, list[lane]), &record, sizeof record);
    });
}

}  // namespace abut::ABUT_ISA_NAMESPACE
