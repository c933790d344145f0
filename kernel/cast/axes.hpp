// Axes that are worth a proof, one pair per lane, in floats: an axis is only proposed, and nothing depends on its accuracy but the number of steps.
#pragma once

#include "cast/moving_lanes.hpp"
#include "separation/round_pairs.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// A pair at one time, scaled so that the sizes are near 1, in the axes of A's core.
struct PosedPairW {
    Mat3W axes;      // of A in world axes
    Mat3W rotation;  // B's axes in A's
    Vec3W offset;    // B's origin from A's
    Vec3W approach;  // how far B's centre moves from A's until time 1
    Vec3W extent_a, extent_b;
    FloatW swing;  // at most how much faster rotation brings points together
    FloatW level;  // radii included
};

namespace axes_detail {

ABUT_INLINE FloatW component(Vec3W v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

// Keeps the axis that proves the latest time; where all overlap, the one that overlaps least.
struct BestAxisW {
    FloatW score = -1e30f;
    Vec3W normal = {0.0f, 1.0f, 0.0f};

    // `position`: of B's origin along n. `reach`: of both cores. `inverse`: 1 / |n|.
    ABUT_INLINE void take(const PosedPairW& pair, Vec3W n, FloatW position, FloatW reach, FloatW inverse) {
        const FloatW zero = 0.0f;
        const FloatW gap = (abs(position) - reach) * inverse - pair.level;
        const FloatW closing = pair.swing - flip_sign(dot(n, pair.approach), position) * inverse;
        const FloatW time = gap / max(closing, FloatW(1e-6f)), better = select(gap > zero, time, gap);
        const MaskW is_better = better > score;
        score = select(is_better, better, score);
        normal = select(is_better, flip_sign(n, position) * inverse, normal);
    }
};

}  // namespace axes_detail

// Boxes, and what is left of them where extents are 0: the separating axes [Gottschalk, Lin, Manocha 1996], each by how long it separates.
ABUT_NOINLINE inline Vec3W box_axis(const PosedPairW& pair) {
    using namespace axes_detail;
    const Vec3W column[3] = {pair.rotation.x, pair.rotation.y, pair.rotation.z};
    const FloatW one = 1.0f, zero = 0.0f;
    BestAxisW best;
    ABUT_UNROLL(3)
    for (int i = 0; i < 3; ++i) {
        const Vec3W row = {component(column[0], i), component(column[1], i), component(column[2], i)};
        const Vec3W n = {i == 0 ? one : zero, i == 1 ? one : zero, i == 2 ? one : zero};
        best.take(pair, n, component(pair.offset, i), component(pair.extent_a, i) + dot(pair.extent_b, abs(row)), one);
        best.take(pair, column[i], dot(column[i], pair.offset), component(pair.extent_b, i) + dot(pair.extent_a, abs(column[i])), one);
    }
    ABUT_UNROLL(3)
    for (int j = 0; j < 3; ++j) {
        ABUT_UNROLL(3)
        for (int i = 0; i < 3; ++i) {
            const Vec3W c = column[j];
            const Vec3W n = {i == 0 ? zero : i == 1 ? c.z : -c.y, i == 1 ? zero : i == 2 ? c.x : -c.z, i == 2 ? zero : i == 0 ? c.y : -c.x};
            const FloatW squared = length_squared(n);
            const MaskW exists = squared > FloatW(1e-6f);
            const FloatW inverse = one / sqrt(select(exists, squared, one));
            const Vec3W on_b = {dot(n, column[0]), dot(n, column[1]), dot(n, column[2])};
            const FloatW reach = dot(pair.extent_a, abs(n)) + dot(pair.extent_b, abs(on_b));
            best.take(pair, n, dot(n, pair.offset), select(exists, reach, FloatW(1e30f)), inverse);
        }
    }
    return best.normal;
}

// Spheres and capsules: that of the distance.
ABUT_NOINLINE inline Vec3W round_axis(const PosedPairW& pair) {
    CapsulePairW cores;
    cores.a.extent = pair.extent_a, cores.b.extent = pair.extent_b;
    cores.rotation = pair.rotation, cores.offset = pair.offset;
    cores.radius_a = cores.radius_b = cores.radius = 0.0f;
    return capsule_capsule(cores).normal;
}

// Of any two: from one to the other.
ABUT_INLINE Vec3W centre_axis(const PosedPairW& pair) { return pair.offset; }

}  // namespace abut::ABUT_ISA_NAMESPACE
