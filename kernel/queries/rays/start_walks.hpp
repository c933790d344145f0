// Starts and ends the walks of rays through meshes, one ray per lane. Sheared coordinates are computed as in
// triangle_ray.cpp.
#pragma once

#include "queries/rays/node_entries.hpp"
#include "queries/rays/ray_lanes.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Offsets of the rows in MeshWalk (kHighRow: in MeshFrame): the first two in floats, the others in doubles.
inline constexpr int kScaleRow = 0, kAxesRow = 4, kOriginRow = 4, kShearRow = 8, kHighRow = 4;
static_assert(offsetof(MeshWalk, scale) == kScaleRow * sizeof(float) &&
              offsetof(MeshWalk, depth_axis) == kAxesRow * sizeof(float));
static_assert(offsetof(MeshWalk, origin) == kOriginRow * sizeof(double) &&
              offsetof(MeshWalk, shear) == kShearRow * sizeof(double));
static_assert(offsetof(MeshFrame, low) == 0 && offsetof(MeshFrame, high) == kHighRow * sizeof(double));

// Permutes coordinates to the order of the sheared axes, in which z is the depth.
struct ShearedAxes {
    MaskW is_x, is_y, is_swapped;  // the depth is along x, or along y; the other two axes are swapped

    ABUT_INLINE Vec3W operator()(const FloatW& x, const FloatW& y, const FloatW& z) const {
        const FloatW a = select(is_x, y, select(is_y, z, x)), b = select(is_x, z, select(is_y, x, y));
        return {select(is_swapped, b, a), select(is_swapped, a, b), select(is_x, x, select(is_y, y, z))};
    }
};

// ShearedAxes for vectors of doubles.
struct ShearedAxesD {
    DoubleMaskW is_x, is_y, is_swapped;

    ABUT_INLINE DVec3W operator()(const DVec3W& v) const {
        const DoubleW a = select(is_x, v.y, select(is_y, v.z, v.x)), b = select(is_x, v.z, select(is_y, v.x, v.y));
        return {select(is_swapped, b, a), select(is_swapped, a, b), select(is_x, v.x, select(is_y, v.y, v.z))};
    }
};

struct ClippedAxis {
    DoubleW begin, end, farthest;
};

// Limits `all` to where the ray is inside the bounds along one axis.
ABUT_INLINE void clip_axis(const DoubleW& o, const DoubleW& d, const DoubleW& low, const DoubleW& high,
                           const DoubleW& slack, ClippedAxis& all) {
    const DoubleW zero = 0.0, infinite = HUGE_VAL, farthest = max(abs(low), abs(high));
    const DoubleW pad = slack + DoubleW(kPadShare) * farthest + DoubleW(0x1p-50) * abs(o), from = low - pad,
                  to = high + pad;
    const DoubleMaskW falls = d < zero, moves = falls | (zero < d), is_out = ~moves & ((o < from) | (to < o));
    const DoubleW by = select(moves, d, DoubleW(1.0));
    const DoubleW first = (select(falls, to, from) - o) / by, second = (select(falls, from, to) - o) / by;
    all.begin = max(all.begin, select(moves, first, zero));
    all.end = min(all.end, select(moves, second, select(is_out, -infinite, infinite)));
    all.farthest = max(all.farthest, farthest);
}

ABUT_INLINE FloatW inverse_of(const DoubleW& d) {
    const DoubleW least = kLeastComponent, zero = 0.0;
    return narrow(DoubleW(1.0) / select(least < abs(d), d, select(d < zero, -least, least)));
}

