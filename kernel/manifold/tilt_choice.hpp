// The choice of four contacts by their clearance under tilts (choose_four.hpp). Greedy: the deepest candidate, the farthest from the middle of those
// that are as deep; three times the candidate that is lowest at the tilt at which the others lose the most; then the first two are chosen once more.
// Losses that differ by less than a fiftieth of the rise are equal: the first slot stays, so that noise does not choose.
#pragma once

#include "manifold/candidates_wide.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr int kManifoldPoints = 4;

// The slots of the four, of `lanes`, which have more than four candidates. Some may be the same.
void choose_by_tilt(const CandidatesW& c, const ClipLimitsW& limits, MaskW lanes, FloatW (&slot)[kManifoldPoints]);

}  // namespace abut::ABUT_ISA_NAMESPACE
