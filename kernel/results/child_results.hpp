// What the child pairs of compounds were answered becomes their owners' answer: any of them, the nearest of them, all of them.
#pragma once

#include <vector>

#include <abut/executor.hpp>

#include "isa/kernels.hpp"
#include "pairs/child_pairs.hpp"
#include "results/columns.hpp"

namespace abut {

// Columns that the chunks of child pairs write; keeps its memory.
struct ChildScratch {
    PairScratch pairs;
    std::vector<float> signed_distance;
    std::vector<Vec3> normal, point_a, point_b;

    // Room for what `wanted`, the owners' columns, has.
    OutputView view(std::size_t child_pairs, const OutputView& wanted);
    void reserve(std::size_t child_pairs);
    std::size_t bytes() const;
};

// Writes each owner's status, and its hit or distance at its own index of `out`. Manifolds are moved to the owner's frame where they are:
// the caller's order of the bodies, points from the position of A's body.
void give_owners(const Frame& frame, const ChildPairs& children, const QueryParameters& parameters, const Executor& executor,
                 ChildScratch& scratch, const OutputView& out);

}  // namespace abut
