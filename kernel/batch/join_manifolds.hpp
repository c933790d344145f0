// Joins the manifolds of one pair of bodies (from several children or clusters of triangles) whose normals are nearly
// equal: an engine with friction per manifold would apply its friction several times.
#pragma once

#include <cstdint>
#include <span>

#include "base/memory.hpp"
#include "batch/child_pairs.hpp"
#include "batch/child_results.hpp"

namespace abut {

class ManifoldJoin {
public:
    // Replaces the manifolds of `compound_pairs`, which are in `kept`. A joined manifold has the normal of its deepest
    // contact, and contacts chosen from its manifolds by the rule for surfaces, each with its own separation.
    void run(const PairCall& call, std::span<CompoundPair> compound_pairs, KeptManifolds& kept);
    std::size_t bytes() const { return bytes_of(joined_, head_); }

private:
    class OnePair;

    KeptManifolds joined_;        // the part of each pair starts where the replaced manifolds started
    Vector<std::uint32_t> head_;  // by record: the first record of the manifold that the record's manifold joins
};

}  // namespace abut
