// Intersects a ray with a node's sixteen boxes [Kay, Kajiya 1986], one per lane. Boxes are in cells, as bytes; the ray
// is converted once per node.
#pragma once

#include <cstddef>

#include "queries/rays/mesh_walk.hpp"
#include "simd/gather.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

ABUT_INLINE FloatW numbers(const std::byte* bytes) {
    const IntW x = load_bytes(reinterpret_cast<const std::uint8_t*>(bytes));
#if ABUT_ISA_LANES == 16
    return {BatchF(_mm512_cvtepi32_ps(RegI(x.v)))};
#elif ABUT_ISA_LANES == 8
    return {BatchF(_mm256_cvtepi32_ps(RegI(x.v)))};
#else
    return float_of(x | IntW(0x4b000000)) - FloatW(8388608.0f);  // the bits of the float 2^23 + byte
#endif
}

// The offset in a node, in bytes, of the ends of its boxes along an axis.
ABUT_INLINE std::uint32_t lower_ends(int axis) {
    return offsetof(MeshNode, low_cells) + MeshNode::kWidth * static_cast<std::uint32_t>(axis);
}
ABUT_INLINE std::uint32_t upper_ends(int axis) {
    return offsetof(MeshNode, high_cells) + MeshNode::kWidth * static_cast<std::uint32_t>(axis);
}

// `first`, `last`: the near and far ends of boxes along an axis, in cells. The ray meets the end `cell` at at_first (or
// at_last) + cell * step, metres.
struct AxisRay {
    const std::byte *first, *last;
    float step, at_first, at_last;
};

ABUT_INLINE AxisRay axis_ray(const MeshNode& node, const MeshWalk& walk, int axis) {
    const float inverse = walk.inverse[axis], low = node.low[axis] * walk.scale[axis] - walk.start[axis],
                out = walk.out[axis];
    const auto* const bytes = reinterpret_cast<const std::byte*>(&node);
    const std::uint32_t first = walk.first[axis];
    return {bytes + first, bytes + (lower_ends(axis) + upper_ends(axis) - first),
            node.step[axis] * walk.scale[axis] * inverse, (low + out) * inverse, (low - out) * inverse};
}

// Returns a bit for each of the node's boxes that the ray meets within its length. Writes lower bounds, at least 0, on
// the distances of entry.
ABUT_INLINE std::uint32_t find_entries(const MeshNode& node, const MeshWalk& walk, float* bounds) {
    const AxisRay x = axis_ray(node, walk, 0), y = axis_ray(node, walk, 1), z = axis_ray(node, walk, 2);
    const auto first = [](const AxisRay& axis, int lane) {
        return numbers(axis.first + lane) * FloatW(axis.step) + FloatW(axis.at_first);
    };
    const auto last = [](const AxisRay& axis, int lane) {
        return numbers(axis.last + lane) * FloatW(axis.step) + FloatW(axis.at_last);
    };
    std::uint32_t met = 0;
    for (int lane = 0; lane < int(MeshNode::kWidth); lane += kLanes) {
        const FloatW enters = max(max(first(x, lane), first(y, lane)), max(first(z, lane), FloatW(0.0f)));
        const FloatW leaves = min(min(last(x, lane), last(y, lane)), min(last(z, lane), FloatW(walk.box_length)));
        enters.store_unaligned(bounds + lane);
        met |= (enters <= leaves).bits() << lane;
    }
    return met & ((1u << node.count) - 1);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
