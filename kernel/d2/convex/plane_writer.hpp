// Writes the answers of a group of lanes at their pairs' indices, in world axes, mirrored where the caller's A is B.
#pragma once

#include "d2/convex/plane_answer.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The pairs of a group. All its lanes are written, those past the end as often as they repeat the last pair. What lanes
// without an answer write is not read, or overwritten.
struct PlaneGroup {
    const abut::d2::PlaneChunk& chunk;
    std::uint32_t first;        // of the chunk's pairs
    std::uint32_t uncertified;  // the number listed so far
    IntW pair;
    MaskW is_swapped;
    LaneArray<std::int32_t> pairs;

    ABUT_INLINE PlaneGroup(const abut::d2::PlaneChunk& of, std::uint32_t at, std::uint32_t listed)
        : chunk(of), first(at), uncertified(listed) {
        const IntW word =
            IntW::load_unaligned(reinterpret_cast<const std::int32_t*>(chunk.pairs->pair_and_swap + first));
        pair = word & IntW(0x7fffffff), is_swapped = sign_of(word) == IntW(-1);
        pairs = lanes_of(pair);
    }

    // The reach of each lane's pair.
    ABUT_INLINE FloatW reach() const {
        const abut::d2::QueryParameters& asked = *chunk.parameters;
        if (asked.margins.empty()) return asked.reach;
        LaneArray<float> reach;
        for (int lane = 0; lane < kLanes; ++lane) reach[lane] = asked.margins[static_cast<std::size_t>(pairs[lane])];
        return load(reach);
    }
    ABUT_INLINE void list_uncertified(std::uint32_t bits) {
        for_each_lane(bits & lane_bits(chunk.count - first), [&](int lane) {
            chunk.uncertified[uncertified++] = static_cast<std::uint16_t>(first + static_cast<std::uint32_t>(lane));
        });
    }
    ABUT_INLINE void refuse(std::uint32_t bits) const {
        for_each_lane(bits & kAllLanes, [&](int lane) { chunk.out->status[pairs[lane]] = Status::bad_pose; });
    }

    ABUT_INLINE void write_hits(std::uint32_t hits) const {
        ABUT_UNROLL(16)
        for (int lane = 0; lane < kLanes; ++lane)
            chunk.out->hit[pairs[lane]] = static_cast<std::uint8_t>(hits >> lane & 1);
    }
    // Zeros for points and normal in the lanes of `unknown`.
    void write_distances(const PlanePairW& pair, FloatW distance, Vec2W normal, Vec2W point_a, Vec2W point_b,
                         MaskW unknown) const;
    void write_contacts(const PlanePairW& pair, MaskW answered, Vec2W normal,
                        const abut::d2::ContactsOf<FloatW>& contacts, FloatW reach) const;
};

// A point of A's frame in world axes, relative to A's position and relative to B's.
struct PlaneWorldW {
    Vec2W from_a, from_b;
    ABUT_INLINE PlaneWorldW(const PlanePairW& pair, Vec2W point)
        : from_a(pair.a_rotation * (point + pair.a_centre)), from_b(from_a - pair.b_from_a) {}
};

ABUT_INLINE void PlaneGroup::write_distances(const PlanePairW& bodies, FloatW distance, Vec2W normal, Vec2W point_a,
                                             Vec2W point_b, MaskW unknown) const {
    const Vec2W none = {FloatW(0.0f), FloatW(0.0f)};
    const abut::d2::OutputView& out = *chunk.out;
    // Two vectors per lane to two columns, either of which may be absent.
    const auto put = [&](abut::d2::Vec2* column0, Vec2W of0, abut::d2::Vec2* column1, Vec2W of1) {
        of0 = select(unknown, none, of0), of1 = select(unknown, none, of1);
        const LaneRecords4 values(of0.x, of0.y, of1.x, of1.y);
        const auto copy = [&](abut::d2::Vec2* column, int word) {
            if (column == nullptr) return;
            ABUT_UNROLL(16)
            for (int lane = 0; lane < kLanes; ++lane)
                std::memcpy(static_cast<void*>(&column[pairs[lane]]), values[lane] + word, sizeof(abut::d2::Vec2));
        };
        copy(column0, 0), copy(column1, 2);
    };
    const LaneArray<float> distances = lanes_of(distance);
    ABUT_UNROLL(16)
    for (int lane = 0; lane < kLanes; ++lane) out.signed_distance[pairs[lane]] = distances[lane];
    if (out.normal != nullptr) {
        const Vec2W n = bodies.a_rotation * normal;
        put(out.normal, select(is_swapped, -n, n), nullptr, none);
    }
    if (out.point_a == nullptr && out.point_b == nullptr) return;
    const PlaneWorldW a(bodies, point_a), b(bodies, point_b);
    put(out.point_a, select(is_swapped, b.from_b, a.from_a), out.point_b, select(is_swapped, a.from_b, b.from_a));
}

// The first contact of the caller is the deepest that is within reach; a second one that is not there is zero.
ABUT_INLINE void PlaneGroup::write_contacts(const PlanePairW& bodies, MaskW answered, Vec2W normal,
                                            const abut::d2::ContactsOf<FloatW>& contacts, FloatW reach) const {
    const abut::d2::OutputView& out = *chunk.out;
    const MaskW has0 = contacts.separation[0] <= reach, has1 = contacts.has_second & (contacts.separation[1] <= reach);
    const MaskW second_first = has1 & ((contacts.separation[1] < contacts.separation[0]) | ~has0), both = has0 & has1;
    const LaneArray<std::int32_t> counts =
        lanes_of(select(answered, select(has0, IntW(1), IntW(0)) + select(has1, IntW(1), IntW(0)), IntW(0)));
    std::byte* records[kLanes];
    store_addresses(out.manifolds, pair, sizeof(abut::d2::ManifoldRecord), records);
    const Vec2W n = bodies.a_rotation * normal, mirrored = select(is_swapped, -n, n);
    // Also writes the first half of contact 0, which follows.
    store_records4(mirrored.x, mirrored.y, n.x, n.y, [&](int lane) { return reinterpret_cast<float*>(records[lane]); });
    ABUT_UNROLL(2)
    for (int k = 0; k < 2; ++k) {
        const MaskW other = k == 0 ? second_first : ~second_first;
        const PlaneWorldW world(bodies, select(other, contacts.position[1], contacts.position[0]));
        const Vec2W position = select(is_swapped, world.from_b, world.from_a);
        const FloatW separation = select(other, contacts.separation[1], contacts.separation[0]);
        const IntW id = select(other, contacts.feature[1], contacts.feature[0]), exchanged = (id << 16) | (id >> 16);
        const FloatW feature = float_of(select(is_swapped, exchanged, id)), zero = 0.0f;
        const auto there = [&](FloatW word) { return k == 0 ? word : select(both, word, zero); };
        store_records4(there(position.x), there(position.y), there(separation), there(feature), [&](int lane) {
            return reinterpret_cast<float*>(records[lane] + offsetof(abut::d2::ManifoldRecord, contacts) +
                                            std::size_t(k) * sizeof(abut::d2::Contact));
        });
    }
    ABUT_UNROLL(16)
    for (int lane = 0; lane < kLanes; ++lane) out.contact_count[pairs[lane]] = static_cast<std::uint8_t>(counts[lane]);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
