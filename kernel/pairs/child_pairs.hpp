// Pairs with a compound become pairs of children: those whose bounds say that they may matter, as a frame of convex bodies of its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/executor.hpp>
#include <abut/frame.hpp>

#include "isa/kernels.hpp"

namespace abut {

// In canonical order of the bodies; a convex body is its own child 0.
struct ChildPair {
    std::uint32_t a, b;
    bool is_turned;  // computed with b's child first: its kind is the lower
};

// One pair of the frame with a compound, and which child pairs are its own.
struct CompoundPair {
    static constexpr std::uint32_t kFew = 8;

    Entry entry;           // canonical: b is a compound, a may be one
    double reach;          // metres: child pairs farther apart cannot matter
    std::uint32_t first, count;
    ChildPair few[kFew];   // while they are counted: those of a short list, which then needs no second walk
};

// Scratch and result of one frame's expansion; keeps its memory.
struct ChildPairs {
    std::vector<CompoundPair> owners;   // in the order of the frame's pairs
    std::vector<ChildPair> pairs;       // by owner, ascending
    // Two bodies a child pair, in the order they are computed in. The first one's position is the origin, the second one's is its
    // distance from there: taken in double, so that neither the compounds' size nor the world's costs precision.
    std::vector<Body> bodies;
    std::vector<Pair> body_pairs;
    std::vector<float> margins;         // a child pair, where the frame has one a pair

    // Of child pairs.
    std::size_t size() const { return owners.empty() ? 0 : owners.back().first + owners.back().count; }
    void reserve(std::size_t owner_count, std::size_t child_pairs);
    std::size_t bytes() const;
};

// `entries` are the frame's pairs with a compound. Writes Status::bad_pose, and no_room where no index is left for a child pair.
void expand_compounds(const Frame& frame, std::span<const Entry> entries, const QueryParameters& parameters, const Executor& executor,
                      ChildPairs& out, Status* status);

}  // namespace abut
