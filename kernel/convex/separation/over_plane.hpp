// A shape over a half-space, in closed form by the shape's support function [van den Bergen 2003, 4.3].
#pragma once

#include "convex/lanes/answer.hpp"
#include "convex/lanes/load.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

template <class CoreA>
using OverPlaneW = PairW<CoreA, PlaneCore>;

// The support value of the core along -normal.
template <class CoreA>
ABUT_INLINE FloatW support_down(const OverPlaneW<CoreA>& pair, std::uint32_t lanes) {
    return support_value(pair.a, -pair.b.normal, lanes);
}
template <class CoreA>
ABUT_INLINE FloatW distance_over_plane(const OverPlaneW<CoreA>& pair, FloatW support) {
    return -support - pair.b.level - pair.radius_a;
}

// The core's farthest point along -normal; `support`: its coordinate along -normal.
ABUT_INLINE Vec3W lowest_point(const PointCore&, Vec3W, FloatW, std::uint32_t) { return splat(0.0f); }
ABUT_INLINE Vec3W lowest_point(const ExtentCore& core, Vec3W normal, FloatW, std::uint32_t) {
    return copysign(core.extent, -normal);
}
template <Curved Core>
ABUT_INLINE Vec3W lowest_point(const Core& core, Vec3W normal, FloatW, std::uint32_t) {
    return farthest_point(core, -normal);
}
// A hull's lowest point: the first vertex with the height `support`, because packed supports may miss the lowest vertex
// by more than the bound. The vertices are still in the CPU's cache, and one of the first mostly has that height.
inline Vec3W lowest_point(const HullCore& core, Vec3W normal, FloatW support, std::uint32_t lanes) {
    const Vec3W local = multiply(-normal, core.scale);
    const LaneArray<float> x = lanes_of(local.x), y = lanes_of(local.y), z = lanes_of(local.z),
                           most = lanes_of(support);
    LaneArray<std::int32_t> vertex_of_lane = lanes_of(IntW(0));
    for_each_lane(lanes, [&](int lane) {
        const FloatW dx = x[lane], dy = y[lane], dz = z[lane], value = most[lane];
        const VertexColumns columns = vertices_along(*core.hull[lane], x[lane], y[lane], z[lane]);
        for (std::uint32_t i = 0; i < columns.count; i += kLanes) {
            const FloatW along =
                dx * FloatW::load(columns.x + i) + dy * FloatW::load(columns.y + i) + dz * FloatW::load(columns.z + i);
            const std::uint32_t same = (along == value).bits();
            if (same == 0) continue;
            vertex_of_lane[lane] =
                static_cast<std::int32_t>(columns.vertex_at(i + static_cast<std::uint32_t>(lowest_bit(same))));
            return;
        }
    });
    return vertex(core, load(vertex_of_lane));
}

template <class CoreA>
ABUT_INLINE AnswerW answer_over_plane(const OverPlaneW<CoreA>& pair, FloatW support, std::uint32_t lanes) {
    const Vec3W up = pair.b.normal;
    const FloatW distance = distance_over_plane(pair, support);
    return {distance, -up, lowest_point(pair.a, up, support, lanes) - up * (pair.radius_a + distance * FloatW(0.5f))};
}

}  // namespace abut::ABUT_ISA_NAMESPACE
