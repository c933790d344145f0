// Witness points of two boxes from the features of their axis of least depth (or largest gap): a vertex and its
// projection on a face, or the nearest points of two edges. If the projection is outside the face, as with two level
// faces, both points are moved into the faces' common part. If that fails, the lane is left to witness.hpp.
#pragma once

#include "convex/depth/witness.hpp"
#include "convex/separation/box_sat.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The features of the axis: a face and the other box's vertex, or the edges through both vertices.
ABUT_INLINE IntW box_names(const BoxAxisW& axis, IntW vertex_a, IntW vertex_b) {
    const IntW best_face = static_cast<std::int32_t>(kBestFace);
    const FloatW code = axis.feature - FloatW(6.0f);
    // Bit i for A's edge along axis i, bit j for B's edge along axis j.
    const auto is = [&](int i, int j) { return code == FloatW(static_cast<float>(3 * j + i)); };
    IntW along_a = 0, along_b = 0;
    ABUT_UNROLL(3)
    for (int k = 0; k < 3; ++k) {
        along_a = along_a | select(is(k, 0) | is(k, 1) | is(k, 2), IntW(1 << k), IntW(0));
        along_b = along_b | select(is(0, k) | is(1, k) | is(2, k), IntW(1 << k), IntW(0));
    }
    const auto edge = [](IntW vertex, IntW along) { return vertex_or_edge((vertex | along) ^ along, vertex | along); };
    const IntW a = select(axis.feature < FloatW(3.0f), best_face, edge(vertex_a, along_a));
    const MaskW face_of_b = (axis.feature > FloatW(2.0f)) & (axis.feature < FloatW(6.0f));
    return (a << 16) | select(face_of_b, best_face, edge(vertex_b, along_b));
}

namespace box_witness_detail {

// Two points that differ by `offset`.
struct PointsW {
    Vec3W on_a, on_b, offset;

    void move(Vec3W by) { on_a = on_a + by, on_b = on_b + by; }

    // True if both points are in their boxes and differ by `offset`.
    ABUT_INLINE MaskW are_witnesses(const PairW<ExtentCore, ExtentCore>& pair) const {
        const FloatW allowed = FloatW(kWitnessShare * 0.5f) * pair.tolerance;
        const Vec3W out_a = abs(on_a) - pair.a.extent,
                    out_b = abs(rotate_back(pair.rotation, on_b - pair.offset)) - pair.b.extent;
        const FloatW out = max(max(out_a.x, max(out_a.y, out_a.z)), max(out_b.x, max(out_b.y, out_b.z)));
        return (out <= allowed) & (length_squared(on_b - on_a - offset) <= allowed * allowed);
    }
};

// True if a box in this frame may have a face perpendicular to a unit normal.
inline MaskW has_level_face(Vec3W n) { return max(abs(n.x), max(abs(n.y), abs(n.z))) > FloatW(kLevelCosine); }

// The shortest displacement that moves a point into a box.
ABUT_INLINE Vec3W offset_into(Vec3W p, Vec3W extent) {
    const auto into = [](FloatW at, FloatW half) { return min(max(at, -half), half) - at; };
    return {into(p.x, extent.x), into(p.y, extent.y), into(p.z, extent.z)};
}

// Moves both points together into A, then into B, and so on: alternating projections find a common point of two
// rectangles in a plane, mostly in two rounds. Out of line, because few groups need this except resting ones.
ABUT_NOINLINE inline PointsW moved_into_both(const PairW<ExtentCore, ExtentCore>& pair, PointsW points) {
    ABUT_UNROLL(2)
    for (int round = 0; round < 2; ++round) {
        points.move(offset_into(points.on_a, pair.a.extent));
        points.move(
            rotate(pair.rotation, offset_into(rotate_back(pair.rotation, points.on_b - pair.offset), pair.b.extent)));
    }
    return points;
}

}  // namespace box_witness_detail

inline WitnessW box_witness(const PairW<ExtentCore, ExtentCore>& pair, const BoxAxisW& axis) {
    using namespace box_witness_detail;
    const FloatW zero = 0.0f, one = 1.0f, half = 0.5f;
    const Vec3W n = axis.normal;
    IntW id_a, id_b;
    const Vec3W vertex_a = support(pair.a, n, kAllLanes, id_a);
    const Vec3W towards_a = rotate_back(pair.rotation, -n);
    const Vec3W vertex_b = rotate(pair.rotation, support(pair.b, towards_a, kAllLanes, id_b)) + pair.offset;
    const MaskW face_of_a = axis.feature<FloatW(3.0f), edges = axis.feature> FloatW(5.0f);

    // The directions of the two edges. Their nearest points agree in the two coordinates perpendicular to the normal.
    const FloatW code = axis.feature - FloatW(6.0f);
    const MaskW jy = (code >= FloatW(3.0f)) & (code < FloatW(6.0f)), jz = code >= FloatW(6.0f);
    const FloatW i = code - select(jz, FloatW(6.0f), select(jy, FloatW(3.0f), zero));
    const Vec3W edge_b = select(jz, pair.rotation.z, select(jy, pair.rotation.y, pair.rotation.x));
    const Vec3W edge_a = {select(i == zero, one, zero), select(i == one, one, zero),
                          select(i == FloatW(2.0f), one, zero)};
    const Vec3W between = vertex_b - vertex_a;
    const FloatW cosine = dot(edge_a, edge_b), da = dot(edge_a, between), db = dot(edge_b, between);
    const FloatW inverse = one / max(one - cosine * cosine, FloatW(kFlat));
    const Vec3W edge_point_a = vertex_a + edge_a * ((da - cosine * db) * inverse);
    const Vec3W edge_point_b = vertex_b + edge_b * ((cosine * da - db) * inverse);

    const Vec3W depth = n * axis.separation;
    PointsW points = {select(edges, edge_point_a, select(face_of_a, vertex_b - depth, vertex_a)),
                      select(edges, edge_point_b, select(face_of_a, vertex_b, vertex_a + depth)), depth};
    WitnessW witness;
    witness.found = points.are_witnesses(pair);
    witness.names = box_names(axis, id_a, id_b);
    if (const MaskW rest = has_level_face(n) & has_level_face(towards_a) & ~(witness.found | edges); any(rest)) {
        const PointsW moved = moved_into_both(pair, points);
        const MaskW are_level = rest & moved.are_witnesses(pair);
        points.on_a = select(are_level, moved.on_a, points.on_a),
        points.on_b = select(are_level, moved.on_b, points.on_b);
        witness.found |= are_level;
        witness.names = select(are_level, IntW(static_cast<std::int32_t>(kBestFace << 16 | kBestFace)), witness.names);
    }
    const Vec3W middle = (points.on_a + points.on_b) * half + n * ((pair.radius_a - pair.radius_b) * half);
    witness.answer = {axis.separation - pair.radius, n, middle};
    return witness;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
