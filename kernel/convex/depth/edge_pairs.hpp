// Depth along the cross products of edges. The candidate edges of all pairs of a group are listed together and
// transformed, one edge per lane. Then the edge pairs of one pair of polytopes are tried, one edge pair per lane.
//
// Two edges form a facet of B - A only if their arcs cross on the Gauss map [Gregorius, GDC 2013]; the depth along the
// facet's normal is the distance of the edges' lines. The test on which side of an arc a normal is uses the edges'
// directions instead of cross products of normals, because these directions are more exact for slivers.
#pragma once

#include "convex/lanes/polytope.hpp"
#include "simd/lane_pairs.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr std::uint32_t kMaxEdges = 128;  // of one polytope; with more the exact path decides
inline constexpr std::uint32_t kMaxFaceCandidates = 64;

struct DepthAxis {
    enum Feature { face_of_a, face_of_b, edges };

    float depth;
    Float3 normal;  // unit, in A's frame, from A to B
    Feature feature;
    std::uint32_t a, b;  // the face's index in a; or the indices of both edges
};

// Loads three floats at each of the rows.
inline Vec3W load3(const float* const (&rows)[kLanes]) {
    FloatW column[4];
    transpose_records4(rows, column);
    return {column[0], column[1], column[2]};
}

// The candidate edges of one shape of a group, lane after lane: indices, and in A's frame a point, the direction, and
// the normals of both faces.
struct EdgeList {
    static constexpr std::uint32_t kRoom = 2 * kMaxEdges, kSpare = 2 * kLanes;  // whole vectors are read and written

    std::uint32_t count = 0;
    std::uint32_t first[kLanes], of_lane[kLanes];
    std::uint16_t edge[kRoom + kSpare];
    alignas(64) std::int32_t lane[kRoom + kSpare];
    alignas(64) float column[12][kRoom + kSpare];

    bool has_room() const { return count + kMaxEdges <= kRoom; }
    // Adds the next `edges` elements, which must have been written, to lane `of`.
    ABUT_INLINE void append(int of, std::uint32_t edges) {
        first[of] = count, of_lane[of] = edges;
        for (std::uint32_t i = 0; i < edges; i += kLanes)
            float_of(IntW(of)).store_unaligned(reinterpret_cast<float*>(lane + count + i));
        count += edges;
    }
};

struct EdgeLists {
    EdgeList a, b;

    // True if the edges of one more lane fit.
    bool have_room() const { return a.has_room() && b.has_room(); }
    // Adds edges, which must have been written, if both shapes have some: the edges of one shape alone form no pair.
    ABUT_INLINE void append(int lane, std::uint32_t of_a, std::uint32_t of_b) {
        const bool has_both = of_a != 0 && of_b != 0;
        a.append(lane, has_both ? of_a : 0);
        b.append(lane, has_both ? of_b : 0);
    }
};

