// Stores answers at the pair's index, in world axes; the answer of a swapped pair is mirrored.
#pragma once

#include "convex/contract/chunk.hpp"
#include "convex/exact/exact_pairs.hpp"
#include "convex/lanes/answer.hpp"
#include "convex/lanes/load.hpp"
#include "convex/manifold/manifold.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace store_detail {

ABUT_INLINE LaneRecords4 records_of(Vec3W v, FloatW w) { return {v.x, v.y, v.z, w}; }
ABUT_INLINE LaneRecords4 records_of(Vec3W v) { return records_of(v, FloatW(0.0f)); }
ABUT_INLINE void put(Vec3& to, const float* record) { std::memcpy(static_cast<void*>(&to), record, sizeof to); }

// A normal in world axes, unit to rounding, even if the rotation is rounded.
ABUT_INLINE Vec3W world_normal(const ToWorldW& to_world, Vec3W normal) {
    const Vec3W n = rotate(to_world.axes, normal);
    return n * (FloatW(1.0f) / sqrt(length_squared(n)));
}

// Converts a point of A's frame (scaled) to world axes, relative to A's position. Computes from the centre of the
// nearer shape, because the distance of the farther one would add the rounding of rotations into A's frame and back.
ABUT_INLINE Vec3W world_point(const ToWorldW& to_world, Vec3W p) {
    const Vec3W from_b = p - to_world.offset;
    const MaskW near_a = length_squared(p) <= length_squared(from_b);
    const Vec3W turned =
        rotate(to_world.axes, select(near_a, p * to_world.unit + to_world.centre, from_b * to_world.unit));
    return select(near_a, turned, turned + to_world.b_centre);
}

// As world_point, in double, for cores far from their bodies' origins, because the point may be close to the other
// body.
ABUT_INLINE DVec3W far_world_point(const ToWorldW& to_world, Vec3W p) {
    const Vec3W from_b = p - to_world.offset;
    const MaskW near_a = length_squared(p) <= length_squared(from_b);
    const Vec3W turned = rotate(to_world.axes, select(near_a, p, from_b) * to_world.unit);
    return widen(select(near_a, to_world.far_a[0], to_world.far_b[0])) +
           (widen(select(near_a, to_world.far_a[1], to_world.far_b[1])) + widen(turned));
}
// A far point relative to the position of the caller's A. p: relative to A's position.
ABUT_INLINE Vec3W far_point_from_a(const ToWorldW& to_world, const DVec3W& p, MaskW swapped) {
    return select(swapped, narrow(p - widen(to_world.far_offset[0]) - widen(to_world.far_offset[1])), narrow(p));
}

// The point as (b, a) has it: relative to b's position.
ABUT_INLINE Vec3W from_b(Vec3W point, const ToWorldW& to_world) { return point - to_world.b_from_a; }

}  // namespace store_detail

// True if the answers of the group are adjacent in the columns. (A chunk's pairs ascend.)
ABUT_INLINE bool are_neighbours(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes) {
    return lanes == kAllLanes && are_in_sequence(list) &&
           chunk.pair(list[kLanes - 1]) - chunk.pair(list[0]) == kLanes - 1;
}

// `list` holds the chunk's pair of each lane.
ABUT_INLINE MaskW swapped_lanes(const Chunk& chunk, const std::uint16_t* list) {
    if (are_in_sequence(list)) {
        const auto* const entries = reinterpret_cast<const std::int32_t*>(chunk.pairs->pair_and_swap + list[0]);
        return (IntW::load_unaligned(entries) >> 31) == IntW(1);
    }
    LaneArray<std::int32_t> entry;
    ABUT_UNROLL(16)
    for (int lane = 0; lane < kLanes; ++lane)
        entry[lane] = static_cast<std::int32_t>(chunk.pairs->pair_and_swap[list[lane]]);
    static_assert(Entry::kSwapped == 1u << 31);
    return (load(entry) >> 31) == IntW(1);
}

