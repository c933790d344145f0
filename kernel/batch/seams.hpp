// Contacts on compounds whose children share faces: no contact has a normal that the union of the children lacks at
// that point (shapes/seam.hpp). A manifold all of whose contacts have such normals
// - is left out if a sibling that denies its normal answers the same child of the other body;
// - otherwise gets the normal of a face of its child through which a point of the other body leaves the child;
// - otherwise is left out. If no manifold is left, the deepest one stays unchanged.
#pragma once

#include "batch/child_pairs.hpp"

namespace abut {

// The columns to which `first` and `count` of a compound pair refer, by child pair.
struct ChildManifoldColumns {
    const ChildPair* pairs;
    std::uint8_t* contact_count;
    ManifoldRecord* records;
};

// Changes the manifolds that the kernels wrote for one compound pair.
void settle_seams(const PairCall& call, const CompoundPair& compound_pair, const ChildManifoldColumns& manifolds);

}  // namespace abut