// Fills the walks of all lanes; returns the lanes whose rays meet the bounds of their meshes.
ABUT_INLINE std::uint32_t start_walks(const LaneRays::Ray& ray, const MeshFrame* const* frames,
                                      MeshWalk* const* walks) {
    for (int lane = 0; lane < kLanes; ++lane) walks[lane]->frame = frames[lane], walks[lane]->triangle = kNoTriangle;
    DoubleW low[4] = {0.0, 0.0, 0.0, 0.0}, high[4] = {0.0, 0.0, 0.0, 0.0};
    transpose_doubles4(frames, low);
    transpose_doubles4(frames, high, kHighRow);
    const DVec3W &o = ray.origin, &d = ray.direction;
    ClippedAxis clip = {0.0, ray.length, 0.0};
    clip_axis(o.x, d.x, low[0], high[0], low[3], clip);
    clip_axis(o.y, d.y, low[1], high[1], low[3], clip);
    clip_axis(o.z, d.z, low[2], high[2], low[3], clip);
    const std::uint32_t meets = bits_of(clip.begin <= clip.end);
    if (meets == 0) return 0;

    const DVec3W from = o + d * clip.begin, at = abs(from), ahead = abs(d);
    const FloatW pad = narrow(low[3] + DoubleW(kPadShare) * max(clip.farthest, max(max(at.x, at.y), at.z)));
    const FloatW line_length = narrow((clip.end - clip.begin) * DoubleW(double(kBoxExcess))), zero = 0.0f;
    const Vec3W start = narrow(from), inverse = {inverse_of(d.x), inverse_of(d.y), inverse_of(d.z)};
    FloatW scale[4];
    transpose_records4(frames, scale, int(offsetof(MeshFrame, scale) / sizeof(float)));
    const FloatW inverses[3] = {inverse.x, inverse.y, inverse.z};
    FloatW out[3] = {zero, zero, zero}, first[3] = {zero, zero, zero};
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] = copysign(pad, -inverses[axis]);
        const IntW lower = static_cast<std::int32_t>(lower_ends(axis)),
                   upper = static_cast<std::int32_t>(upper_ends(axis));
        first[axis] = float_of(
            select((flip_sign(FloatW(1.0f), scale[axis]) == flip_sign(FloatW(1.0f), inverses[axis])), lower, upper));
    }
    const DoubleMaskW is_x = ~(ahead.x < ahead.y) & ~(ahead.x < ahead.z), is_y = ~is_x & ~(ahead.y < ahead.z);
    const DoubleMaskW never = DoubleW(1.0) < DoubleW(0.0);
    const DVec3W straight = ShearedAxesD{is_x, is_y, never}(d);
    const ShearedAxesD axes = {is_x, is_y, straight.z < DoubleW(0.0)};
    const DVec3W origin = axes(o), along = axes(d);
    const DoubleW by = DoubleW(1.0) / along.z, dzero = 0.0, done = 1.0, two = 2.0;
    const FloatW depth_axis = narrow(select(is_x, dzero, select(is_y, done, two))),
                 is_swapped = narrow(select(axes.is_swapped, done, dzero));

    double* rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) rows[lane] = reinterpret_cast<double*>(walks[lane]);
    const DoubleW origin_row[4] = {origin.x, origin.y, origin.z, ray.length},
                  shear_row[4] = {along.x * by, along.y * by, by, clip.begin};
    store_doubles4(origin_row, rows, kOriginRow);
    store_doubles4(shear_row, rows, kShearRow);
    store_records4(scale[0], scale[1], scale[2], scale[3], [&](int lane) { return walks[lane]->scale; });
    store_records4(depth_axis, is_swapped, line_length, zero, [&](int lane) { return &walks[lane]->depth_axis; });
    store_records4(start.x, start.y, start.z, line_length * FloatW(kBoxExcess),
                   [&](int lane) { return walks[lane]->start; });
    store_records4(inverse.x, inverse.y, inverse.z, zero, [&](int lane) { return walks[lane]->inverse; });
    store_records4(out[0], out[1], out[2], zero, [&](int lane) { return walks[lane]->out; });
    store_records4(first[0], first[1], first[2], zero,
                   [&](int lane) { return reinterpret_cast<float*>(walks[lane]->first); });
    return meets;
}

// Returns the address of the stored corner k of a triangle: its position, not scaled, and one more float. `anchor`: the
// leaf's first vertex.
ABUT_INLINE const float* corner_of(const MeshFrame& frame, std::uint32_t triangle, std::uint32_t anchor,
                                   std::uint32_t k) {
    const std::int16_t offset = frame.corners[3 * triangle + k];
    std::uint32_t vertex = anchor + static_cast<std::uint32_t>(std::int32_t(offset));
    if (offset == NearIndices::kFar) vertex = frame.corner(*frame.mesh, triangle, k);
    return vertex == frame.last_vertex ? frame.last_corner : &frame.vertices[vertex].x;
}

struct WalkEndsW {
    DoubleW distance;
    DVec3W normal;
    IntW child;
};

// Returns the hits of the walks of `lanes`; the other lanes miss.
ABUT_INLINE WalkEndsW end_walks(const MeshWalk* const* walks, std::uint32_t lanes) {
    const float* corners[3][kLanes];
    LaneArray<std::int32_t> child;
    LaneArray<double> distance;
    LaneArray<float> sign;
    alignas(16) constexpr float kNone[4] = {};
    for (int lane = 0; lane < kLanes; ++lane) {
        const MeshWalk& walk = *walks[lane];
        const MeshFrame& frame = *walk.frame;
        child[lane] = 0, distance[lane] = HUGE_VAL, sign[lane] = 1.0f;
        for (int k = 0; k < 3; ++k) corners[k][lane] = kNone;
        if ((lanes >> lane & 1) == 0 || walk.triangle == kNoTriangle) continue;
        const std::uint32_t anchor = frame.nodes[walk.triangle / MeshNode::kWidth].first_vertex;
        corners[0][lane] = corner_of(frame, walk.triangle, anchor, 0);
        corners[1][lane] = corner_of(frame, walk.triangle, anchor, frame.second_corner);
        corners[2][lane] = corner_of(frame, walk.triangle, anchor, 3 - frame.second_corner);
        child[lane] = static_cast<std::int32_t>(frame.input[walk.triangle]);
        distance[lane] = walk.length, sign[lane] = walk.from_front ? 1.0f : -1.0f;
    }
    FloatW scale[4];
    transpose_records4(walks, scale, kScaleRow);
    DVec3W p[3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int k = 0; k < 3; ++k) {
        FloatW v[4];
        transpose_records4(corners[k], v);
        p[k] = widen(Vec3W{v[0] * scale[0], v[1] * scale[1], v[2] * scale[2]});
    }
    // Products of floats do not overflow in double, so normalizing needs no scaling as in maths::unit.
    const DVec3W area = cross(p[1] - p[0], p[2] - p[0]);
    const DoubleW zero = 0.0, one = 1.0;
    const DoubleMaskW is_flat = (area.x == zero) & (area.y == zero) & (area.z == zero);
    const DVec3W normal = select(is_flat, {zero, one, zero}, area * (one / select(is_flat, one, norm(area))));
    return {load(distance), normal * widen(load(sign)), load(child)};
}

}  // namespace abut::ABUT_ISA_NAMESPACE