namespace store_detail {

// The stored values of a distance, in the caller's order.
struct DistanceW {
    FloatW signed_distance;
    Vec3W normal, point_a, point_b;
};

// Stores the vectors of adjacent pairs, from element `first` of the column.
ABUT_INLINE void put_neighbours(Vec3* column, std::uint32_t first, Vec3W v) {
    if (column != nullptr) store_threes(v.x, v.y, v.z, &column[first].x);
}
ABUT_INLINE void put_neighbours(const OutputView& out, std::uint32_t first, const DistanceW& answer) {
    answer.signed_distance.store_unaligned(out.signed_distance + first);
    put_neighbours(out.normal, first, answer.normal);
    put_neighbours(out.point_a, first, answer.point_a);
    put_neighbours(out.point_b, first, answer.point_b);
}

// Out of line, unlike the transformation to world axes before it: if that is inlined, the compiler removes the parts
// that a kind of pairs does not need.
ABUT_NOINLINE inline void put_distances(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes,
                                        const DistanceW& answer) {
    if (are_neighbours(chunk, list, lanes)) return put_neighbours(*chunk.out, chunk.pair(list[0]), answer);
    const LaneArray<float> d = lanes_of(answer.signed_distance);
    const LaneRecords4 n = records_of(answer.normal), pa = records_of(answer.point_a), pb = records_of(answer.point_b);
    // The pointers are copied, because the compiler cannot know that the stores do not change them.
    const OutputView& out = *chunk.out;
    float* const distances = out.signed_distance;
    Vec3 *const normals = out.normal, *const points_a = out.point_a, *const points_b = out.point_b;
    for_each_lane(lanes, [&](int lane) {
        const std::uint32_t pair = chunk.pair(list[lane]);
        distances[pair] = d[lane];
        if (normals) put(normals[pair], n[lane]);
        if (points_a) put(points_a[pair], pa[lane]);
        if (points_b) put(points_b[pair], pb[lane]);
    });
}

}  // namespace store_detail

// Recomputes the points of lanes with far centres; out of line because it is rare.
ABUT_NOINLINE inline void store_far_points(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes,
                                           const ToWorldW& to_world, const AnswerW& answer) {
    using namespace store_detail;
    const OutputView& out = *chunk.out;
    const MaskW swapped = swapped_lanes(chunk, list);
    const DVec3W middle = far_world_point(to_world, answer.midpoint);
    const Vec3W from_a =
        world_normal(to_world, answer.normal) * (answer.signed_distance * to_world.unit * FloatW(0.5f));
    const DVec3W half = widen(select(swapped, -from_a, from_a));
    const LaneRecords4 pa = records_of(far_point_from_a(to_world, middle - half, swapped));
    const LaneRecords4 pb = records_of(far_point_from_a(to_world, middle + half, swapped));
    for_each_lane(lanes, [&](int lane) {
        const std::uint32_t pair = chunk.pair(list[lane]);
        if (out.point_a) put(out.point_a[pair], pa[lane]);
        if (out.point_b) put(out.point_b[pair], pb[lane]);
    });
}

ABUT_INLINE void store_distances(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes,
                                 const ToWorldW& to_world, const AnswerW& answer) {
    using namespace store_detail;
    const MaskW swapped = swapped_lanes(chunk, list);
    const FloatW signed_distance = answer.signed_distance * to_world.unit;
    const Vec3W normal = world_normal(to_world, answer.normal);
    const Vec3W middle = world_point(to_world, answer.midpoint);
    const Vec3W half = normal * (signed_distance * FloatW(0.5f));
    const Vec3W on_a = middle - half, on_b = middle + half;
    const DistanceW stored = {signed_distance, select(swapped, -normal, normal),
                              select(swapped, from_b(on_b, to_world), on_a),
                              select(swapped, from_b(on_a, to_world), on_b)};
    put_distances(chunk, list, lanes, stored);
    if (const std::uint32_t far = to_world.far_lanes & lanes; far != 0)
        store_far_points(chunk, list, far, to_world, answer);
}

