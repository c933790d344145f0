// Caps that partly overlap as seen along the normal, one pair per lane. If their rims cross twice and neither cap
// contains most of the other, the candidates are the two crossings and three points of each arc between them. The order
// of the candidates is that of rim.hpp, which handles the other pairs.
#pragma once

#include "convex/manifold/whole_face.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr int kLensPoints = 8;
using LensesW = KnownCandidatesW<kLensPoints>;

// `a` and `b`: faces of curved shapes. `as_deep`: the largest separation that is as deep as the answer; one of the
// eight candidates must be that deep.
void find_lenses(const WholeFaceW& a, const WholeFaceW& b, const ClipLimitsW& limits, FloatW as_deep, MaskW lanes,
                 LensesW& out);

}  // namespace abut::ABUT_ISA_NAMESPACE
