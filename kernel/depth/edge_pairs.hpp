// Depth along the cross products of edges: one pair of polytopes, candidates across lanes.
//
// Two edges make a facet of B - A only where their arcs cross on the Gauss map [Gregorius, GDC 2013]; there the depth is the distance of
// their lines. The arcs' sides are told by the edges' directions rather than by cross products of normals: sharper for slivers.
#pragma once

#include "depth/polytope.hpp"

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

// Edge i of A against all of B's; keeps the shallowest in `best`.
ABUT_INLINE void try_edge(const EdgeColumns& a, std::uint32_t i, const EdgeColumns& b, DepthAxis& best) {
    const Vec3W pa = {a.px[i], a.py[i], a.pz[i]}, da = {a.dx[i], a.dy[i], a.dz[i]};
    const Vec3W ma = {a.mx[i], a.my[i], a.mz[i]}, na = {a.nx[i], a.ny[i], a.nz[i]};
    const FloatW zero = 0.0f;
    for (std::uint32_t j = 0; j < b.count; j += kLanes) {
        const Vec3W pb = load3(b.px, b.py, b.pz, j), db = load3(b.dx, b.dy, b.dz, j);
        const Vec3W mb = load3(b.mx, b.my, b.mz, j), nb = load3(b.nx, b.ny, b.nz, j);
        // -mb, -nb on either side of A's edge plane; ma, na on either side of B's; and both arcs in one hemisphere.
        const FloatW b0 = dot(mb, da), b1 = dot(nb, da), a0 = dot(ma, db), a1 = dot(na, db);
        const Vec3W axis = cross(da, db);
        const FloatW squared = length_squared(axis);
        const FloatW side_a = dot(axis, ma + na), side_b = dot(axis, mb + nb);
        const MaskW crosses = (b0 * b1 <= zero) & (a0 * a1 <= zero) & (side_a * side_b <= zero) &
                              (squared > FloatW(kFlat) * length_squared(da) * length_squared(db));
        if (!any(crosses)) continue;
        const FloatW inverse = FloatW(1.0f) / sqrt(select(crosses, squared, FloatW(1.0f)));
        const Vec3W normal = flip_sign(axis, side_a - side_b) * inverse;
        const FloatW depth = select(crosses, dot(normal, pa - pb), FloatW(__builtin_huge_valf()));
        const MaskW better = depth < FloatW(best.depth);
        if (!any(better)) continue;
        const LaneArray<float> d = lanes_of(depth), x = lanes_of(normal.x), y = lanes_of(normal.y), z = lanes_of(normal.z);
        for_each_lane(better.bits(), [&](int lane) {
            if (d[lane] < best.depth)
                best = {d[lane], {x[lane], y[lane], z[lane]}, DepthAxis::edges, i, j + static_cast<std::uint32_t>(lane)};
        });
    }
}

}  // namespace abut::ABUT_ISA_NAMESPACE
