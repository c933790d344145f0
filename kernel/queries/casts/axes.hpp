// Proposals of separating axes, one pair per lane, in floats. Their accuracy affects only the number of steps.
#pragma once

#include "convex/separation/round_pairs.hpp"
#include "queries/casts/moving_lanes.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// True if this file finds axes for pairs whose B has this kind. For other kinds the axis is the difference of the
// origins.
ABUT_INLINE bool finds_axes(ShapeKind b) {
    return b == ShapeKind::box || b == ShapeKind::sphere || b == ShapeKind::capsule;
}

// A pair at one time in the axes of A's core, scaled so that the sizes are near 1.
struct PosedPairW {
    Mat3W axes;      // of A in world axes
    Mat3W rotation;  // B's axes in A's
    Vec3W offset;    // B's origin from A's
    Vec3W approach;  // motion of B's centre relative to A's until time 1
    Vec3W extent_a, extent_b;
    FloatW swing;  // upper bound on the closing speed due to rotation
    FloatW level;  // the gap at which the pair meets, plus the radii
};

namespace axes_detail {

ABUT_INLINE FloatW component(Vec3W v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

// The best axis so far: the one that proves the latest time or, if the bodies overlap along all axes, the one of least
// overlap.
struct BestAxisW {
    FloatW score = -1e30f, scale = 1.0f;
    Vec3W normal = {0.0f, 1.0f, 0.0f};  // times scale

    // `position`: of B's origin along n; `approach`: of its motion; `reach`: of both cores; `inverse`: 1 / |n|.
    ABUT_INLINE void take(const PosedPairW& pair, Vec3W n, FloatW position, FloatW approach, FloatW reach,
                          FloatW inverse) {
        const FloatW gap = (abs(position) - reach) * inverse - pair.level,
                     signed_inverse = flip_sign(inverse, position);
        const FloatW time = gap / max(pair.swing - approach * signed_inverse, FloatW(1e-6f));
        const FloatW better = select(gap > FloatW(0.0f), time, gap);
        const MaskW is_better = better > score;
        score = select(is_better, better, score), scale = select(is_better, signed_inverse, scale);
        normal = select(is_better, n, normal);
    }
};

}  // namespace axes_detail

// Boxes (and segments, as boxes with extents of 0): the separating axes [Gottschalk, Lin, Manocha 1996; Ericson 2005,
// 4.4.1], rated by the time for which they separate. Nearly parallel edges are skipped.
ABUT_NOINLINE inline Vec3W box_axis(const PosedPairW& pair) {
    using namespace axes_detail;
    const Vec3W column[3] = {pair.rotation.x, pair.rotation.y, pair.rotation.z};
    const FloatW one = 1.0f, zero = 0.0f;
    BestAxisW best;
    ABUT_UNROLL(3)
    for (int i = 0; i < 3; ++i) {
        const Vec3W row = {component(column[0], i), component(column[1], i), component(column[2], i)};
        const Vec3W n = {i == 0 ? one : zero, i == 1 ? one : zero, i == 2 ? one : zero};
        best.take(pair, n, component(pair.offset, i), component(pair.approach, i),
                  component(pair.extent_a, i) + dot(pair.extent_b, abs(row)), one);
        best.take(pair, column[i], dot(column[i], pair.offset), dot(column[i], pair.approach),
                  component(pair.extent_b, i) + dot(pair.extent_a, abs(column[i])), one);
    }
    ABUT_UNROLL(3)
    for (int j = 0; j < 3; ++j) {
        const Vec3W c = column[j], c1 = column[(j + 1) % 3], c2 = column[(j + 2) % 3];
        const FloatW half1 = component(pair.extent_b, (j + 1) % 3), half2 = component(pair.extent_b, (j + 2) % 3);
        ABUT_UNROLL(3)
        for (int i = 0; i < 3; ++i) {
            // Cross product of edge i of A and edge j of B: its dot product with another edge of B is a component of
            // the third edge.
            const int k = (i + 1) % 3, l = (i + 2) % 3;
            const FloatW nk = component(c, l), nl = component(c, k), parallel = component(c, i);
            const auto along = [&](Vec3W v) { return component(v, l) * nl - component(v, k) * nk; };
            const Vec3W n = {i == 0   ? zero
                             : i == 1 ? nl
                                      : -nk,
                             i == 1   ? zero
                             : i == 2 ? nl
                                      : -nk,
                             i == 2   ? zero
                             : i == 0 ? nl
                                      : -nk};
            const FloatW squared = one - parallel * parallel;
            const FloatW reach = component(pair.extent_a, k) * abs(nk) + component(pair.extent_a, l) * abs(nl) +
                                 half1 * abs(component(c2, i)) + half2 * abs(component(c1, i));
            const MaskW exists = squared > FloatW(1e-4f);
            best.take(pair, n, along(pair.offset), along(pair.approach), select(exists, reach, FloatW(1e30f)),
                      one / sqrt(select(exists, squared, one)));
        }
    }
    return best.normal * best.scale;
}

// For spheres and capsules: the axis of the distance.
ABUT_NOINLINE inline Vec3W round_axis(const PosedPairW& pair) {
    CapsulePairW cores;
    cores.a.extent = pair.extent_a, cores.b.extent = pair.extent_b;
    cores.rotation = pair.rotation, cores.offset = pair.offset;
    cores.radius_a = cores.radius_b = cores.radius = 0.0f;
    return capsule_capsule(cores).normal;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