// Recomputes the points of lanes with far centres; out of line because it is rare.
ABUT_NOINLINE inline void store_far_contacts(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes,
                                             const ToWorldW& to_world, const ManifoldW& manifold) {
    using namespace store_detail;
    const MaskW swapped = swapped_lanes(chunk, list);
    for (int k = 0; k < kManifoldPoints; ++k) {
        const LaneRecords4 p =
            records_of(far_point_from_a(to_world, far_world_point(to_world, manifold.point[k]), swapped));
        for_each_lane(lanes & manifold.has[k], [&](int lane) {
            put(chunk.out->manifolds[chunk.pair(list[lane])].contacts[k].position, p[lane]);
        });
    }
}

namespace store_detail {

// One contact per lane, relative to A's position, in world axes.
struct WorldContactW {
    Vec3W point;
    FloatW separation;
    IntW feature;
};
// Stores manifolds lane by lane; swapped pairs exchange the halves of feature ids. has[k]: lanes with more than k
// contacts; contact_at(k): contact k of all lanes; `b_from_a`: B's position relative to A's.
template <class ContactAt>
ABUT_INLINE void put_manifolds(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes,
                               const std::uint32_t (&has)[kManifoldPoints], Vec3W normal, Vec3W b_from_a,
                               ContactAt&& contact_at) {
    static_assert(sizeof(ManifoldRecord) == 4 * (3 + 5 * kManifoldPoints) && sizeof(Contact) == 4 * 5);
    const OutputView& out = *chunk.out;
    const MaskW swapped = swapped_lanes(chunk, list);
    const Vec3W n = select(swapped, -normal, normal);
    FloatW word[3 + 5 * kManifoldPoints] = {n.x, n.y, n.z};
    IntW count = 0;
    int words = 3;
    for (int k = 0; k < kManifoldPoints && (lanes & has[k]) != 0; ++k, words += 5) {
        const WorldContactW at = contact_at(k);
        const Vec3W point = select(swapped, at.point - b_from_a, at.point);
        word[words] = point.x, word[words + 1] = point.y, word[words + 2] = point.z, word[words + 3] = at.separation;
        word[words + 4] = float_of(select(swapped, (at.feature << 16) | (at.feature >> 16), at.feature));
        count = count + select(MaskW::from_bits(has[k]), IntW(1), IntW(0));
    }
    const LaneArray<std::int32_t> counts = lanes_of(count);
    ManifoldRecord other_lanes;
    float* row[kLanes];
    for (float*& to : row) to = &other_lanes.normal.x;
    for_each_lane(lanes, [&](int lane) {
        const std::uint32_t pair = chunk.pair(list[lane]);
        out.contact_count[pair] = static_cast<std::uint8_t>(counts[lane]);
        row[lane] = &out.manifolds[pair].normal.x;
    });
    if (words > 3) store_rows(word, words, [&](int lane) { return row[lane]; });
}

}  // namespace store_detail

inline void store_contacts(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, const ToWorldW& to_world,
                           const ManifoldW& manifold) {
    using namespace store_detail;
    put_manifolds(chunk, list, lanes, manifold.has, world_normal(to_world, manifold.normal), to_world.b_from_a,
                  [&](int k) {
        return WorldContactW{world_point(to_world, manifold.point[k]), manifold.separation[k] * to_world.unit,
                             manifold.feature[k]};
    });
    if (const std::uint32_t far = to_world.far_lanes & lanes; far != 0)
        store_far_contacts(chunk, list, far, to_world, manifold);
}

