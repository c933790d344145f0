// Contacts on compounds whose children share faces: none has a normal that the union of the children does not have
// there (shapes/seam.hpp). A manifold with such contacts alone
// - is left out if a sibling that denies its normal answers the same child of the other body,
// - else gets the normal of a face of its child through which a point of the other body leaves the child,
// - else is left out; if no manifold is left, the deepest one stays as it is.
#pragma once

#include "batch/child_pairs.hpp"

namespace abut {

// By child pair: columns to which `first` and `count` of a compound pair refer.
struct ChildManifoldColumns {
    const ChildPair* pairs;
    std::uint8_t* contact_count;
    ManifoldRecord* records;
};

// Changes the manifolds of one compound pair, as the kernels wrote them.
void settle_seams(const PairCall& call, const CompoundPair& compound_pair, const ChildManifoldColumns& manifolds);

}  // namespace abut
