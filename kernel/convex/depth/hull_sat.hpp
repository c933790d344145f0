// Exact depth of overlapping polytopes by separating axes, pruned by GJK's final tetrahedron.
//
// The pairs of vertices in the tetrahedron bound the depth along every face from below (face_bounds.hpp). The face with
// the least bound of either shape is evaluated, one pair per lane. Then everything that its depth does not exclude is
// evaluated, one candidate per lane: nothing for a third of the overlaps of 32-vertex hulls, on average about seven
// edge pairs of 8,100. No candidate is left out without proof, so the depth is exact; the witness search (witness.hpp)
// checks it again.
#pragma once

#include "convex/depth/edge_pairs.hpp"
#include "convex/depth/face_bounds.hpp"
#include "convex/depth/feature_witness.hpp"
#include "convex/separation/simplex.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// Flags take a byte per face; for larger hulls they would exceed the rest of a lane's state.
inline constexpr std::uint32_t kMaxSatFaces = 4096;

struct DepthAxisW {
    MaskW found;
    FloatW separation;  // negative: the depth; positive: the cores are apart
    Vec3W normal;       // unit, in A's frame, from A to B
    WitnessW witness;   // if the features gave the points
};

namespace hull_sat_detail {

struct SatShape {
    PolytopesW polytopes;
    SeedsW seeds;                  // points of the other shape, in this shape's frame
    LaneArray<std::int32_t> face;  // the face with the least lower bound on the depth

