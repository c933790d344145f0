// Candidates of pairs that do not fit lanes, one pair at a time: curved features, faces of many corners, parallel
// edges, and deepest vertices outside the face that is best aligned with the normal.
#pragma once

#include "convex/manifold/contact_shape.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace manifold_detail {

// Lanes with incomplete candidates.
struct Lacking {
    std::uint32_t deepest = 0,
                  along = 0,  // no candidate is as deep as the answer, because the normal is a face's, not the answer's
        ends = 0;  // few candidates although edges may be parallel: the ends of the common segment may be missing

    std::uint32_t all() const { return deepest | along; }  // lanes that have no contacts yet
};

Lacking find_one_by_one(const LanesOfPair& of, std::uint32_t lanes, CandidatesW& out);

// Finds the candidates of two features; no candidate has a smaller separation than the answer. Returns true if one is
// as deep as the answer (ContactSeed::as_deep). `share`: the error of features as a share of promise 1's bound.
bool clip_features(const Feature& a, const Feature& b, float radius_a, float radius_b, const ContactSeed& seed,
                   float share, Candidates& found);

}  // namespace manifold_detail

}  // namespace abut::ABUT_ISA_NAMESPACE
