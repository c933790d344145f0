// Witness points of one pair of overlapping polytopes from the features of its axis of least depth: a support vertex and its projection on
// a face, or the nearest points of two edges. Where the vertex projects outside the face (nearly parallel features) it gives up, and
// witness.hpp finds the points.
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

// Nearest points of the lines pa + t da and pb + u db; found where both lie on their edges (0 to 1) and the axis joins them.
ABUT_INLINE FeatureWitness edge_witness(Float3 pa, Float3 da, Float3 pb, Float3 db, const DepthAxis& axis, float slack) {
    const Float3 between = pb - pa;
    const float aa = dot(da, da), bb = dot(db, db), ab = dot(da, db), d1 = dot(da, between), d2 = dot(db, between);
    const float determinant = aa * bb - ab * ab;
    if (!(determinant > kFlat * aa * bb)) return {false, {}, 0};
    const float t = (d1 * bb - ab * d2) / determinant, u = (ab * d1 - aa * d2) / determinant;
    // An edge of length l may be overrun by slack / l.
    const auto on_edge = [slack](float s, float squared) {
        const float over = s < 0.0f ? -s : s - 1.0f;
        return over <= 0.0f || over * over * squared <= slack * slack;
    };
    const Float3 on_a = pa + da * t, on_b = pb + db * u, off = on_b - on_a + axis.normal * axis.depth;
    return {on_edge(t, aa) && on_edge(u, bb) && dot(off, off) <= slack * slack, (on_a + on_b) * 0.5f, 0};
}

// `axis.a` and `axis.b` are the polytopes' own faces or edges.
ABUT_INLINE FeatureWitness feature_witness(const Polytope& a, const Polytope& b, const LanePose& pose, const DepthAxis& axis, float tolerance) {
    const float slack = 0.5f * kWitnessShare * tolerance;
    const Float3 half = axis.normal * (0.5f * axis.depth);
    switch (axis.feature) {
        case DepthAxis::face_of_a: {
            const std::uint32_t vertex = support_vertex_of(b, pose.rotate_back(-axis.normal));
            const Float3 on_b = pose.place(vertex_of(b, vertex));
            return {face_holds(a, axis.a, axis.normal, on_b, slack), on_b + half, face_name(axis.a) << 16 | vertex_name(vertex)};
        }
        case DepthAxis::face_of_b: {
            const std::uint32_t vertex = support_vertex_of(a, axis.normal);
            const Float3 on_a = vertex_of(a, vertex);
            return {face_holds(b, axis.a, pose.rotate_back(-axis.normal), pose.place_back(on_a), slack), on_a - half,
                    vertex_name(vertex) << 16 | face_name(axis.a)};
        }
        case DepthAxis::edges: {
            const HullEdge &ea = a.hull->edges[axis.a], &eb = b.hull->edges[axis.b];
            const Float3 a0 = vertex_of(a, ea.v0), b0 = vertex_of(b, eb.v0);
            FeatureWitness out = edge_witness(a0, vertex_of(a, ea.v1) - a0, pose.place(b0), pose.rotate(vertex_of(b, eb.v1) - b0), axis, slack);
            out.names = edge_name(ea.v0, ea.v1) << 16 | edge_name(eb.v0, eb.v1);
            return out;
        }
    }
    return {false, {}, 0};
}

}  // namespace abut::ABUT_ISA_NAMESPACE
