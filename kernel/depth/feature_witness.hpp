// Witness points of one pair of overlapping polytopes whose axis of least depth is a face's normal: a support vertex and its projection on the
// face. Where the vertex projects outside the face (nearly parallel features) it gives up, and witness.hpp finds the points.
#pragma once

#include "depth/edge_pairs.hpp"
#include "depth/witness.hpp"
#include "lanes/polytope_support.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct FeatureWitness {
    bool found;
    Float3 midpoint;      // halfway between the cores' witness points, in A's frame
    std::uint32_t names;  // of the features, A's in the high half
};

// Whether a point of the face's plane lies in the face, within `slack`. Edges are walked by their unscaled directions, which a box without
// width in some direction still has.
ABUT_INLINE bool face_holds(const Polytope& p, std::uint32_t face, Float3 normal, Float3 point, float slack) {
    const HullGeometry& hull = *p.hull;
    const std::uint32_t first = hull.face_first[face], end = hull.face_first[face + 1];
    std::uint32_t from = hull.loop[end - 1];
    for (std::uint32_t i = first; i < end; ++i) {
        const std::uint32_t to = hull.loop[i];
        const Float3 edge = direction_of(p, from, to);
        const Float3 away = point - vertex_of(p, from);
        const float inside = dot(cross(normal, edge), away);
        // Outside by the slack, and not beyond the edge's ends: past the tip of a needle both its sides are near.
        if (!(inside >= 0.0f)) {
            const float before = -dot(edge, away), beyond = dot(edge, point - vertex_of(p, to)), over = before > beyond ? before : beyond;
            const float allowed = slack * slack * dot(edge, edge);
            if (!(inside * inside <= allowed) || (over > 0.0f && over * over > allowed)) return false;
        }
        from = to;
    }
    return true;
}

// Of an axis that is a face's normal; `axis.a` is the polytope's own face.
ABUT_INLINE FeatureWitness face_witness(const Polytope& a, const Polytope& b, const LanePose& pose, const DepthAxis& axis, float slack) {
    const Float3 half = axis.normal * (0.5f * axis.depth);
    if (axis.feature == DepthAxis::face_of_a) {
        const std::uint32_t vertex = support_vertex_of(b, pose.rotate_back(-axis.normal));
        const Float3 on_b = pose.place(vertex_of(b, vertex));
        return {face_holds(a, axis.a, axis.normal, on_b, slack), on_b + half, face_name(axis.a) << 16 | vertex_name(vertex)};
    }
    const std::uint32_t vertex = support_vertex_of(a, axis.normal);
    const Float3 on_a = vertex_of(a, vertex);
    return {face_holds(b, axis.a, pose.rotate_back(-axis.normal), pose.place_back(on_a), slack), on_a - half,
            vertex_name(vertex) << 16 | face_name(axis.a)};
}

}  // namespace abut::ABUT_ISA_NAMESPACE
