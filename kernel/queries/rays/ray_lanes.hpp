// Loads rays and transforms them to the frames of their bodies' shapes, one pair per lane.
#pragma once

#include <abut/math.hpp>

#include "convex/lanes/load.hpp"
#include "queries/rays/closed_forms.hpp"
#include "queries/rays/ray_chunk.hpp"
#include "simd/gather.hpp"
#include "simd/rotations.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

ABUT_INLINE DoubleMaskW widen(MaskW m) { return widen(float_of(words_of(m) & bits_of(FloatW(1.0f)))) == DoubleW(1.0); }

ABUT_INLINE DoubleMaskW operator<=(DoubleW a, DoubleW b) { return {a.lo <= b.lo, a.hi <= b.hi}; }

// The type F of closed_forms.hpp for one ray per lane.
struct LaneRays {
    using Number = DoubleW;
    using Vec = DVec3W;
    using Mask = DoubleMaskW;
    struct Ray {
        DVec3W origin, direction;
        DoubleW length;
    };

    ABUT_ALWAYS_INLINE static DoubleW choose(DoubleMaskW which, const DoubleW& yes, const DoubleW& no) {
        return select(which, yes, no);
    }
    ABUT_ALWAYS_INLINE static DVec3W choose(DoubleMaskW which, const DVec3W& yes, const DVec3W& no) {
        return select(which, yes, no);
    }
    ABUT_ALWAYS_INLINE static DoubleW least(const DoubleW& a, const DoubleW& b) { return min(a, b); }
    ABUT_ALWAYS_INLINE static DoubleW most(const DoubleW& a, const DoubleW& b) { return max(a, b); }
    ABUT_ALWAYS_INLINE static DoubleW magnitude(const DoubleW& a) { return abs(a); }
    ABUT_ALWAYS_INLINE static DoubleW root(const DoubleW& a) { return sqrt(a); }
    ABUT_ALWAYS_INLINE static DoubleMaskW no(DoubleMaskW a) { return ~a; }
};

ABUT_INLINE std::uint32_t bits_of(DoubleMaskW m) {
    return (narrow(select(m, DoubleW(1.0), DoubleW(0.0))) == FloatW(1.0f)).bits();
}

// The pair of each lane, and the addresses of its body and record. Lanes beyond the final pair repeat that pair.
struct PairRows {
    LaneArray<std::int32_t> pair;
    IntW ray;
    const Body* body[kLanes];
    const InstanceRecord* record[kLanes];
    std::uint32_t lanes;  // bits: lanes that are not repeats

    ABUT_ALWAYS_INLINE PairRows(const RayChunk& chunk, std::uint32_t first) : lanes(lane_bits(chunk.count - first)) {
        const std::uint32_t* const listed = chunk.listed + first;
        if (lanes == kAllLanes) {
            std::memcpy(pair.at, listed, sizeof pair.at);
        } else {
            for (int lane = 0; lane < kLanes; ++lane)
                pair[lane] = static_cast<std::int32_t>(listed[lane_of(chunk.count - first, lane)]);
        }
        IntW of_body;
        load_pairs(chunk, of_body);
        if (chunk.posed == nullptr) {
            store_addresses(chunk.bodies.first, of_body, static_cast<std::uint32_t>(chunk.bodies.stride), body);
        } else {
            for (int lane = 0; lane < kLanes; ++lane)
                body[lane] = &chunk.posed[first + lane_of(chunk.count - first, lane)].body;
        }
    }
    ABUT_ALWAYS_INLINE bool are_adjacent() const {
        return lanes == kAllLanes && pair[kLanes - 1] - pair[0] == kLanes - 1;
    }
    ABUT_ALWAYS_INLINE std::uint32_t shape_bits(int lane) const {
        std::uint32_t shape;
        std::memcpy(&shape, &body[lane]->shape, sizeof shape);
        return shape;
    }
    ABUT_ALWAYS_INLINE static std::uint32_t lane_of(std::uint32_t count, int lane) {
        const auto at = static_cast<std::uint32_t>(lane);
        return at < count ? at : count - 1;
    }

private:
    ABUT_ALWAYS_INLINE void load_pairs(const RayChunk& chunk, IntW& of_body) {
        if (are_adjacent() && chunk.pairs.stride == 2 * sizeof(std::uint32_t))
            return load_twos(chunk.pairs.at(static_cast<std::uint32_t>(pair[0])), ray, of_body);
        LaneArray<std::int32_t> a, b;
        for (int lane = 0; lane < kLanes; ++lane) {
            const std::byte* const at = chunk.pairs.at(static_cast<std::uint32_t>(pair[lane]));
            std::memcpy(&a[lane], at, sizeof a[lane]), std::memcpy(&b[lane], at + sizeof a[lane], sizeof b[lane]);
        }
        ray = load(a), of_body = load(b);
    }
};

