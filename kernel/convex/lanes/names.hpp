// Feature names: 16 bits per shape, A's in the high half of a contact's feature id. Two bits say vertex, edge or face;
// an edge is named by its vertices, a face by its index. Names are unique in hulls of up to 128 vertices; in larger
// hulls two edges may, rarely, have the same name.
#pragma once

#include "simd/vec.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr std::uint32_t kNameIndex = 0x3fff, kEdgeName = 0x4000, kFaceName = 0x8000;
// Names both features if only the depth is known, not the deepest point.
inline constexpr std::int32_t kNoPoint = -1;
// Names boxes whose features are not computed yet. The answer's midpoint then holds: the cores' separation along the
// axis, the axis's feature, and the separation without the slack (box_sat.hpp).
inline constexpr std::int32_t kBoxAxis = -2;
// Placeholder for the face best aligned with the normal, until that face is known (manifold.hpp).
inline constexpr std::uint32_t kBestFace = kFaceName | kNameIndex;

ABUT_INLINE std::uint32_t vertex_name(std::uint32_t vertex) { return vertex & kNameIndex; }
ABUT_INLINE std::uint32_t edge_name(std::uint32_t v, std::uint32_t w) {
    const std::uint32_t low = v < w ? v : w, high = v < w ? w : v;
    return kEdgeName | ((low * 128 + high) & kNameIndex);
}
ABUT_INLINE std::uint32_t face_name(std::uint32_t face) { return kFaceName | (face & kNameIndex); }

// A vertex if low == high, otherwise the edge between them.
ABUT_INLINE IntW vertex_or_edge(IntW low, IntW high) {
    const IntW edge = IntW(kEdgeName) | (((low << 7) + high) & IntW(kNameIndex));
    return select(float_of(low) == float_of(high), low & IntW(kNameIndex), edge);
}

namespace names_detail {

// Small integers as floats with the same order: 2^23 + i.
ABUT_INLINE FloatW comparable(IntW i) { return float_of(i | IntW(0x4b000000)); }
ABUT_INLINE IntW integer(FloatW f) { return bits_of(f) & IntW(0x7fffff); }

}  // namespace names_detail

// edge_name of every lane.
ABUT_INLINE IntW edge_names(IntW v, IntW w) {
    using namespace names_detail;
    const FloatW a = comparable(v), b = comparable(w);
    return IntW(kEdgeName) | (((integer(min(a, b)) << 7) + integer(max(a, b))) & IntW(kNameIndex));
}

// Converts names of an ExtentCore to those of a capsule's axis, which has only two vertices, whatever the direction's
// signs (convex/lanes/core.hpp).
ABUT_INLINE IntW segment_names(IntW name) {
    const IntW one = 1, zero = 0, high = name >> 1 & one, low = name >> 8 & one, edge = name & IntW(kEdgeName);
    const IntW both = ((low ^ high) & (edge >> 14)) | ((name & IntW(kFaceName)) >> 15);
    return select(both == zero, select(edge == zero, high, low), IntW(static_cast<std::int32_t>(edge_name(0, 1))));
}
// Replaces the placeholder by the face best aligned with the normal.
ABUT_INLINE IntW face_names(IntW name, IntW face) {
    const IntW best = static_cast<std::int32_t>(kBestFace);
    return select(name == best, IntW(static_cast<std::int32_t>(kFaceName)) | (face & IntW(kNameIndex)), name);
}

// The feature of a box (or of a capsule's axis) nearest to `point`, in the box's frame. The feature extends along the
// free axes, on which the point is between the faces.
ABUT_INLINE IntW region_name(Vec3W point, Vec3W extent) {
    const IntW none = 0;
    const FloatW zero = 0.0f;
    const auto bit_of = [&](FloatW p, int bit) { return select(p < zero, IntW(1 << bit), none); };
    const auto open = [&](FloatW p, FloatW e, int bit) {
        return select((abs(p) < e) & (e > zero), IntW(1 << bit), none);
    };
    const IntW corner = bit_of(point.x, 0) | bit_of(point.y, 1) | bit_of(point.z, 2);
    const IntW free = open(point.x, extent.x, 0) | open(point.y, extent.y, 1) | open(point.z, extent.z, 2);
    const IntW edge_bits = IntW(7) ^ free;  // fixed axes
    // With at most one free axis: an edge or a vertex.
    const MaskW face = float_of(free & (free + IntW(-1))) > zero;
    return select(face, IntW(kBestFace), vertex_or_edge(corner & edge_bits, corner | free));
}

}  // namespace abut::ABUT_ISA_NAMESPACE
