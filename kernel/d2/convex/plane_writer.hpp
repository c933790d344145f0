// Writes the answers of a group of lanes at their pairs' indices, in world axes, mirrored where the caller's A is B.
#pragma once

#include "d2/convex/plane_answer.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct PlaneGroup {
    const abut::d2::PlaneChunk& chunk;
    std::uint32_t first;            // of the chunk's pairs
    std::uint32_t lanes;            // bits
    std::uint32_t uncertified = 0;  // the number listed so far

    // The reach of each lane's pair.
    ABUT_INLINE FloatW reach() const {
        const abut::d2::QueryParameters& asked = *chunk.parameters;
        if (asked.margins.empty()) return asked.reach;
        LaneArray<float> reach;
        for (int lane = 0; lane < kLanes; ++lane) {
            const std::uint32_t i = first + static_cast<std::uint32_t>(lane);
            reach[lane] = asked.margins[chunk.pair(i < chunk.count ? i : chunk.count - 1)];
        }
        return load(reach);
    }
    ABUT_INLINE void list_uncertified(std::uint32_t bits) {
        for_each_lane(bits & lanes, [&](int lane) {
            chunk.uncertified[uncertified++] = static_cast<std::uint16_t>(first + static_cast<std::uint32_t>(lane));
        });
    }
    ABUT_INLINE void refuse(std::uint32_t bits) const {
        for_each_lane(bits & lanes, [&](int lane) {
            chunk.out->status[chunk.pair(first + static_cast<std::uint32_t>(lane))] = Status::bad_pose;
        });
    }

    // Calls f(lane, pair, is_swapped) for the lanes of some bits.
    template <class F>
    ABUT_INLINE void each(std::uint32_t bits, F&& f) const {
        for_each_lane(bits & lanes, [&](int lane) {
            const std::uint32_t i = first + static_cast<std::uint32_t>(lane);
            f(lane, chunk.pair(i), chunk.is_swapped(i));
        });
    }

    ABUT_INLINE void write_hits(std::uint32_t answered, std::uint32_t hits) const {
        each(answered, [&](int lane, std::uint32_t pair, bool) {
            chunk.out->hit[pair] = static_cast<std::uint8_t>(hits >> lane & 1);
        });
    }

    // Zeros for points and normal in the lanes of `unknown`.
    void write_distances(const PlanePairW& pair, std::uint32_t answered, FloatW distance, Vec2W normal, Vec2W point_a,
                         Vec2W point_b, MaskW unknown) const;
    void write_contacts(const PlanePairW& pair, std::uint32_t answered, Vec2W normal,
                        const abut::d2::ContactsOf<FloatW>& contacts, FloatW reach) const;
};

// A point of A's frame in world axes, relative to A's position and relative to B's.
struct PlaneWorldW {
    Vec2W from_a, from_b;
    ABUT_INLINE PlaneWorldW(const PlanePairW& pair, Vec2W point)
        : from_a(pair.a.rotation * (point + pair.a.centre)), from_b(from_a - pair.b_from_a) {}
};

ABUT_INLINE void PlaneGroup::write_distances(const PlanePairW& pair, std::uint32_t answered, FloatW distance,
                                             Vec2W normal, Vec2W point_a, Vec2W point_b, MaskW unknown) const {
    const Vec2W none = {FloatW(0.0f), FloatW(0.0f)};
    const abut::d2::OutputView& out = *chunk.out;
    const LaneArray<float> distances = lanes_of(distance);
    each(answered, [&](int lane, std::uint32_t i, bool) { out.signed_distance[i] = distances[lane]; });
    const auto put = [&](abut::d2::Vec2* column, Vec2W unswapped, Vec2W swapped) {
        if (column == nullptr) return;
        const Vec2W usual = select(unknown, none, unswapped), other = select(unknown, none, swapped);
        const LaneRecords4 values(usual.x, usual.y, other.x, other.y);
        each(answered, [&](int lane, std::uint32_t i, bool is_swapped) {
            std::memcpy(static_cast<void*>(&column[i]), values[lane] + (is_swapped ? 2 : 0), sizeof(abut::d2::Vec2));
        });
    };
    const Vec2W n = pair.a.rotation * normal;
    put(out.normal, n, -n);
    if (out.point_a == nullptr && out.point_b == nullptr) return;
    const PlaneWorldW a(pair, point_a), b(pair, point_b);
    put(out.point_a, a.from_a, b.from_b);
    put(out.point_b, b.from_a, a.from_b);
}

// The first contact of the caller is the deepest that is within reach.
ABUT_INLINE void PlaneGroup::write_contacts(const PlanePairW& pair, std::uint32_t answered, Vec2W normal,
                                            const abut::d2::ContactsOf<FloatW>& contacts, FloatW reach) const {
    const abut::d2::OutputView& out = *chunk.out;
    LaneArray<std::int32_t> swaps;
    for (int lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t i = first + static_cast<std::uint32_t>(lane);
        swaps[lane] = static_cast<std::int32_t>(chunk.pairs->pair_and_swap[i < chunk.count ? i : chunk.count - 1]);
    }
    const IntW swapped = sign_of(load(swaps));
    const MaskW is_swapped = swapped == IntW(-1);
    const MaskW has0 = contacts.separation[0] <= reach, has1 = contacts.has_second & (contacts.separation[1] <= reach);
    const MaskW second_first = has1 & ((contacts.separation[1] < contacts.separation[0]) | ~has0);
    FloatW x[2], y[2], separation[2], feature[2];
    for (int k = 0; k < 2; ++k) {
        const PlaneWorldW world(pair, contacts.position[k]);
        const Vec2W position = select(is_swapped, world.from_b, world.from_a);
        const IntW id = contacts.feature[k], exchanged = (id << 16) | (id >> 16);
        x[k] = position.x, y[k] = position.y, separation[k] = contacts.separation[k];
        feature[k] = float_of(select(is_swapped, exchanged, id));
    }
    const Vec2W n = pair.a.rotation * normal, mirrored = select(is_swapped, -n, n);
    FloatW words[2][4];
    const MaskW both = has0 & has1;
    const FloatW none = 0.0f;
    for (int k = 0; k < 2; ++k) {
        // A second contact that is not there is zero.
        const auto pick = [&](const FloatW(&of)[2]) {
            return k == 0 ? select(second_first, of[1], of[0]) : select(both, select(second_first, of[0], of[1]), none);
        };
        words[k][0] = pick(x), words[k][1] = pick(y), words[k][2] = pick(separation), words[k][3] = pick(feature);
    }
    const LaneRecords4 contact0(words[0][0], words[0][1], words[0][2], words[0][3]),
        contact1(words[1][0], words[1][1], words[1][2], words[1][3]),
        normals(mirrored.x, mirrored.y, mirrored.x, mirrored.y);
    const std::uint32_t bits0 = has0.bits(), bits1 = has1.bits();
    each(answered, [&](int lane, std::uint32_t i, bool) {
        const std::uint32_t count = (bits0 >> lane & 1) + (bits1 >> lane & 1);
        out.contact_count[i] = static_cast<std::uint8_t>(count);
        if (count == 0) return;
        abut::d2::ManifoldRecord& record = out.manifolds[i];
        std::memcpy(static_cast<void*>(&record.contacts[0]), contact0[lane], sizeof(abut::d2::Contact));
        std::memcpy(static_cast<void*>(&record.contacts[1]), contact1[lane], sizeof(abut::d2::Contact));
        std::memcpy(static_cast<void*>(&record.normal), normals[lane], sizeof(abut::d2::Vec2));
    });
}

}  // namespace abut::ABUT_ISA_NAMESPACE