// The QuerySides of each lane's ray.
ABUT_INLINE LaneArray<std::int32_t> sides_of(const RayChunk& chunk, const PairRows& rows) {
    LaneArray<std::int32_t> sides = lanes_of(IntW(static_cast<std::int32_t>(chunk.sides)));
    if (chunk.sides_of_rays == nullptr) return sides;
    const LaneArray<std::int32_t> rays = lanes_of(rows.ray);
    for (int lane = 0; lane < kLanes; ++lane)
        sides[lane] = static_cast<std::int32_t>(chunk.sides_of_rays[static_cast<std::uint32_t>(rays[lane])]);
    return sides;
}

// Loads a vector of each lane's ray. Reads four floats per vector; a copy of the column's final vector avoids a read
// past its end.
ABUT_INLINE Vec3W load_vectors(const InMemory& column, const PairRows& rows, std::uint32_t last_ray) {
    const float* at[kLanes];
    store_addresses(column.first, rows.ray, static_cast<std::uint32_t>(column.stride), at);
    float copies[kLanes][4];
    for_each_lane((rows.ray == IntW(static_cast<std::int32_t>(last_ray))).bits(), [&](int lane) {
        std::memcpy(copies[lane], at[lane], 3 * sizeof(float));
        copies[lane][3] = 0.0f, at[lane] = copies[lane];
    });
    FloatW v[4];
    transpose_records4(at, v);
    return {v[0], v[1], v[2]};
}

struct LoadedRays {
    DVec3W from_body, direction;  // world axes; unit
    MatrixDW axes;                // of the shapes, in world axes
    DoubleW length;               // of the whole ray, metres
    LaneRays::Ray ray;            // in the shapes' frames; ends at the ray's hit so far
    std::uint32_t valid, needed;  // valid: lanes with valid input, as bits; needed: those of them whose hit is needed
};

ABUT_INLINE DoubleMaskW is_near(const DVec3W& v) {
    const DVec3W a = abs(v);
    const DoubleW farthest = double(kFarthestMetres);
    return (a.x <= farthest) & (a.y <= farthest) & (a.z <= farthest);
}

ABUT_INLINE MaskW is_near(const Vec3W& v) {
    const Vec3W a = abs(v);
    const FloatW farthest = kFarthestMetres;
    return (a.x <= farthest) & (a.y <= farthest) & (a.z <= farthest);
}

ABUT_INLINE void load_starts(const RayChunk& chunk, std::uint32_t first, const Vec3W& position, const PairRows& rows,
                             DVec3W& from_body, DVec3W& from_shape) {
    if (chunk.posed == nullptr) {
        from_body = from_shape = widen(load_vectors(chunk.origins, rows, chunk.last_ray)) - widen(position);
        return;
    }
    const double* at[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
        at[lane] = chunk.posed[first + PairRows::lane_of(chunk.count - first, lane)].from_body;
    }
    DoubleW v[4] = {0.0, 0.0, 0.0, 0.0};
    transpose_doubles4(at, v);
    from_body = {v[0], v[1], v[2]};
    transpose_doubles4(at, v, 4);
    from_shape = {v[0], v[1], v[2]};
}

