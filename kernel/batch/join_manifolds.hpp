// Joins the manifolds of one pair of bodies, from several children or clusters of triangles, whose normals are nearly
// equal: engines that have friction per manifold would apply it several times.
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
    // contact. The contacts are those of its manifolds, chosen by the rule for surfaces, each with its own separation.
    void run(const PairCall& call, std::span<CompoundPair> compound_pairs, KeptManifolds& kept);
    std::size_t bytes() const { return bytes_of(joined_, head_); }

private:
    class OnePair;

    KeptManifolds joined_;        // each pair's part starts where it does in the manifolds that are replaced
    Vector<std::uint32_t> head_;  // by record: the first record of the manifold that its manifold joins
};

}  // namespace abut