namespace edge_detail {

// kLanes edges of a list, in their polytopes' frames.
struct EdgesW {
    Vec3W point, direction, left, right;
};
inline EdgesW load_edges(const PolytopesW& shape, const EdgeList& list, std::uint32_t first) {
    const float *from[kLanes], *to[kLanes], *left[kLanes], *right[kLanes];
    for (int k = 0; k < kLanes; ++k) {
        const HullGeometry& hull = *shape.lane[list.lane[first + std::uint32_t(k)]].hull;
        const HullEdge edge = hull.edges.data()[list.edge[first + std::uint32_t(k)]];
        from[k] = &hull.vertices.data()[edge.v0].x, to[k] = &hull.vertices.data()[edge.v1].x;
        left[k] = &hull.contact_faces.data()[edge.f0].x, right[k] = &hull.contact_faces.data()[edge.f1].x;
    }
    const IntW lane = IntW::load(list.lane + first);
    const Vec3W scale = pick(shape.scale, lane), start = load3(from);
    EdgesW out = {multiply(start, scale), load3(to) - start, load3(left), load3(right)};
    // Scaled as by direction_of and normal_of.
    if (!shape.are_boxes) out.direction = multiply(out.direction, scale);
    if (shape.has_uneven) {
        const MaskW uneven = pick(shape.uneven, lane) > FloatW(0.0f);
        out.left = select(uneven, unstretch(out.left, FloatW(0.0f), scale.x, scale.y, scale.z).normal, out.left);
        out.right = select(uneven, unstretch(out.right, FloatW(0.0f), scale.x, scale.y, scale.z).normal, out.right);
    }
    return out;
}

inline void store3(Vec3W v, float (*column)[EdgeList::kRoom + EdgeList::kSpare], std::uint32_t i) {
    v.x.store(column[0] + i), v.y.store(column[1] + i), v.z.store(column[2] + i);
}

// Transforms a whole list. rotated(v, lane), transform(p, lane): from the polytopes' frames into A's.
template <class Rotate, class Transform>
ABUT_INLINE void lay_out(const PolytopesW& shape, EdgeList& list, Rotate&& rotated, Transform&& transform) {
    for (std::uint32_t i = list.count; i % kLanes != 0; ++i)
        list.edge[i] = list.edge[i - 1], list.lane[i] = list.lane[i - 1];
    for (std::uint32_t i = 0; i < list.count; i += kLanes) {
        const IntW lane = IntW::load(list.lane + i);
        const EdgesW edges = load_edges(shape, list, i);
        store3(transform(edges.point, lane), list.column, i);
        store3(rotated(edges.direction, lane), list.column + 3, i);
        store3(rotated(edges.left, lane), list.column + 6, i);
        store3(rotated(edges.right, lane), list.column + 9, i);
    }
}

// The shallowest pair of edges so far, in each lane of the vectors of pairs.
struct BestEdgesW {
    FloatW depth;
    Vec3W normal = splat(0.0f);
    FloatW name = 0.0f;  // A's edge times kMaxEdges + B's, as positions in the pair's part of the lists
};

// No branch skips pairs that do not cross, because crossings are unpredictable. Of equally shallow pairs, the lowest
// name wins.
template <class OfA, class OfB>
ABUT_INLINE void try_pairs(OfA&& of_a, OfB&& of_b, MaskW is_pair, FloatW name, BestEdgesW& best) {
    const Vec3W da = of_a(3), ma = of_a(6), na = of_a(9), db = of_b(3), mb = of_b(6), nb = of_b(9);
    const FloatW zero = 0.0f;
    // The arcs cross if -mb and -nb are on different sides of A's edge plane, ma and na are on different sides of B's,
    // and both arcs are in one hemisphere.
    const FloatW b0 = dot(mb, da), b1 = dot(nb, da), a0 = dot(ma, db), a1 = dot(na, db);
    const Vec3W axis = cross(da, db);
    const FloatW squared = length_squared(axis);
    const FloatW side_a = dot(axis, ma + na), side_b = dot(axis, mb + nb);
    const MaskW crosses = is_pair & (b0 * b1 <= zero) & (a0 * a1 <= zero) & (side_a * side_b <= zero) &
                          (squared > FloatW(kFlat) * length_squared(da) * length_squared(db));
    const FloatW inverse = FloatW(1.0f) / sqrt(select(crosses, squared, FloatW(1.0f)));
    const Vec3W normal = flip_sign(axis, side_a - side_b) * inverse;
    const FloatW depth = dot(normal, of_a(0) - of_b(0));
    const MaskW better = crosses & ((depth < best.depth) | ((depth == best.depth) & (name < best.name)));
    best.depth = select(better, depth, best.depth);
    best.normal = select(better, normal, best.normal);
    best.name = select(better, name, best.name);
}

// Tries all pairs of one lane's edges against `depth`.
ABUT_INLINE BestEdgesW try_lane(const EdgeList& a, const EdgeList& b, int lane, float depth) {
    BestEdgesW best = {depth};
    for (std::uint32_t i = 0; i < a.of_lane[lane]; i += kLanes) {
        const std::uint32_t rows = a.of_lane[lane] - i < kLanes ? a.of_lane[lane] - i : kLanes,
                            at_a = a.first[lane] + i;
        for (std::uint32_t j = 0; j < b.of_lane[lane]; j += kLanes) {
            const std::uint32_t columns = b.of_lane[lane] - j < kLanes ? b.of_lane[lane] - j : kLanes,
                                at_b = b.first[lane] + j;
            LanePairs pairs(rows, columns);
            pairs.for_each([&] {
                const auto of_a = [&](int c) {
                    return Vec3W{pairs.of_row(a.column[c] + at_a), pairs.of_row(a.column[c + 1] + at_a),
                                 pairs.of_row(a.column[c + 2] + at_a)};
                };
                const auto of_b = [&](int c) {
                    return Vec3W{pairs.of_column(b.column[c] + at_b), pairs.of_column(b.column[c + 1] + at_b),
                                 pairs.of_column(b.column[c + 2] + at_b)};
                };
                const FloatW name =
                    (pairs.row() * FloatW(float(kMaxEdges)) + pairs.column()) + FloatW(float(i * kMaxEdges + j));
                try_pairs(of_a, of_b, pairs.is_pair(), name, best);
            });
        }
    }
    return best;
}

// Replaces `best` if a found pair is shallower. Of equally shallow pairs, the first by A's edges, then by B's, wins.
inline void keep_shallowest(const BestEdgesW& found, const EdgeList& a, const EdgeList& b, int of, DepthAxis& best) {
    std::uint32_t lanes = (found.depth < FloatW(best.depth)).bits();
    if (lanes == 0) return;
    const LaneArray<float> depth = lanes_of(found.depth), name = lanes_of(found.name);
    int shallowest = lowest_bit(lanes);
    for_each_lane(lanes & (lanes - 1), [&](int lane) {
        const bool comes_before =
            depth[lane] != depth[shallowest] ? depth[lane] < depth[shallowest] : name[lane] < name[shallowest];
        shallowest = comes_before ? lane : shallowest;
    });
    const auto pair = static_cast<std::uint32_t>(name[shallowest]);
    const Vec3Lanes normal(found.normal);
    best = {depth[shallowest], normal[shallowest], DepthAxis::edges, a.edge[a.first[of] + pair / kMaxEdges],
            b.edge[b.first[of] + pair % kMaxEdges]};
}

}  // namespace edge_detail

// Tries the edges listed for `lanes`, and empties the lists.
ABUT_NOINLINE inline void try_edges(const PolytopesW& side_a, const PolytopesW& side_b, const PoseW& pose,
                                    std::uint32_t lanes, EdgeLists& edges, DepthAxis* best) {
    using namespace edge_detail;
    EdgeList &a = edges.a, &b = edges.b;
    if (a.count != 0) {
        const Mat3W& r = pose.rotation;
        const auto rotated = [&](Vec3W v, IntW lane) {
            return rotate({pick(r.x, lane), pick(r.y, lane), pick(r.z, lane)}, v);
        };
        lay_out(
            side_a, a, [](Vec3W v, IntW) { return v; }, [](Vec3W p, IntW) { return p; });
        lay_out(side_b, b, rotated, [&](Vec3W p, IntW lane) { return rotated(p, lane) + pick(pose.offset, lane); });
        for_each_lane(lanes, [&](int lane) {
            if (a.of_lane[lane] != 0) keep_shallowest(try_lane(a, b, lane, best[lane].depth), a, b, lane, best[lane]);
        });
    }
    a.count = b.count = 0;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
