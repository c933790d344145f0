// Exact depth of overlapping polytopes by separating axes, seeded and pruned by GJK's last tetrahedron.
//
// The tetrahedron's vertex pairs bound the depth along every face from below (face_bounds.hpp). The best-looking face of either side is
// evaluated, lanes being pairs; what its depth does not rule out is evaluated too, candidates being lanes: nothing at all for a third of
// the hits of 32-vertex hulls, some seven edge pairs of 8,100 on average. No candidate is left out unproved, so that the answer is exact;
// it is checked again by the witness search (witness.hpp).
#pragma once

#include "depth/edge_pairs.hpp"
#include "depth/face_bounds.hpp"
#include "depth/feature_witness.hpp"
#include "separation/simplex.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr std::uint32_t kMaxSatFaces = 1024;

struct DepthAxisW {
    MaskW found;
    FloatW separation;  // negative: the depth; positive: apart after all
    Vec3W normal;       // unit, in A's frame, from A to B
    WitnessW witness;   // where the features gave the points already
};

namespace hull_sat_detail {

struct Side {
    Polytope polytope[kLanes];
    SeedsW seeds;                  // points of the other side, in this side's frame
    LaneArray<std::int32_t> face;  // the best-looking one
};

// Each lane's face with the least bound.
ABUT_INLINE PlaneW best_planes(Side& side, std::uint32_t lanes) {
    FloatW packed[kLanes];
    LaneArray<std::int32_t> mask;
    for (int lane = 0; lane < kLanes; ++lane) {
        packed[lane] = float_of(IntW(kMostNegative));
        mask[lane] = index_mask(side.polytope[lane].hull->padded_faces);
        if (lanes >> lane & 1) packed[lane] = least_bounded_face(side.polytope[lane], {side.seeds, lane}, mask[lane]);
    }
    side.face = lanes_of(select(MaskW::from_bits(lanes), bits_of(reduce_max_each(packed)) & load(mask), IntW(0)));
    LaneArray<float> x, y, z, offset;
    for (int lane = 0; lane < kLanes; ++lane) {
        // The padding repeats face 0.
        if (static_cast<std::uint32_t>(side.face[lane]) >= side.polytope[lane].hull->face_count) side.face[lane] = 0;
        const Plane plane = plane_of(side.polytope[lane], static_cast<std::uint32_t>(side.face[lane]));
        x[lane] = plane.normal.x, y[lane] = plane.normal.y, z[lane] = plane.normal.z;
        offset[lane] = plane.offset;
    }
    return {{load(x), load(y), load(z)}, load(offset)};
}

struct AxisCandidates {
    alignas(64) std::uint8_t flags[kMaxSatFaces + kFlagBlock];
    std::uint16_t faces[2][kMaxFaceCandidates + kListRoom];
    std::uint16_t edges[2][kMaxEdges + kListRoom];
    std::uint32_t face_count[2], edge_count[2];
    EdgeColumns columns[2];
};

// False where a list overflows.
ABUT_INLINE bool find_candidates(const Polytope& a, const Seeds& seeds_of_a, const Polytope& b, const Seeds& seeds_of_b, float limit,
                                 AxisCandidates& found) {
    for (int side = 0; side < 2; ++side) {
        const Polytope& p = side == 0 ? a : b;
        found.face_count[side] = flag_faces(p, side == 0 ? seeds_of_a : seeds_of_b, limit, found.flags, found.faces[side], kMaxFaceCandidates);
        found.edge_count[side] = list_edges(p, found.flags, found.edges[side], kMaxEdges);
        if (found.face_count[side] > kMaxFaceCandidates || found.edge_count[side] > kMaxEdges) return false;
    }
    return true;
}

ABUT_INLINE void try_faces(const Polytope& a, const Polytope& b, const LanePose& pose, const AxisCandidates& found, DepthAxis& best) {
    for (std::uint32_t i = 0; i < found.face_count[0]; ++i) {
        const Plane plane = plane_of(a, found.faces[0][i]);
        const Float3 n = plane.normal;
        // B's least point along n, from A's plane.
        const float depth = plane.offset - dot(n, pose.offset) + support_value_of(b, pose.rotate_back(-n));
        if (depth < best.depth) best = {depth, n, DepthAxis::face_of_a, found.faces[0][i], 0};
    }
    for (std::uint32_t i = 0; i < found.face_count[1]; ++i) {
        const Plane plane = plane_of(b, found.faces[1][i]);
        const Float3 n = -pose.rotate(plane.normal);
        const float depth = support_value_of(a, n) - dot(n, pose.offset) + plane.offset;
        if (depth < best.depth) best = {depth, n, DepthAxis::face_of_b, found.faces[1][i], 0};
    }
}

ABUT_INLINE void try_edges(const Polytope& a, const Polytope& b, const LanePose& pose, AxisCandidates& found, DepthAxis& best) {
    if (found.edge_count[0] == 0 || found.edge_count[1] == 0) return;
    EdgeColumns &ea = found.columns[0], &eb = found.columns[1];
    ea.count = eb.count = 0;
    for (std::uint32_t i = 0; i < found.edge_count[0]; ++i) {
        const HullEdge& edge = a.hull->edges[found.edges[0][i]];
        ea.append(vertex_of(a, edge.v0), direction_of(a, edge.v0, edge.v1), normal_of(a, edge.f0), normal_of(a, edge.f1));
    }
    for (std::uint32_t i = 0; i < found.edge_count[1]; ++i) {
        const HullEdge& edge = b.hull->edges[found.edges[1][i]];
        eb.append(pose.place(vertex_of(b, edge.v0)), pose.rotate(direction_of(b, edge.v0, edge.v1)), pose.rotate(normal_of(b, edge.f0)),
                  pose.rotate(normal_of(b, edge.f1)));
    }
    eb.pad();
    BestEdgesW shallowest = {best.depth};
    for (std::uint32_t i = 0; i < ea.count; ++i) try_edge(ea, i, eb, shallowest);
    keep_shallowest(shallowest, best);
    if (best.feature != DepthAxis::edges) return;
    best.a = found.edges[0][best.a];
    best.b = found.edges[1][best.b];
}

// The polytopes of both sides. Returns the lanes whose polytopes are solid and small enough.
template <class Core>
ABUT_INLINE std::uint32_t set_polytopes(const Core& core, const FrameView& frame, std::uint32_t lanes, Side& side) {
    const Vec3W scale = scale_of(core);
    const LaneArray<float> by[3] = {lanes_of(scale.x), lanes_of(scale.y), lanes_of(scale.z)};
    for (int lane = 0; lane < kLanes; ++lane) {
        Polytope& p = side.polytope[lane];
        p = polytope_of(core, by, frame, lane);
        if (p.hull->report.dimension == 3 && p.hull->face_count <= kMaxSatFaces) continue;
        // Nothing of this lane is asked for, but its tables are read.
        p = {frame.cube, 0.0f, 0.0f, 0.0f, Stretch::box};
        lanes &= ~(1u << lane);
    }
    return lanes;
}

// The better-looking face of both sides and its depth; the supports that give it are a fifth seed.
struct StartW {
    LaneArray<float> depth;
    Vec3Lanes normal;    // from A to B
    std::uint32_t of_a;  // lanes where it is a face of A
};
template <class CoreA, class CoreB>
ABUT_INLINE StartW best_start(const PairW<CoreA, CoreB>& pair, const TetrahedronW& found, std::uint32_t lanes, Side& a, Side& b) {
    ABUT_UNROLL(4)
    for (int k = 0; k < 4; ++k) {
        const Vec3W on_a = vertex(pair.a, found.id[k]), on_b = vertex(pair.b, found.id[k] >> 16);
        a.seeds.set(k, rotate(pair.rotation, on_b) + pair.offset);
        b.seeds.set(k, rotate_back(pair.rotation, on_a - pair.offset));
    }
    const PlaneW plane_a = best_planes(a, lanes), plane_b = best_planes(b, lanes);
    const Vec3W na = plane_a.normal, nb = -rotate(pair.rotation, plane_b.normal);
    const Vec3W towards_a = rotate_back(pair.rotation, -na);
    IntW id;
    a.seeds.set(4, rotate(pair.rotation, support(pair.b, towards_a, lanes, id)) + pair.offset);
    b.seeds.set(4, rotate_back(pair.rotation, support(pair.a, nb, lanes, id) - pair.offset));
    // A face's own offset is its shape's support along it.
    const FloatW along_a = dot(na, pair.offset) - plane_a.offset - support_value(pair.b, towards_a, lanes);
    const FloatW along_b = dot(nb, pair.offset) - plane_b.offset - support_value(pair.a, nb, lanes);
    const MaskW of_a = along_a >= along_b;
    return {lanes_of(-select(of_a, along_a, along_b)), Vec3Lanes(select(of_a, na, nb)), of_a.bits()};
}

// The least depth of one pair, and its points where the features give them. False where a list overflows. Out of line: no core's kind matters here.
ABUT_NOINLINE inline bool search_lane(const Side& a, const Side& b, int lane, const LanePose& pose, float tolerance, DepthAxis& best,
                                      FeatureWitness& points) {
    const Polytope &pa = a.polytope[lane], &pb = b.polytope[lane];
    AxisCandidates candidates;
    // What is not better by more than rounding is not looked at: the start itself is among the faces.
    const float limit = best.depth - kSatDeflation * tolerance;
    if (!find_candidates(pa, {a.seeds, lane}, pb, {b.seeds, lane}, limit, candidates)) return false;
    try_faces(pa, pb, pose, candidates, best);
    try_edges(pa, pb, pose, candidates, best);
    points = feature_witness(pa, pb, pose, best, tolerance);
    return true;
}

}  // namespace hull_sat_detail