namespace store_detail {

// Stores one contact per lane, in the caller's order.
ABUT_NOINLINE inline void put_contact(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, Vec3W normal,
                                      Vec3W point, FloatW separation, IntW feature) {
    const LaneRecords4 n = records_of(normal), p = records_of(point, separation);
    const LaneArray<std::int32_t> f = lanes_of(feature);
    std::uint8_t* const counts = chunk.out->contact_count;
    ManifoldRecord* const manifolds = chunk.out->manifolds;
    for_each_lane(lanes, [&](int lane) {
        const std::uint32_t pair = chunk.pair(list[lane]);
        ManifoldRecord& record = manifolds[pair];
        counts[pair] = 1;
        put(record.normal, n[lane]);
        std::memcpy(static_cast<void*>(&record.contacts[0]), p[lane], 4 * sizeof(float));  // position and separation
        record.contacts[0].feature = static_cast<std::uint32_t>(f[lane]);
    });
}

}  // namespace store_detail

// As store_contacts for a single point, for cores near their bodies' origins.
ABUT_INLINE void store_contact(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes,
                               const ToWorldW& to_world, const AnswerW& answer, IntW feature) {
    using namespace store_detail;
    const MaskW swapped = swapped_lanes(chunk, list);
    const Vec3W normal = world_normal(to_world, answer.normal), world = world_point(to_world, answer.midpoint);
    put_contact(chunk, list, lanes, select(swapped, -normal, normal), select(swapped, from_b(world, to_world), world),
                answer.signed_distance * to_world.unit, select(swapped, (feature << 16) | (feature >> 16), feature));
}

// Stores an answer of the exact path as a distance.
inline void store_exact_distance(const Chunk& chunk, std::uint32_t i, const ExactAnswer& answer) {
    const OutputView& out = *chunk.out;
    const std::uint32_t pair = chunk.pair(i);
    const Vec3 n = answer.normal;
    out.signed_distance[pair] = answer.signed_distance;
    if (out.normal) out.normal[pair] = chunk.is_swapped(i) ? Vec3{-n.x, -n.y, -n.z} : n;
    if (out.point_a) out.point_a[pair] = answer.point_a;
    if (out.point_b) out.point_b[pair] = answer.point_b;
}

// Stores an answer of the exact path as a contact without feature names.
inline void store_exact_contact(const Chunk& chunk, std::uint32_t i, const ExactAnswer& contact) {
    const OutputView& out = *chunk.out;
    ManifoldRecord& record = out.manifolds[chunk.pair(i)];
    const Vec3 n = contact.normal, m = contact.midpoint;
    out.contact_count[chunk.pair(i)] = 1;
    record.normal = chunk.is_swapped(i) ? Vec3{-n.x, -n.y, -n.z} : n;
    record.contacts[0] = {m, contact.signed_distance, 0};
    if (!chunk.is_swapped(i)) return;
    const Vec3 a = chunk.pairs->a[i]->position, b = chunk.pairs->b[i]->position;
    record.contacts[0].position = {m.x - (b.x - a.x), m.y - (b.y - a.y), m.z - (b.z - a.z)};
}

inline void store_hits(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, MaskW hits) {
    std::uint8_t* const out = chunk.out->hit;
    const IntW bytes = select(hits, IntW(1), IntW(0));
    if (are_neighbours(chunk, list, lanes)) return bytes.store_bytes(out + chunk.pair(list[0]));
    std::uint8_t hit[kLanes];
    bytes.store_bytes(hit);
    if (lanes != kAllLanes) return for_each_lane(lanes, [&](int lane) { out[chunk.pair(list[lane])] = hit[lane]; });
    ABUT_UNROLL(16)
    for (int lane = 0; lane < kLanes; ++lane) out[chunk.pair(list[lane])] = hit[lane];
}

inline void store_status(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, Status status) {
    for_each_lane(lanes, [&](int lane) { chunk.out->status[chunk.pair(list[lane])] = status; });
}

}  // namespace abut::ABUT_ISA_NAMESPACE
