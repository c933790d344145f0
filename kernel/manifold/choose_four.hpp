// The choice of up to four contacts among every lane's candidates: the greatest quadrilateral that has a point as deep as the deepest, to within
// the contact slack, among its corners. All diagonals are tried, with the outermost points on their either side; "deepest, farthest, both sides"
// falls short of 90% of the best area in 1% of resting pairs (docs/decisions.md). What is as good to within a few hundredths goes to the lower
// slots, so that noise does not choose.
#pragma once

#include "manifold/candidates_wide.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr int kManifoldPoints = 4;

struct FourW {
    MaskW has[kManifoldPoints];
    CandidateW at[kManifoldPoints];  // the least separation first
};

// Deepest first; one of them at no more than `as_deep`, or the deepest. `c` loses what lies between the ends of a line.
void choose_four(CandidatesW& c, FloatW as_deep, FourW& out);

}  // namespace abut::ABUT_ISA_NAMESPACE
