// The choice of up to four contacts among every lane's candidates: those that bear the load.
//
// A candidate is a point of the contact plane with a separation. For a tilt of the body, a candidate's clearance is its separation plus what the tilt
// raises it by; the body's clearance is the least of all candidates. The four contacts are those whose clearance differs least from that of all, level
// and for tilts up to what a body at rest tilts by in a step (0.02 rad). So a leaning body keeps the points that it stands on, and points that no such
// tilt brings into contact fill up what is left. Where all candidates are level to within 0.8% of the smaller size, that is the patch's span: the greatest
// quadrilateral about one of four diagonals is chosen, with a point as deep as the deepest among its corners.
//
// What is as good to within a few hundredths goes to the lower slots, so that noise does not choose.
#pragma once

#include "manifold/candidates_wide.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr int kManifoldPoints = 4;

struct FourW {
    MaskW has[kManifoldPoints];
    CandidateW at[kManifoldPoints];  // the least separation first
};

// Deepest first. `c` loses what lies between the ends of a narrow patch.
void choose_four(CandidatesW& c, const ClipLimitsW& limits, FourW& out);

}  // namespace abut::ABUT_ISA_NAMESPACE
