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
    std::byte* packed;          // where the next manifold of the chunk goes
    IntW pair;
    MaskW is_swapped;
    LaneArray<std::int32_t> pairs;

    ABUT_INLINE explicit PlaneGroup(const abut::d2::PlaneChunk& of)
        : chunk(of), uncertified(0), packed(reinterpret_cast<std::byte*>(of.packed)) {}
    ABUT_INLINE void go_to(std::uint32_t at) {
        first = at;
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
        if (bits == 0) return;
        for_each_lane(bits & lane_bits(chunk.count - first), [&](int lane) {
            chunk.uncertified[uncertified++] = static_cast<std::uint16_t>(first + static_cast<std::uint32_t>(lane));
        });
    }
    ABUT_INLINE void refuse(std::uint32_t bits) const {
        for_each_lane(bits & kAllLanes, [&](int lane) { chunk.out->status[pairs[lane]] = Status::bad_pose; });
    }

    // A value from 0 to 255 for each pair.
    ABUT_INLINE void write_bytes(IntW values, std::uint8_t* column) const {
        if (chunk.is_in_order && first + kLanes <= chunk.count) return values.store_bytes(column + pairs[0]);
        const LaneArray<std::int32_t> value = lanes_of(values);
        ABUT_UNROLL(16)
        for (int lane = 0; lane < kLanes; ++lane) column[pairs[lane]] = static_cast<std::uint8_t>(value[lane]);
    }
    // Zeros for points and normal in the lanes of `unknown`.
    void write_distances(const PlaneFrameW& pair, FloatW distance, Vec2W normal, Vec2W point_a, Vec2W point_b,
                         MaskW unknown) const;
    // `kEdges`: as make_contacts has it; one contact at most if there are less than two. `kPacked`: whether the chunk has
    // a packed list. `open`: lanes that are answered later, with a place in it.
    template <int kEdges, bool kPacked>
    void write_contacts(const PlaneFrameW& pair, MaskW answered, MaskW open, Vec2W normal,
                        const abut::d2::ContactsOf<FloatW>& contacts, FloatW reach);
};

// A point of A's frame in world axes, relative to A's position and relative to B's.
struct PlaneWorldW {
    Vec2W from_a, from_b;
    ABUT_INLINE PlaneWorldW(const PlaneFrameW& pair, Vec2W point)
        : from_a(pair.a_rotation * (point + pair.a_centre)), from_b(from_a - pair.b_from_a) {}
};

ABUT_INLINE void PlaneGroup::write_distances(const PlaneFrameW& bodies, FloatW distance, Vec2W normal, Vec2W point_a,
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
template <int kEdges, bool kPacked>
ABUT_INLINE void PlaneGroup::write_contacts(const PlaneFrameW& bodies, MaskW answered, MaskW open, Vec2W normal,
                                            const abut::d2::ContactsOf<FloatW>& contacts, FloatW reach) {
    using abut::d2::Manifold;
    const FloatW zero = 0.0f;
    const MaskW has0 = contacts.separation[0] <= reach;
    MaskW second_first, both, has_some = has0;
    IntW counts = words_of(has0 & answered);
    if constexpr (kEdges == 2) {
        const MaskW has1 = contacts.has_second & (contacts.separation[1] <= reach);
        second_first = has1 & ((contacts.separation[1] < contacts.separation[0]) | ~has0), both = has0 & has1;
        counts = counts + words_of(has1 & answered), has_some |= has1;
    }
    counts = IntW(0) - counts;
    write_bytes(counts, chunk.out->contact_count);
    std::byte* records[kLanes];
    if constexpr (kPacked) {
        // A lane without a manifold writes where the next one goes, which is written later.
        const MaskW has_place = (has_some & answered) | open;
        const LaneArray<std::int32_t> bytes = lanes_of(words_of(has_place) & IntW(sizeof(Manifold)));
        ABUT_UNROLL(16)
        for (int lane = 0; lane < kLanes; ++lane)
            records[lane] = packed, packed += static_cast<std::uint32_t>(bytes[lane]);
    } else {
        store_addresses(chunk.out->manifolds, pair, sizeof(abut::d2::ManifoldRecord), records);
    }
    constexpr std::size_t kHead = kPacked ? offsetof(Manifold, normal) : 0;
    const auto store = [&](FloatW x, FloatW y, FloatW z, FloatW w, std::size_t offset) {
        store_records4(x, y, z, w, [&](int lane) { return reinterpret_cast<float*>(records[lane] + offset); });
    };
    if constexpr (kPacked) store(float_of(pair), zero, zero, float_of(counts), 0);
    const Vec2W n = bodies.a_rotation * normal;
    // Also writes the first half of contact 0, which follows.
    const FloatW sign = select(is_swapped, FloatW(-1.0f), FloatW(1.0f));
    store(flip_sign(n.x, sign), flip_sign(n.y, sign), zero, zero, kHead);
    // From the position of the canonical A to that of the caller's.
    const Vec2W to_caller = select(is_swapped, bodies.b_from_a, Vec2W(zero, zero));
    const auto store_contact = [&](int k, Vec2W point, FloatW separation, IntW id) {
        const Vec2W position = bodies.a_rotation * (point + bodies.a_centre) - to_caller;
        const IntW exchanged = (id << 16) | (id >> 16);
        const FloatW feature = float_of(kEdges == 0 ? id : select(is_swapped, exchanged, id));
        const auto there = [&](FloatW word) { return k == 0 ? word : select(both, word, zero); };
        store(there(position.x), there(position.y), there(separation), there(feature),
              kHead + offsetof(abut::d2::ManifoldRecord, contacts) + std::size_t(k) * sizeof(abut::d2::Contact));
    };
    if constexpr (kEdges < 2) {
        store_contact(0, contacts.position[0], contacts.separation[0], contacts.feature[0]);
        store(zero, zero, zero, zero, kHead + offsetof(abut::d2::ManifoldRecord, contacts[1]));
    } else {
        for (int k = 0; k < 2; ++k) {
            const int other = 1 - k;
            store_contact(k, select(second_first, contacts.position[other], contacts.position[k]),
                          select(second_first, contacts.separation[other], contacts.separation[k]),
                          select(second_first, contacts.feature[other], contacts.feature[k]));
        }
    }
}

}  // namespace abut::ABUT_ISA_NAMESPACE
