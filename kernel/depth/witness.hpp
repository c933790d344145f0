// Witness points of an overlap whose axis of least depth is known: pull B away along that axis until a gap opens, and let GJK find the
// nearest points there. Exact for polytopes: the facet of B - A that holds the nearest point keeps holding it while B moves along its
// normal. It also checks the axis: another distance than the gap means that the axis was not the least.
#pragma once

#include "lanes/answer.hpp"
#include "separation/gjk.hpp"
#include "separation/simplex_names.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

struct WitnessW {
    MaskW found;
    AnswerW answer;
    IntW names;  // of the features that hold the points (lanes/names.hpp)
};

// `separation`: of the cores along `normal` (unit, from A to B), not positive in `lanes`.
template <class CoreA, class CoreB>
WitnessW witness_along(const PairW<CoreA, CoreB>& pair, Vec3W normal, FloatW separation, MaskW lanes) {
    PairW<CoreA, CoreB> pulled = pair;
    const FloatW gap = kWitnessGap, half = 0.5f;
    pulled.offset = pair.offset + normal * (gap - separation);
    GjkResultW found;
    gjk(pulled, normal, lanes, {FloatW(HUGE_VALF), FloatW(-1.0f), kWitnessStopShare}, found);
    // Off the axis by more than rounding: either the axis is not the least, or GJK stopped short of the very facet (a distance settles
    // with the square of what its ends are off by).
    const FloatW allowed = FloatW(kWitnessShare) * pair.tolerance;
    WitnessW out;
    out.found = found.apart & (length_squared(found.simplex.v - normal * gap) <= allowed * allowed);
    // The nearest points are on_a and on_a + v in the pulled pair; B goes back along the normal. A sliver knows v, but not where along itself it ends.
    const Vec3W on_a = point_on_a(pulled, found.simplex), on_b = point_on_b(pulled, found.simplex);
    out.found = out.found & (length_squared(on_b - on_a - found.simplex.v) <= allowed * allowed);
    const Vec3W middle = on_a + (found.simplex.v - normal * (gap - separation)) * half;
    out.answer = {separation - pair.radius, normal, middle + normal * ((pair.radius_a - pair.radius_b) * half)};
    out.names = simplex_names(found.simplex);
    return out;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
