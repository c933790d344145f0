// Caps that lie partly over one another, one pair per lane: where their rims cross twice and neither holds most of the other's, the two crossings and
// three points of either arc between them are the candidates. The same as rim.hpp's, in the same order; other pairs are left to that.
#pragma once

#include "manifold/whole_face.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr int kLensPoints = 8;
using LensesW = KnownCandidatesW<kLensPoints>;

// `a` and `b`: faces of curved shapes. `as_deep`: one of the eight has to be as deep.
void find_lenses(const WholeFaceW& a, const WholeFaceW& b, const ClipLimitsW& limits, FloatW as_deep, MaskW lanes, LensesW& out);

}  // namespace abut::ABUT_ISA_NAMESPACE
