// The choice of up to four contacts among each lane's candidates: those that carry the load.
//
// A candidate is a point of the contact plane with a separation. Under a tilt of the body, its clearance is the separation plus the height by which
// the tilt raises it; the body's clearance is the least of all. The four contacts are chosen so that their clearance differs least from the body's:
// level, and under tilts up to those of a body at rest in one step (0.02 rad). So a leaning body keeps the points that it stands on, and points that
// no such tilt brings into contact fill the remaining slots.
//
// If all candidates are level to within 0.8% of the smaller size, the largest quadrilateral about one of four diagonals is chosen instead, with one
// corner as deep as the deepest candidate. Among choices that are equal to within a few hundredths the lower slots win, so that noise does not
// choose.
#pragma once

#include "manifold/candidates_wide.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr int kManifoldPoints = 4;

struct FourW {
    MaskW has[kManifoldPoints];
    CandidateW at[kManifoldPoints];  // the least separation first
};

// Chooses up to four contacts per lane, the deepest first. Also removes from `c` the points between the ends of a narrow patch.
void choose_four(CandidatesW& c, const ClipLimitsW& limits, FourW& out);

}  // namespace abut::ABUT_ISA_NAMESPACE
