// Witness points of overlapping polytopes whose axes of least depth are square to two edges: the nearest points of these, one pair per lane. Where they
// lie beyond an edge's end it gives up, and witness.hpp finds the points.
#pragma once

#include "depth/edge_pairs.hpp"
#include "depth/witness.hpp"
#include "lanes/names.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace edge_witness_detail {

// One edge of each polytope, in its frame.
struct EdgeW {
    Vec3W start, way;
    IntW name;
};
// `edge`: of `lanes`; the others have none.
ABUT_INLINE EdgeW load_edge(const PolytopesW& side, const std::uint32_t (&edge)[kLanes], std::uint32_t lanes) {
    const float *from[kLanes], *to[kLanes];
    LaneArray<std::int32_t> v0 = lanes_of(IntW(0)), v1 = v0;
    for (int lane = 0; lane < kLanes; ++lane) {
        const HullGeometry& hull = *side.lane[lane].hull;
        if (lanes >> lane & 1) {
            const HullEdge& ends = hull.edges.data()[edge[lane]];
            v0[lane] = ends.v0, v1[lane] = ends.v1;
        }
        from[lane] = &hull.vertices.data()[v0[lane]].x, to[lane] = &hull.vertices.data()[v1[lane]].x;
    }
    const Vec3W start = multiply(load3(from), side.scale);
    return {start, multiply(load3(to), side.scale) - start, edge_names(load(v0), load(v1))};
}

// Whether a part s of an edge is on it: it may be overrun by slack / length.
ABUT_INLINE MaskW is_on_edge(FloatW s, FloatW squared, FloatW slack) {
    const FloatW zero = 0.0f, over = select(s < zero, -s, s - FloatW(1.0f));
    return (over <= zero) | (over * over * squared <= slack * slack);
}

}  // namespace edge_witness_detail

// Adds the points of `lanes`, whose best axes are of edges, to a witness.
ABUT_INLINE void add_edge_witness(const PolytopesW& side_a, const PolytopesW& side_b, const PoseW& pose, const DepthAxis* best, FloatW depth,
                                  FloatW slack, std::uint32_t lanes, WitnessW& out) {
    using namespace edge_witness_detail;
    std::uint32_t of_a[kLanes] = {}, of_b[kLanes] = {};
    for_each_lane(lanes, [&](int lane) { of_a[lane] = best[lane].a, of_b[lane] = best[lane].b; });
    const EdgeW a = load_edge(side_a, of_a, lanes), b = load_edge(side_b, of_b, lanes);
    const Vec3W pb = rotate(pose.rotation, b.start) + pose.offset, da = a.way, db = rotate(pose.rotation, b.way), between = pb - a.start;
    const FloatW aa = dot(da, da), bb = dot(db, db), ab = dot(da, db), d1 = dot(da, between), d2 = dot(db, between);
    const FloatW determinant = aa * bb - ab * ab;
    const FloatW t = (d1 * bb - ab * d2) / determinant, u = (ab * d1 - aa * d2) / determinant;
    const Vec3W on_a = a.start + da * t, on_b = pb + db * u, off = on_b - on_a + out.answer.normal * depth;
    const MaskW asked = MaskW::from_bits(lanes);
    out.found |=
        asked & (determinant > FloatW(kFlat) * aa * bb) & is_on_edge(t, aa, slack) & is_on_edge(u, bb, slack) & (dot(off, off) <= slack * slack);
    out.answer.midpoint = select(asked, (on_a + on_b) * FloatW(0.5f), out.answer.midpoint);
    out.names = select(asked, (a.name << 16) | b.name, out.names);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
