// The records that the lanes read for instances in the plane. Every convex shape is a core (a point, a segment, a
// rectangle, a convex polygon) swept by a circle. A record begins with four words that all kinds share; lanes load
// whole records and transpose them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <abut/d2/shapes_2d.hpp>

namespace abut::d2 {

inline constexpr std::uint32_t kLaneKinds = 5, kConvexKinds = 7, kKinds = 9;  // those of lanes come first, then convex

struct alignas(16) CoreRecord {
    // The centre of the core's bounds, in the body's frame. Lanes compute relative to it, so that far corners keep
    // their precision.
    float centre_x = 0, centre_y = 0;
    float radius = 0;  // swept around the core: the shape's own radius plus rounding
    float size = 0;    // half the longest side of the local bounds, radius included; half-plane: 0
};

// Corner 0 of a segment is centre - half, corner 1 is centre + half. The normal is on the right, seen from corner 0 to
// corner 1. It is the outward normal of the first edge (0, 1); the second edge (1, 0) has the opposite normal. It is
// (0, 0) if both corners are one point.
struct CapsuleRecord : CoreRecord {
    float half_x = 0, half_y = 0, normal_x = 0, normal_y = 0;
};

// Corners: (-,-), (+,-), (+,+), (-,+). Edge i is from corner i to corner i + 1.
struct BoxRecord : CoreRecord {
    float half_x = 0, half_y = 0, unused[2] = {};
};

// The offset of edges that do not exist: no corner is ever beyond them.
inline constexpr float kNoEdge = 0x1p100f;

// Corners counter-clockwise, relative to the centre, from the lowest (of equally low ones the leftmost). Corners from
// `count` on repeat corner 0. Edge i is from corner i to corner i + 1, in the half-plane normal . x <= offset. Normals
// from `count` on are 0, with the offset kNoEdge. (A repeated last edge would be a second separating axis; an edge with
// normal 0 is none.)
template <int N>
struct PolygonRecord : CoreRecord {
    float x[N] = {}, y[N] = {};
    float normal_x[N] = {}, normal_y[N] = {}, offset[N] = {};
};

// A polygon with more corners than lanes hold; they are in ShapeTables::corners.
struct LargePolygonRecord : CoreRecord {
    std::uint32_t first = 0, count = 0, unused[2] = {};
};

// The offset is in double, because a far plane must keep its last bits. The normal is unit.
struct HalfplaneRecord : CoreRecord {
    double normal_x = 0, normal_y = 0, offset = 0, unused = 0;
};

// Bytes of a kind's record; chains and compounds have only a CoreRecord.
inline constexpr std::uint32_t kRecordBytes[kKinds] = {
    sizeof(CoreRecord),       sizeof(CapsuleRecord),    sizeof(BoxRecord),
    sizeof(PolygonRecord<4>), sizeof(PolygonRecord<8>), sizeof(LargePolygonRecord),
    sizeof(HalfplaneRecord),  sizeof(CoreRecord),       sizeof(CoreRecord)};
static_assert(sizeof(PolygonRecord<4>) == 96 && sizeof(PolygonRecord<8>) == 176 && sizeof(HalfplaneRecord) == 48);

// The records of a kind, by slot.
struct RecordTable {
    const std::byte* records;
    std::uint32_t record_bytes;
};

constexpr bool is_convex(ShapeKind kind) { return std::uint32_t(kind) < kConvexKinds; }
constexpr bool has_lanes(ShapeKind kind) { return std::uint32_t(kind) < kLaneKinds; }  // wide kernels answer this kind
constexpr bool is_of_parts(ShapeKind kind) { return kind == ShapeKind::chain || kind == ShapeKind::compound; }

}  // namespace abut::d2
