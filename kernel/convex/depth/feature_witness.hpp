// Witness points of overlapping polytopes from the features of their axis of least depth. For a face's normal, one pair
// at a time: a support vertex and its projection on the face. For two edges, one pair per lane: the nearest points of
// the edges. Projections outside the face, and points beyond an edge's end, are left to witness.hpp.
#pragma once

#include "convex/depth/edge_pairs.hpp"
#include "convex/depth/witness.hpp"
#include "convex/lanes/names.hpp"
#include "convex/lanes/polytope_support.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct FeatureWitness {
    bool found;
    Float3 midpoint;      // halfway between the cores' witness points, in A's frame
    std::uint32_t names;  // of the features; A's in the high half
};

// True if a point of the face's plane is in the face, to within `slack`. Uses the unscaled directions of edges, which
// exist even for a box without width along an axis.
inline bool face_holds(const Polytope& p, std::uint32_t face, Float3 normal, Float3 point, float slack) {
    const HullGeometry& hull = *p.hull;
    const std::uint32_t first = hull.face_first[face], end = hull.face_first[face + 1];
    std::uint32_t from = hull.loop[end - 1];
    for (std::uint32_t i = first; i < end; ++i) {
        const std::uint32_t to = hull.loop[i];
        const Float3 edge = direction_of(p, from, to);
        const Float3 away = point - vertex_of(p, from);
        const float inside = dot(cross(normal, edge), away);
        // A point may be outside the edge's line by the slack, unless it is beyond the edge's ends by more than the
        // slack: a point beyond a needle's tip can be near the lines of both edges but far from the face.
        if (!(inside >= 0.0f)) {
            const float before = -dot(edge, away), beyond = dot(edge, point - vertex_of(p, to)),
                        over = before > beyond ? before : beyond;
            const float allowed = slack * slack * dot(edge, edge);
            if (!(inside * inside <= allowed) || (over > 0.0f && over * over > allowed)) return false;
        }
        from = to;
    }
    return true;
}

// The witness for a face's normal; `axis.a` is the polytope's own face.
ABUT_INLINE FeatureWitness face_witness(const Polytope& a, const Polytope& b, const LanePose& pose,
                                        const DepthAxis& axis, float slack) {
    const Float3 half = axis.normal * (0.5f * axis.depth);
    if (axis.feature == DepthAxis::face_of_a) {
        const std::uint32_t vertex = support_vertex_of(b, pose.rotate_back(-axis.normal));
        const Float3 on_b = pose.transform(vertex_of(b, vertex));
        return {face_holds(a, axis.a, axis.normal, on_b, slack), on_b + half,
                face_name(axis.a) << 16 | vertex_name(vertex)};
    }
    const std::uint32_t vertex = support_vertex_of(a, axis.normal);
    const Float3 on_a = vertex_of(a, vertex);
    return {face_holds(b, axis.a, pose.rotate_back(-axis.normal), pose.place_back(on_a), slack), on_a - half,
            vertex_name(vertex) << 16 | face_name(axis.a)};
}

namespace feature_witness_detail {

// One edge of each polytope, in the polytope's frame.
struct EdgeW {
    Vec3W start, direction;
    IntW name;
};
// `edge`: for `lanes` only.
ABUT_INLINE EdgeW load_edge(const PolytopesW& shapes, const std::uint32_t (&edge)[kLanes], std::uint32_t lanes) {
    const float *from[kLanes], *to[kLanes];
    LaneArray<std::int32_t> v0 = lanes_of(IntW(0)), v1 = v0;
    for (int lane = 0; lane < kLanes; ++lane) {
        const HullGeometry& hull = *shapes.lane[lane].hull;
        if (lanes >> lane & 1) {
            const HullEdge& ends = hull.edges.data()[edge[lane]];
            v0[lane] = ends.v0, v1[lane] = ends.v1;
        }
        from[lane] = &hull.vertices.data()[v0[lane]].x, to[lane] = &hull.vertices.data()[v1[lane]].x;
    }
    const Vec3W start = multiply(load3(from), shapes.scale);
    return {start, multiply(load3(to), shapes.scale) - start, edge_names(load(v0), load(v1))};
}

// True if the parameter s is on the edge, with tolerance slack / length.
inline MaskW is_on_edge(FloatW s, FloatW squared, FloatW slack) {
    const FloatW zero = 0.0f, over = select(s < zero, -s, s - FloatW(1.0f));
    return (over <= zero) | (over * over * squared <= slack * slack);
}

}  // namespace feature_witness_detail

// Adds the witness points of `lanes`, whose best axes are cross products of edges.
ABUT_INLINE void add_edge_witness(const PolytopesW& side_a, const PolytopesW& side_b, const PoseW& pose,
                                  const DepthAxis* best, FloatW depth, FloatW slack, std::uint32_t lanes,
                                  WitnessW& out) {
    using namespace feature_witness_detail;
    std::uint32_t of_a[kLanes] = {}, of_b[kLanes] = {};
    for_each_lane(lanes, [&](int lane) { of_a[lane] = best[lane].a, of_b[lane] = best[lane].b; });
    const EdgeW a = load_edge(side_a, of_a, lanes), b = load_edge(side_b, of_b, lanes);
    const Vec3W pb = rotate(pose.rotation, b.start) + pose.offset, da = a.direction,
                db = rotate(pose.rotation, b.direction), between = pb - a.start;
    const FloatW aa = dot(da, da), bb = dot(db, db), ab = dot(da, db), d1 = dot(da, between), d2 = dot(db, between);
    const FloatW determinant = aa * bb - ab * ab;
    const FloatW t = (d1 * bb - ab * d2) / determinant, u = (ab * d1 - aa * d2) / determinant;
    const Vec3W on_a = a.start + da * t, on_b = pb + db * u, off = on_b - on_a + out.answer.normal * depth;
    const MaskW asked = MaskW::from_bits(lanes);
    out.found |= asked & (determinant > FloatW(kFlat) * aa * bb) & is_on_edge(t, aa, slack) & is_on_edge(u, bb, slack) &
                 (dot(off, off) <= slack * slack);
    out.answer.midpoint = select(asked, (on_a + on_b) * FloatW(0.5f), out.answer.midpoint);
    out.names = select(asked, (a.name << 16) | b.name, out.names);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
