// Candidates of pairs that do not fit lanes, one pair at a time: curved features, faces of many corners, parallel edges, and deepest vertices of
// other faces than those that look most along the normal.
#pragma once

#include "manifold/contact_shape.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace manifold_detail {

// Lanes whose candidates are not complete.
struct Lacking {
    std::uint32_t deepest = 0,
                  along = 0,  // the deepest point is not known; nothing as deep lies along a normal that is not the answer's
        ends = 0;             // few candidates, where edges may be parallel: not the ends of what they share

    ABUT_INLINE std::uint32_t all() const { return deepest | along; }  // these have no contacts yet
};

Lacking find_one_by_one(const LanesOfPair& of, std::uint32_t lanes, CandidatesW& out);

// Candidates of two features, none nearer than the answer. Whether some is as deep as that. `share`: of promise 1's bound, by which a feature may be too low.
bool clip_features(const Feature& a, const Feature& b, float radius_a, float radius_b, const ContactSeed& seed, float share, Candidates& found);

}  // namespace manifold_detail

}  // namespace abut::ABUT_ISA_NAMESPACE
