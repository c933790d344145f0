// Witness points of an overlap with known axis of least depth: B is moved along the axis until a gap opens, and GJK
// finds the nearest points. They are exact for polytopes: the facet of B - A with the nearest point stays the same
// while B moves along the facet's normal. GJK also checks the axis: if the distance differs from the gap, the depth
// along the axis was not the least.
#pragma once

#include "convex/lanes/answer.hpp"
#include "convex/separation/gjk.hpp"
#include "convex/separation/simplex_features.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct WitnessW {
    MaskW found;
    AnswerW answer;
    IntW names;  // of the features with the witness points (convex/lanes/names.hpp)
};

// `separation`: of the cores along `normal` (unit, from A to B), not positive in `lanes`.
template <class CoreA, class CoreB>
WitnessW witness_along(const PairW<CoreA, CoreB>& pair, Vec3W normal, FloatW separation, MaskW lanes) {
    PairW<CoreA, CoreB> shifted = pair;
    const FloatW gap = kWitnessGap, half = 0.5f;
    shifted.offset = pair.offset + normal * (gap - separation);
    GjkResultW found;
    gjk(shifted, normal, lanes, {FloatW(HUGE_VALF), FloatW(-1.0f), kWitnessStopShare}, found);
    // If v, the vector between the nearest points, is off the axis by more than rounding, either the depth along the
    // axis is not the least, or GJK stopped before it reached the facet (an error of the points appears squared in the
    // distance).
    const FloatW allowed = FloatW(kWitnessShare) * pair.tolerance;
    WitnessW out;
    out.found = found.apart & (length_squared(found.simplex.v - normal * gap) <= allowed * allowed);
    // The nearest points of the moved pair are on_a and on_a + v; then B moves back along the normal. For slivers v is
    // exact, but not its position along the sliver.
    const Vec3W on_a = point_on_a(shifted, found.simplex), on_b = point_on_b(shifted, found.simplex);
    out.found = out.found & (length_squared(on_b - on_a - found.simplex.v) <= allowed * allowed);
    const Vec3W middle = on_a + (found.simplex.v - normal * (gap - separation)) * half;
    out.answer = {separation - pair.radius, normal, middle + normal * ((pair.radius_a - pair.radius_b) * half)};
    out.names = simplex_features(found.simplex);
    return out;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