    const Polytope& polytope(int lane) const { return polytopes.lane[lane]; }
};

// Finds each lane's face with the least lower bound on the depth, stores it in shape.face, and returns the face's
// scaled plane.
inline PlaneW best_planes(SatShape& shape, std::uint32_t lanes) {
    FloatW packed[kLanes];
    LaneArray<std::int32_t> mask;
    for (int lane = 0; lane < kLanes; ++lane) {
        packed[lane] = float_of(IntW(kMostNegative));
        mask[lane] = index_mask(shape.polytope(lane).hull->padded_faces);
        if (lanes >> lane & 1) packed[lane] = least_bounded_face(shape.polytope(lane), {shape.seeds, lane}, mask[lane]);
    }
    shape.face = lanes_of(select(MaskW::from_bits(lanes), bits_of(reduce_max_each(packed)) & load(mask), IntW(0)));
    const float* rows[kLanes];
    LaneArray<float> offset;
    for (int lane = 0; lane < kLanes; ++lane) {
        const HullGeometry& hull = *shape.polytope(lane).hull;
        // The padding repeats face 0.
        if (static_cast<std::uint32_t>(shape.face[lane]) >= hull.face_count) shape.face[lane] = 0;
        rows[lane] = &hull.contact_faces.data()[shape.face[lane]].x;
        offset[lane] = hull.planes.data()[3 * hull.padded_faces + static_cast<std::uint32_t>(shape.face[lane])];
    }
    return scaled_planes(shape.polytopes, load3(rows), load(offset));
}

struct FaceCandidates {
    alignas(64) std::uint8_t flags[kMaxSatFaces + kFlagBlock];
    std::uint16_t faces[kMaxFaceCandidates + kListRoom];
    std::uint32_t count;
};

template <Stretch stretch>
ABUT_NOINLINE std::uint32_t find_stretched(const Polytope& p, const Seeds& seeds, float limit, FaceCandidates& found,
                                           std::uint16_t* edges) {
    found.count = flag_faces<stretch>(p, seeds, limit, found.flags, found.faces, kMaxFaceCandidates);
    if (found.count > kMaxFaceCandidates) return kMaxEdges + 1;
    return list_edges(p, found.flags, edges, kMaxEdges);
}
// Lists the faces, and appends the edges to those of other lanes. Returns the number of edges; more than kMaxEdges if a
// list overflows.
inline std::uint32_t find_candidates(const SatShape& shape, int lane, float limit, FaceCandidates& found,
                                     EdgeList& edges) {
    const Polytope& p = shape.polytope(lane);
    const Seeds seeds = {shape.seeds, lane};
    std::uint16_t* const list = edges.edge + edges.count;
    if (p.stretch == Stretch::even) return find_stretched<Stretch::even>(p, seeds, limit, found, list);
    return p.stretch == Stretch::box ? find_stretched<Stretch::box>(p, seeds, limit, found, list)
                                     : find_stretched<Stretch::uneven>(p, seeds, limit, found, list);
}

// Out of line, because lists are seldom long.
ABUT_NOINLINE inline void try_faces(const Polytope& a, const Polytope& b, const LanePose& pose,
                                    const FaceCandidates (&found)[2], DepthAxis& best) {
    for (std::uint32_t i = 0; i < found[0].count; ++i) {
        const Plane plane = plane_of(a, found[0].faces[i]);
        const Float3 n = plane.normal;
        // The lowest point of B along n, from A's plane.
        const float depth = plane.offset - dot(n, pose.offset) + support_value_of(b, pose.rotate_back(-n));
        if (depth < best.depth) best = {depth, n, DepthAxis::face_of_a, found[0].faces[i], 0};
    }
    for (std::uint32_t i = 0; i < found[1].count; ++i) {
        const Plane plane = plane_of(b, found[1].faces[i]);
        const Float3 n = -pose.rotate(plane.normal);
        const float depth = support_value_of(a, n) - dot(n, pose.offset) + plane.offset;
        if (depth < best.depth) best = {depth, n, DepthAxis::face_of_b, found[1].faces[i], 0};
    }
}

// Sets the polytopes of one shape. Returns the lanes whose polytopes are solid and small enough.
template <class Core>
inline std::uint32_t set_polytopes(const Core& core, const FrameView& frame, std::uint32_t lanes, SatShape& shape) {
    const Vec3W scale = scale_of(core);
    const LaneArray<float> by[3] = {lanes_of(scale.x), lanes_of(scale.y), lanes_of(scale.z)};
    shape.polytopes.scale = scale;
    LaneArray<float> uneven;
    for (int lane = 0; lane < kLanes; ++lane) {
        Polytope& p = shape.polytopes.lane[lane];
        p = polytope_of(core, by, frame, lane);
        uneven[lane] = p.stretch == Stretch::uneven ? 1.0f : 0.0f;
        if (p.hull->report.dimension == 3 && p.hull->face_count <= kMaxSatFaces) continue;
        // An unused lane needs valid tables.
        p = {frame.cube, 0.0f, 0.0f, 0.0f, Stretch::box};
        lanes &= ~(1u << lane);
    }
    shape.polytopes.are_boxes = !std::is_same_v<Core, HullCore>;
    shape.polytopes.uneven = load(uneven);
    shape.polytopes.has_uneven = any(shape.polytopes.uneven > FloatW(0.0f));
    return lanes;
}

// The better one of the shapes' faces with the least bounds: the face of lesser depth. The support points that give
// these depths are the fifth seeds.
struct StartW {
    LaneArray<float> depth;
    Vec3Lanes normal;    // from A to B
    std::uint32_t of_a;  // lanes in which the normal is that of a face of A
};
template <class CoreA, class CoreB>
inline StartW best_start(const PairW<CoreA, CoreB>& pair, const TetrahedronW& found, std::uint32_t lanes, SatShape& a,
                         SatShape& b) {
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
    FloatW most_a, most_b;
    a.seeds.set(4, rotate(pair.rotation, support_and_value(pair.b, towards_a, lanes, id, most_b)) + pair.offset);
    b.seeds.set(4, rotate_back(pair.rotation, support_and_value(pair.a, nb, lanes, id, most_a) - pair.offset));
    // The offset of a face is its shape's support value along it.
    const FloatW along_a = dot(na, pair.offset) - plane_a.offset - most_b;
    const FloatW along_b = dot(nb, pair.offset) - plane_b.offset - most_a;
    const MaskW of_a = along_a >= along_b;
    return {lanes_of(-select(of_a, along_a, along_b)), Vec3Lanes(select(of_a, na, nb)), of_a.bits()};
}

// Tries the faces of one pair and lists its edges. False if a list overflows.
inline bool search_faces(const SatShape& a, const SatShape& b, int lane, const PoseLanes& poses, float tolerance,
                         EdgeLists& edges, DepthAxis& best) {
    FaceCandidates faces[2];
    // Skips axes that are better only by rounding, such as that of the first face.
    const float limit = best.depth - kSatDeflation * tolerance;
    const std::uint32_t of_a = find_candidates(a, lane, limit, faces[0], edges.a);
    const std::uint32_t of_b = find_candidates(b, lane, limit, faces[1], edges.b);
    if (of_a > kMaxEdges || of_b > kMaxEdges) return false;
    if ((faces[0].count | faces[1].count) != 0) try_faces(a.polytope(lane), b.polytope(lane), poses[lane], faces, best);
    edges.append(lane, of_a, of_b);
    return true;
}

// Finds the axes of least depth. Returns the lanes without an overflow. Out of line, because it does not depend on the
// kinds of cores.
ABUT_NOINLINE inline std::uint32_t search(const SatShape& a, const SatShape& b, const PoseW& pose, const StartW& start,
                                          const LaneArray<float>& tolerance, std::uint32_t lanes, DepthAxis* best) {
    const PoseLanes poses(pose);
    EdgeLists edges;
    std::uint32_t found = 0, listed = 0;
    for_each_lane(lanes, [&](int lane) {
        const bool of_a = start.of_a >> lane & 1;
        best[lane] = {start.depth[lane], start.normal[lane], of_a ? DepthAxis::face_of_a : DepthAxis::face_of_b,
                      static_cast<std::uint32_t>(of_a ? a.face[lane] : b.face[lane]), 0};
        if (!edges.have_room()) {
            try_edges(a.polytopes, b.polytopes, pose, listed, edges, best);
            listed = 0;
        }
        if (!search_faces(a, b, lane, poses, tolerance[lane], edges, best[lane])) return;
        found |= 1u << lane, listed |= 1u << lane;
    });
    try_edges(a.polytopes, b.polytopes, pose, listed, edges, best);
    return found;
}

// The axes and, if the features give them, the witness points of the cores without radii.
ABUT_NOINLINE inline DepthAxisW with_points(const SatShape& a, const SatShape& b, const PoseW& pose,
                                            const DepthAxis* best, FloatW tolerance, std::uint32_t lanes) {
    LaneArray<float> depth = lanes_of(FloatW(0.0f));
    Vec3Lanes normal(splat(0.0f)), midpoint(splat(0.0f));
    LaneArray<std::int32_t> names = lanes_of(IntW(0));
    std::uint32_t with_edges = 0, with_faces = 0;
    for_each_lane(lanes, [&](int lane) {
        depth[lane] = best[lane].depth;
        normal.set(lane, best[lane].normal);
        with_edges |= static_cast<std::uint32_t>(best[lane].feature == DepthAxis::edges) << lane;
    });
    const FloatW slack = FloatW(0.5f * kWitnessShare) * tolerance;
    if (const std::uint32_t faces = lanes & ~with_edges; faces != 0) {
        const PoseLanes poses(pose);
        const LaneArray<float> slacks = lanes_of(slack);
        for_each_lane(faces, [&](int lane) {
            const FeatureWitness points =
                face_witness(a.polytope(lane), b.polytope(lane), poses[lane], best[lane], slacks[lane]);
            with_faces |= static_cast<std::uint32_t>(points.found) << lane;
            names[lane] = static_cast<std::int32_t>(points.names);
            midpoint.set(lane, points.midpoint);
        });
    }
    DepthAxisW out = {
        MaskW::from_bits(lanes), -load(depth), normal.wide(), {MaskW::from_bits(with_faces), {}, load(names)}};
    out.witness.answer = {out.separation, out.normal, midpoint.wide()};
    if (with_edges != 0)
        add_edge_witness(a.polytopes, b.polytopes, pose, best, load(depth), slack, with_edges, out.witness);
    return out;
}

}  // namespace hull_sat_detail

// Finds the axis of least depth. `seeds`: GJK's vertices that enclose the origin. Lanes that are not `found` need the
// exact path.
template <class CoreA, class CoreB>
ABUT_NOINLINE DepthAxisW hull_sat(const PairW<CoreA, CoreB>& pair, const TetrahedronW& seeds, const FrameView& frame,
                                  std::uint32_t lanes) {
    using namespace hull_sat_detail;
    SatShape a, b;
    DepthAxis best[kLanes];
    const PoseW pose = {pair.rotation, pair.offset};
    const LaneArray<float> tolerance = lanes_of(pair.tolerance);
    lanes = set_polytopes(pair.b, frame, set_polytopes(pair.a, frame, lanes, a), b);
    if (lanes != 0) lanes = search(a, b, pose, best_start(pair, seeds, lanes, a, b), tolerance, lanes, best);
    DepthAxisW out = with_points(a, b, pose, best, pair.tolerance, lanes);
    AnswerW& answer = out.witness.answer;
    answer.midpoint = answer.midpoint + out.normal * ((pair.radius_a - pair.radius_b) * FloatW(0.5f));
    answer.signed_distance = out.separation - pair.radius;
    return out;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