// `seeds`: the vertices that enclose the origin, from GJK. Lanes that are not `found` want the exact path.
template <class CoreA, class CoreB>
DepthAxisW hull_sat(const PairW<CoreA, CoreB>& pair, const TetrahedronW& seeds, const FrameView& frame, std::uint32_t lanes) {
    using namespace hull_sat_detail;
    DepthAxisW out;
    out.found = out.witness.found = MaskW();
    out.separation = FloatW(0.0f);
    out.normal = splat(0.0f);
    Side a, b;
    lanes = set_polytopes(pair.b, frame, set_polytopes(pair.a, frame, lanes, a), b);
    if (lanes == 0) return out;

    const StartW start = best_start(pair, seeds, lanes, a, b);
    const PoseLanes poses(pair);
    const LaneArray<float> tolerance = lanes_of(pair.tolerance);
    LaneArray<float> separation = lanes_of(FloatW(0.0f));
    Vec3Lanes normal(splat(0.0f)), midpoint(splat(0.0f));
    LaneArray<std::int32_t> names = lanes_of(IntW(0));
    std::uint32_t found = 0, with_points = 0;
    for_each_lane(lanes, [&](int lane) {
        const bool of_a = start.of_a >> lane & 1;
        DepthAxis best = {start.depth[lane], start.normal[lane], of_a ? DepthAxis::face_of_a : DepthAxis::face_of_b,
                          static_cast<std::uint32_t>(of_a ? a.face[lane] : b.face[lane]), 0};
        FeatureWitness points;
        if (!search_lane(a, b, lane, poses[lane], tolerance[lane], best, points)) return;
        separation[lane] = -best.depth;
        normal.set(lane, best.normal);
        found |= 1u << lane;
        if (!points.found) return;
        with_points |= 1u << lane;
        names[lane] = static_cast<std::int32_t>(points.names);
        midpoint.set(lane, points.midpoint);
    });
    out.separation = load(separation);
    out.normal = normal.wide();
    out.found = MaskW::from_bits(found);
    out.witness = {MaskW::from_bits(with_points),
                   {out.separation - pair.radius, out.normal, midpoint.wide() + out.normal * ((pair.radius_a - pair.radius_b) * FloatW(0.5f))},
                   load(names)};
    return out;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
