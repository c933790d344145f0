// Touching pairs that have not moved: an unchanged pair gets the contacts of its cache, and its shapes are not read.
//
// A record is a fact, as in motion_bound.hpp: it holds for two shapes (by content) at this offset and these
// orientations. The poses must have equal bits: contacts that lag behind a motion, even far below promise 1's bound,
// let a solver's stacks creep. Contacts are stored only when a pair is met a second time at the same pose, because
// contacts of moving pairs would be useless.
//
// With Settings::follow_distance, contacts are stored at once and move with the bodies. Each has one point on each body
// and moves to the middle of the two; its separation is their difference along the normal. The normal rotates with A,
// or with B if it is the normal of B's face only. The signed distance changes by at most the motion, and a separation
// by its computed change. So separations err by at most the sum of the two, which must be within that distance. An
// increase of the margin counts as a motion, because it lets in features that are closer by as much.
//
// The pose of a pair is stored when the pair is met for the first time, and in the first frame after a rest
// (follow.hpp). For a pair that moved far, nothing is stored for some frames.
#pragma once

#include "convex/chunk/follow.hpp"
#include "convex/chunk/record_rows.hpp"
#include "convex/contract/warm_marks.hpp"
#include "convex/separation/warm.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// In WarmCache::opaque, after a WarmRecord or a FarRecord.
struct AtRestRecord {
    std::uint32_t
        mark;  // low half: see warm_marks.hpp; high half: the number of contacts and flags (at_rest.cpp), or frames to wait
    std::uint32_t checksum;  // for kAtRestTag
    float margin;            // the margin of these contacts
    float offset[3];         // B's position from A's, world axes
    float orientation_a[4], orientation_b[4];
    ManifoldRecord manifold;  // with kAtRestTag: the answer; unused contacts repeat the first
};
static_assert(sizeof(WarmRecord) == kSearchBytes && sizeof(AtRestRecord) == sizeof(WarmCache) - kSearchBytes);

// Returns the tag of a record. In records of moving pairs, counts down the frames to wait.
ABUT_INLINE std::uint32_t next_tag(std::byte* record) {
    std::uint32_t mark;
    std::memcpy(&mark, record, sizeof mark);
    if ((mark & 0xffff) == kMovingMark) {
        const std::uint32_t next = mark >> kWaitShift <= 1 ? mark & kMisses : mark - (1u << kWaitShift);
        std::memcpy(record, &next, sizeof next);
    }
    return mark & 0xffff;
}

// Answers those of `lanes` (all under kAtRestTag) that have not moved, or not too far, and returns them. The other
// lanes lose their records.
std::uint32_t answer_at_rest(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach);

// Stores the answers of `lanes`. normal_of_b: lanes whose normal rotates with B.
void store_at_rest(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach,
                   std::uint32_t normal_of_b);

// Lanes whose contacts are stored, by the tags of their caches. `resting`: pairs that have come to rest, or whose
// contacts move with the bodies as far as the caller allows. `unknown`: neither is known, so their contacts may follow.
struct KeptLanes {
    std::uint32_t resting = 0, unknown = 0;

    ABUT_INLINE KeptLanes of(std::uint32_t lanes) const { return {resting & lanes, unknown & lanes}; }
    ABUT_INLINE bool any() const { return (resting | unknown) != 0; }
};
inline KeptLanes kept_lanes(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes) {
    KeptLanes out;
    const bool is_asked = chunk.parameters->follow_distance > 0.0f;
    for_each_lane(lanes, [&](int lane) {
        const std::uint32_t tag = contact_tag_of(cache_of(chunk, list[lane]));
        const bool rests = (is_asked || tag == kRestingMark) && tag != kMovingMark;
        out.resting |= std::uint32_t(rests) << lane;
        out.unknown |= std::uint32_t(!rests && tag != kMovingMark) << lane;
    });
    return out;
}

// Returns those of `lanes` whose status is ok.
inline std::uint32_t answered_lanes(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes) {
    std::uint32_t ok = 0;
    for_each_lane(
        lanes, [&](int lane) { ok |= std::uint32_t(chunk.out->status[chunk.pair(list[lane])] == Status::ok) << lane; });
    return ok;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
