// Rays in the frames of their bodies' shapes, one pair per lane.
#pragma once

#include <abut/range.hpp>

#include "rays/closed_forms.hpp"
#include "rays/ray_chunk.hpp"
#include "tolerances.hpp"
#include "wide/rotations.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// One ray per lane, for closed_forms.hpp.
struct LaneRays {
    using Number = DoubleW;
    using Vec = DVec3W;
    using Mask = DoubleMaskW;
    struct Ray {
        DVec3W origin, direction;
        DoubleW length;
    };

    ABUT_ALWAYS_INLINE static DoubleW choose(DoubleMaskW which, const DoubleW& yes, const DoubleW& no) { return select(which, yes, no); }
    ABUT_ALWAYS_INLINE static DVec3W choose(DoubleMaskW which, const DVec3W& yes, const DVec3W& no) { return select(which, yes, no); }
    ABUT_ALWAYS_INLINE static DoubleW least(const DoubleW& a, const DoubleW& b) { return min(a, b); }
    ABUT_ALWAYS_INLINE static DoubleW most(const DoubleW& a, const DoubleW& b) { return max(a, b); }
    ABUT_ALWAYS_INLINE static DoubleW root(const DoubleW& a) { return sqrt(a); }
    ABUT_ALWAYS_INLINE static DoubleMaskW no(DoubleMaskW a) { return ~a; }
};

ABUT_INLINE std::uint32_t bits_of(DoubleMaskW m) { return (narrow(select(m, DoubleW(1.0), DoubleW(0.0))) == FloatW(1.0f)).bits(); }

// What a lane's pair is, and where its parts are in memory. Lanes beyond the last pair repeat it.
struct PairRows {
    std::uint32_t pair[kLanes], ray[kLanes];
    const Body* body[kLanes];
    const InstanceRecord* record[kLanes];
    std::uint32_t lanes;  // that have a pair

    ABUT_ALWAYS_INLINE PairRows(const RayChunk& chunk, std::uint32_t first) : lanes(lane_bits(chunk.count - first)) {
        for (int lane = 0; lane < kLanes; ++lane) {
            const std::uint32_t at = first + static_cast<std::uint32_t>(lane), i = at < chunk.count ? at : chunk.count - 1;
            pair[lane] = chunk.first_pair + chunk.listed[i];
            std::uint32_t ids[2];
            std::memcpy(ids, chunk.pairs.at(pair[lane]), sizeof ids);
            ray[lane] = ids[0];
            body[lane] = chunk.posed != nullptr ? &chunk.posed[i].body : reinterpret_cast<const Body*>(chunk.bodies.at(ids[1]));
            std::uint32_t shape;
            std::memcpy(&shape, &body[lane]->shape, sizeof shape);
            record[lane] = chunk.records + (shape & (ShapeId::kMaxSlots - 1));
        }
    }
    ABUT_ALWAYS_INLINE std::uint32_t shape_bits(int lane) const {
        std::uint32_t shape;
        std::memcpy(&shape, &body[lane]->shape, sizeof shape);
        return shape;
    }
};

// A vector of each lane's ray. A vector is read as four floats, the last one of a column from a copy.
ABUT_INLINE Vec3W load_vectors(const InMemory& column, const PairRows& rows, std::uint32_t last_ray) {
    const float* at[kLanes];
    float copies[kLanes][4];
    for (int lane = 0; lane < kLanes; ++lane) {
        const std::byte* const vector = column.at(rows.ray[lane]);
        at[lane] = reinterpret_cast<const float*>(vector);
        if (rows.ray[lane] < last_ray) continue;
        std::memcpy(copies[lane], vector, 3 * sizeof(float));
        copies[lane][3] = 0.0f, at[lane] = copies[lane];
    }
    FloatW v[4];
    transpose_records4(at, v);
    return {v[0], v[1], v[2]};
}

struct LoadedRays {
    DVec3W from_body, direction;  // world axes; unit
    MatrixDW axes;                // of the shapes, in world axes
    DoubleW length;               // of the whole ray
    LaneRays::Ray ray;            // in the shapes' frames, up to the ray's hit so far
    std::uint32_t valid, needed;  // lanes: of answers; of these, whose hit is asked for
};

