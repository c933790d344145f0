// Depth along the cross products of edges: one pair of polytopes, candidates across lanes.
//
// Two edges make a facet of B - A only where their arcs cross on the Gauss map [Gregorius, GDC 2013]; there the depth is the distance of
// their lines. The arcs' sides are told by the edges' directions rather than by cross products of normals: sharper for slivers.
#pragma once

#include "lanes/polytope.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr std::uint32_t kMaxEdges = 128;  // a side; more go to the exact path
inline constexpr std::uint32_t kMaxFaceCandidates = 64;

// Edges of one polytope in A's frame: a point, the direction, and the normals of both faces.
struct EdgeColumns {
    std::uint32_t count = 0;
    alignas(64) float px[kMaxEdges + 16], py[kMaxEdges + 16], pz[kMaxEdges + 16];
    alignas(64) float dx[kMaxEdges + 16], dy[kMaxEdges + 16], dz[kMaxEdges + 16];
    alignas(64) float mx[kMaxEdges + 16], my[kMaxEdges + 16], mz[kMaxEdges + 16];
    alignas(64) float nx[kMaxEdges + 16], ny[kMaxEdges + 16], nz[kMaxEdges + 16];

    ABUT_INLINE void append(Float3 p, Float3 d, Float3 m, Float3 n) {
        px[count] = p.x, py[count] = p.y, pz[count] = p.z;
        dx[count] = d.x, dy[count] = d.y, dz[count] = d.z;
        mx[count] = m.x, my[count] = m.y, mz[count] = m.z;
        nx[count] = n.x, ny[count] = n.y, nz[count] = n.z;
        ++count;
    }
    // Repeats the last edge over a whole vector beyond it.
    ABUT_INLINE void pad() {
        float* const columns[12] = {px, py, pz, dx, dy, dz, mx, my, mz, nx, ny, nz};
        for (float* column : columns) FloatW(column[count - 1]).store_unaligned(column + count);
    }
};

struct DepthAxis {
    enum Feature { face_of_a, face_of_b, edges };

    float depth;
    Float3 normal;  // unit, in A's frame, from A to B
    Feature feature;
    std::uint32_t a, b;  // the face in a; or the edges (in try_edge, as indices into their columns)
};

ABUT_INLINE Vec3W load3(const float* x, const float* y, const float* z, std::uint32_t i) {
    return {FloatW::load(x + i), FloatW::load(y + i), FloatW::load(z + i)};
}

// The shallowest pair of edges so far, a lane of B's vectors each.
struct BestEdgesW {
    FloatW depth;
    Vec3W normal = splat(0.0f);
    IntW a = 0, b = 0;  // indices into the columns
};

// Edge i of A against all of B's. Whether a pair crosses is hard to predict, so that no branch skips those that do not.
ABUT_INLINE void try_edge(const EdgeColumns& a, std::uint32_t i, const EdgeColumns& b, BestEdgesW& best) {
    const Vec3W pa = {a.px[i], a.py[i], a.pz[i]}, da = {a.dx[i], a.dy[i], a.dz[i]};
    const Vec3W ma = {a.mx[i], a.my[i], a.mz[i]}, na = {a.nx[i], a.ny[i], a.nz[i]};
    const FloatW zero = 0.0f, flat = FloatW(kFlat) * length_squared(da);
    const IntW iota = IntW::load(kIota);
    for (std::uint32_t j = 0; j < b.count; j += kLanes) {
        const Vec3W pb = load3(b.px, b.py, b.pz, j), db = load3(b.dx, b.dy, b.dz, j);
        const Vec3W mb = load3(b.mx, b.my, b.mz, j), nb = load3(b.nx, b.ny, b.nz, j);
        // -mb, -nb on either side of A's edge plane; ma, na on either side of B's; and both arcs in one hemisphere.
        const FloatW b0 = dot(mb, da), b1 = dot(nb, da), a0 = dot(ma, db), a1 = dot(na, db);
        const Vec3W axis = cross(da, db);
        const FloatW squared = length_squared(axis);
        const FloatW side_a = dot(axis, ma + na), side_b = dot(axis, mb + nb);
        const MaskW crosses = (b0 * b1 <= zero) & (a0 * a1 <= zero) & (side_a * side_b <= zero) & (squared > flat * length_squared(db));
        const FloatW inverse = FloatW(1.0f) / sqrt(select(crosses, squared, FloatW(1.0f)));
        const Vec3W normal = flip_sign(axis, side_a - side_b) * inverse;
        const FloatW depth = dot(normal, pa - pb);
        const MaskW better = crosses & (depth < best.depth);
        best.depth = select(better, depth, best.depth);
        best.normal = select(better, normal, best.normal);
        best.a = select(better, IntW(static_cast<std::int32_t>(i)), best.a);
        best.b = select(better, iota + IntW(static_cast<std::int32_t>(j)), best.b);
    }
}

// Of equally shallow pairs the first, by A's edges, then by B's.
ABUT_INLINE void keep_shallowest(const BestEdgesW& found, DepthAxis& best) {
    std::uint32_t lanes = (found.depth < FloatW(best.depth)).bits();
    if (lanes == 0) return;
    const LaneArray<float> depth = lanes_of(found.depth), x = lanes_of(found.normal.x), y = lanes_of(found.normal.y), z = lanes_of(found.normal.z);
    const LaneArray<std::int32_t> a = lanes_of(found.a), b = lanes_of(found.b);
    int shallowest = lowest_bit(lanes);
    const auto comes_before = [&](int one, int other) {
        if (depth[one] != depth[other]) return depth[one] < depth[other];
        return a[one] != a[other] ? a[one] < a[other] : b[one] < b[other];
    };
    for_each_lane(lanes & (lanes - 1), [&](int lane) { shallowest = comes_before(lane, shallowest) ? lane : shallowest; });
    best = {depth[shallowest],
            {x[shallowest], y[shallowest], z[shallowest]},
            DepthAxis::edges,
            static_cast<std::uint32_t>(a[shallowest]),
            static_cast<std::uint32_t>(b[shallowest])};
}

}  // namespace abut::ABUT_ISA_NAMESPACE