// Stores each lane's address of number k of PosedRay::direction.
ABUT_INLINE void store_directions(const RayChunk& chunk, std::uint32_t first, const float** at, int k) {
    for (int lane = 0; lane < kLanes; ++lane)
        at[lane] = chunk.posed[first + PairRows::lane_of(chunk.count - first, lane)].direction + k;
}

ABUT_INLINE Vec3W posed_directions(const RayChunk& chunk, std::uint32_t first) {
    const float* at[kLanes];
    store_directions(chunk, first, at, 0);
    FloatW v[4];
    transpose_records4(at, v);
    return {v[0], v[1], v[2]};
}

ABUT_NOINLINE inline FloatW load_lengths(const RayChunk& chunk, std::uint32_t first, const PairRows& rows) {
    const float* at[kLanes];
    if (chunk.posed == nullptr)
        store_addresses(chunk.lengths.first, rows.ray, static_cast<std::uint32_t>(chunk.lengths.stride), at);
    else
        store_directions(chunk, first, at, 3);
    LaneArray<float> lengths;
    for (int lane = 0; lane < kLanes; ++lane) std::memcpy(&lengths[lane], at[lane], sizeof(float));
    return load(lengths);
}

// Shortens a ray to its hit. With chunk.any, the lane of a ray that has a hit is not needed.
ABUT_INLINE void limit_to_best(const RayChunk& chunk, const PairRows& rows, LoadedRays& out) {
    LaneArray<double> ends = lanes_of(out.length);
    const LaneArray<std::int32_t> rays = lanes_of(rows.ray);
    for (int lane = 0; lane < kLanes; ++lane) {
        const RayBest& best = chunk.best[static_cast<std::uint32_t>(rays[lane])];
        if (best.pair == kNoRayPair) continue;
        if (chunk.any) out.needed &= ~(1u << lane);
        const double end = best.fraction * ends[lane] * (1 + 0x1p-50);
        ends[lane] = end < ends[lane] ? end : ends[lane];
    }
    out.ray.length = load(ends);
}

ABUT_INLINE LoadedRays load_rays(const RayChunk& chunk, std::uint32_t first, PairRows& rows) {
    const PosesW poses(rows.body);
    store_addresses(chunk.records, poses.slot(), sizeof(InstanceRecord), rows.record);
    const Vec3W position = {poses.position[0], poses.position[1], poses.position[2]};
    const QuatW q = {poses.orientation[0], poses.orientation[1], poses.orientation[2], poses.orientation[3]};
    DVec3W from_body = {0.0, 0.0, 0.0}, from_shape = from_body;
    load_starts(chunk, first, position, rows, from_body, from_shape);
    const Vec3W direction_given =
        chunk.posed == nullptr ? load_vectors(chunk.directions, rows, chunk.last_ray) : posed_directions(chunk, first);
    const DVec3W given = widen(direction_given);
    const DoubleW zero = 0.0, one = 1.0, given_length = norm(given);
    DoubleW length = given_length;
    if (chunk.lengths.first != nullptr) length = widen(load_lengths(chunk, first, rows));
    const DoubleMaskW good =
        is_near(from_body) & (zero < given_length) & (zero < length) & (length <= DoubleW(2 * double(kFarthestMetres)));
    const MaskW has_pose =
        is_near(direction_given) & is_valid_pose(position, q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    const std::uint32_t valid = rows.lanes & bits_of(good) & has_pose.bits();
    const MatrixDW axes = rotation_of(widen(q));
    const DVec3W direction = given * (one / given_length);
    LoadedRays out = {
        from_body, direction, axes, length, {rotate_back(axes, from_shape), rotate_back(axes, direction), length},
        valid,     valid};
    if (chunk.best != nullptr) limit_to_best(chunk, rows, out);
    return out;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
