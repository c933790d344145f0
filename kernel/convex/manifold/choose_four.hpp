// The choice of up to four contacts among each lane's candidates: those that bear the load.
//
// A candidate is a point of the contact plane with a separation. A tilt of the body raises or lowers the candidate; its
// clearance is the separation plus that height. The body's clearance is the least of all candidates. The four contacts
// are the points whose clearance differs least from the body's, without a tilt and under tilts up to those of a body at
// rest in one step (0.02 rad). A leaning body thus keeps the points on which it stands. Points that no such tilt brings
// into contact fill the remaining slots.
//
// If all candidates are level to within 0.8% of the smaller size, the choice is the largest quadrilateral about one of
// four diagonals, with one corner as deep as the deepest candidate. Among choices that differ by at most a few
// hundredths the lower slots win, so that noise does not decide.
#pragma once

#include "convex/manifold/candidates_wide.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr int kManifoldPoints = 4;

struct FourW {
    MaskW has[kManifoldPoints];
    CandidateW at[kManifoldPoints];  // the least separation first
};

// Chooses up to four contacts per lane, the deepest first. Also removes from `c` the points between the ends of a
// narrow patch.
void choose_four(CandidatesW& c, const ClipLimitsW& limits, FourW& out);

}  // namespace abut::ABUT_ISA_NAMESPACE