ABUT_INLINE DoubleMaskW is_near(const DVec3W& v) {
    const DVec3W a = abs(v);
    const DoubleW farthest = double(kFarthestMetres);
    return (a.x <= farthest) & (a.y <= farthest) & (a.z <= farthest);
}

// As frame/valid_pose.hpp.
ABUT_INLINE MaskW is_valid_pose(const FloatW (&position)[4], const QuatW& q) {
    const FloatW far = abs(position[0]) + abs(position[1]) + abs(position[2]), norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return (far <= FloatW(kFarthestMetres)) & (norm >= FloatW(kUnitSquaredLow)) & (norm <= FloatW(kUnitSquaredHigh));
}

ABUT_INLINE void load_starts(const RayChunk& chunk, std::uint32_t first, const FloatW (&position)[4], const PairRows& rows, DVec3W& from_body,
                             DVec3W& from_shape) {
    if (chunk.posed == nullptr) {
        from_body = from_shape = widen(load_vectors(chunk.origins, rows, chunk.last_ray)) - widen(Vec3W{position[0], position[1], position[2]});
        return;
    }
    const double* at[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t i = first + static_cast<std::uint32_t>(lane);
        at[lane] = chunk.posed[i < chunk.count ? i : chunk.count - 1].from_body;
    }
    DoubleW v[4] = {0.0, 0.0, 0.0, 0.0};
    transpose_doubles4(at, v);
    from_body = {v[0], v[1], v[2]};
    transpose_doubles4(at, v, 4);
    from_shape = {v[0], v[1], v[2]};
}

// Rays that have a hit end there, or are not asked about.
ABUT_INLINE void limit_to_best(const RayChunk& chunk, const PairRows& rows, LoadedRays& out) {
    LaneArray<double> ends = lanes_of(out.length);
    for (int lane = 0; lane < kLanes; ++lane) {
        const RayBest& best = chunk.best[rows.ray[lane]];
        if (best.pair == kNoRayPair) continue;
        if (chunk.any) out.needed &= ~(1u << lane);
        const double end = best.fraction * ends[lane] * (1 + 0x1p-50);
        ends[lane] = end < ends[lane] ? end : ends[lane];
    }
    out.ray.length = load(ends);
}

ABUT_INLINE LoadedRays load_rays(const RayChunk& chunk, std::uint32_t first, const PairRows& rows) {
    FloatW position[4], orientation[4];
    transpose_records4(rows.body, position);
    transpose_records4(rows.body, orientation, 4);
    const QuatW q = {orientation[0], orientation[1], orientation[2], orientation[3]};
    DVec3W from_body = {0.0, 0.0, 0.0}, from_shape = from_body;
    load_starts(chunk, first, position, rows, from_body, from_shape);
    const DVec3W given = widen(load_vectors(chunk.directions, rows, chunk.last_ray));
    const DoubleW zero = 0.0, one = 1.0, given_length = norm(given);
    DoubleW length = given_length;
    if (chunk.lengths.first != nullptr) {
        LaneArray<float> lengths;
        for (int lane = 0; lane < kLanes; ++lane) std::memcpy(&lengths[lane], chunk.lengths.at(rows.ray[lane]), sizeof(float));
        length = widen(load(lengths));
    }
    const DoubleMaskW good =
        is_near(from_body) & is_near(given) & (zero < given_length) & (zero < length) & (length <= DoubleW(2 * double(kFarthestMetres)));
    const std::uint32_t valid = rows.lanes & bits_of(good) & is_valid_pose(position, q).bits();
    const MatrixDW axes = rotation_of(widen(q));
    const DVec3W direction = given * (one / given_length);
    LoadedRays out = {from_body, direction, axes, length, {rotate_back(axes, from_shape), rotate_back(axes, direction), length}, valid, valid};
    if (chunk.best != nullptr) limit_to_best(chunk, rows, out);
    return out;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
