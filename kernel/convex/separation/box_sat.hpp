// Separating axes of two boxes [Gottschalk, Lin, Manocha 1996; Ericson 2005, 4.4.1]: 3 + 3 face normals and 9 edge
// cross products, one pair per lane. With zero extents boxes are segments and points; the axes still include every
// facet of B - A, so the answer is exact for them, too (surplus axes only give looser bounds).
//
// Departure: both boxes are projected on each edge axis with the axis's own rounded components, instead of reusing |R|.
// The relative error then is mere rounding, however nearly parallel the edges are, and no epsilon is needed.
#pragma once

#include "convex/lanes/load.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct BoxAxisW {
    FloatW
        separation;  // largest over the axes, up to the slack; negative: the depth; positive: a lower bound on the distance
    FloatW greatest;  // without the slack
    Vec3W normal;     // unit, in A's frame, from A to B
    FloatW feature;   // the axis: 0-2 a face of A, 3-5 a face of B, 6 + 3 j + i edge i of A with edge j of B
};

namespace box_sat_detail {

ABUT_INLINE FloatW component(Vec3W v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

// `floor`: the separation that a further axis must exceed while the boxes overlap.
ABUT_INLINE void keep(BoxAxisW& best, FloatW& floor, FloatW separation, Vec3W normal, int feature) {
    const MaskW better = (separation > floor) | ((separation > best.separation) & (separation > FloatW(0.0f)));
    floor = select(better, separation, floor);
    best.greatest = max(best.greatest, separation);
    best.separation = select(better, separation, best.separation);
    best.normal = select(better, normal, best.normal);
    best.feature = select(better, FloatW(static_cast<float>(feature)), best.feature);
}

// The axis e_i x (0, u, v), which has the components (-v, u) in the cyclic plane (j, k) after i. Returns the separation
// times the axis's length.
struct EdgeAxis {
    FloatW separation, along, j, k;
};
ABUT_INLINE EdgeAxis edge_axis(const PairW<ExtentCore, ExtentCore>& pair, int i, Vec3W edge, Vec3W other1, Vec3W other2,
                               FloatW extent1, FloatW extent2) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const FloatW lj = -component(edge, k), lk = component(edge, j);
    const FloatW along = lj * component(pair.offset, j) + lk * component(pair.offset, k);
    const FloatW on_a = component(pair.a.extent, j) * abs(lj) + component(pair.a.extent, k) * abs(lk);
    const FloatW on_b = extent1 * abs(lj * component(other1, j) + lk * component(other1, k)) +
                        extent2 * abs(lj * component(other2, j) + lk * component(other2, k));
    return {abs(along) - (on_a + on_b), along, lj, lk};
}

}  // namespace box_sat_detail

// `slack`: faces of A win over faces of B, and faces win over edges, unless the losing axis is shallower by more than
// this.
inline BoxAxisW box_sat(const PairW<ExtentCore, ExtentCore>& pair, FloatW slack) {
    using namespace box_sat_detail;
    const Vec3W ea = pair.a.extent, eb = pair.b.extent, p = pair.offset;
    const Vec3W column[3] = {pair.rotation.x, pair.rotation.y, pair.rotation.z};
    const FloatW zero = 0.0f, one = 1.0f;

    // Faces of A: x, y, z of A's frame.
    BoxAxisW best;
    FloatW floor;
    ABUT_UNROLL(3)
    for (int i = 0; i < 3; ++i) {
        const FloatW on_b = eb.x * abs(component(column[0], i)) + eb.y * abs(component(column[1], i)) +
                            eb.z * abs(component(column[2], i));
        const FloatW along = component(p, i), sign = copysign(one, along);
        const FloatW separation = abs(along) - (component(ea, i) + on_b);
        const Vec3W normal = {i == 0 ? sign : zero, i == 1 ? sign : zero, i == 2 ? sign : zero};
        if (i == 0)
            best = {separation, separation, normal, zero}, floor = separation;
        else
            keep(best, floor, separation, normal, i);
    }
    // Faces of B.
    floor = best.separation + slack;
    ABUT_UNROLL(3)
    for (int i = 0; i < 3; ++i) {
        const FloatW along = dot(column[i], p);
        const FloatW separation = abs(along) - (component(eb, i) + dot(ea, abs(column[i])));
        keep(best, floor, separation, flip_sign(column[i], along), 3 + i);
    }
    // Edges of A with edges of B.
    floor = best.separation + slack;
    ABUT_UNROLL(3)
    for (int j = 0; j < 3; ++j) {
        const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        ABUT_UNROLL(3)
        for (int i = 0; i < 3; ++i) {
            const EdgeAxis axis =
                edge_axis(pair, i, column[j], column[j1], column[j2], component(eb, j1), component(eb, j2));
            const FloatW squared = axis.j * axis.j + axis.k * axis.k;
            const MaskW exists = squared > FloatW(kTiny);
            const FloatW inverse = one / sqrt(select(exists, squared, one));
            const FloatW nj = flip_sign(axis.j * inverse, axis.along), nk = flip_sign(axis.k * inverse, axis.along);
            const Vec3W normal = {i == 0   ? zero
                                  : i == 1 ? nk
                                           : nj,
                                  i == 1   ? zero
                                  : i == 2 ? nk
                                           : nj,
                                  i == 2   ? zero
                                  : i == 0 ? nk
                                           : nj};
            const FloatW separation = select(exists, axis.separation * inverse, best.separation);
            keep(best, floor, separation, normal, 6 + 3 * j + i);
        }
    }
    return best;
}

// Tells only whether the boxes are apart: no division, no axis.
ABUT_INLINE MaskW boxes_apart(const PairW<ExtentCore, ExtentCore>& pair) {
    using namespace box_sat_detail;
    const Vec3W ea = pair.a.extent, eb = pair.b.extent, p = pair.offset;
    const Vec3W column[3] = {pair.rotation.x, pair.rotation.y, pair.rotation.z};
    FloatW worst = FloatW(-1.0f);
    ABUT_UNROLL(3)
    for (int i = 0; i < 3; ++i) {
        const FloatW on_b = eb.x * abs(component(column[0], i)) + eb.y * abs(component(column[1], i)) +
                            eb.z * abs(component(column[2], i));
        worst = max(worst, abs(component(p, i)) - (component(ea, i) + on_b));
        worst = max(worst, abs(dot(column[i], p)) - (component(eb, i) + dot(ea, abs(column[i]))));
    }
    ABUT_UNROLL(3)
    for (int j = 0; j < 3; ++j) {
        const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        ABUT_UNROLL(3)
        for (int i = 0; i < 3; ++i)
            worst = max(
                worst,
                edge_axis(pair, i, column[j], column[j1], column[j2], component(eb, j1), component(eb, j2)).separation);
    }
    return worst > FloatW(0.0f);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
