// Combines the answers of the child pairs of compounds into their owners' answer: any of them, the nearest of them, or all of them.
#pragma once

#include <span>

#include <abut/executor.hpp>

#include "frame/chunk.hpp"
#include "host/memory.hpp"
#include "pairs/child_pairs.hpp"
#include "results/columns.hpp"

namespace abut {

// Columns that the chunks of child pairs write; keeps its memory.
struct ChildScratch {
    PairScratch pairs;
    Vector<float> signed_distance;
    Vector<Vec3> normal, point_a, point_b;

    // Room for what `wanted`, the owners' columns, has.
    OutputView view(std::size_t child_pairs, const OutputView& wanted);
    void reserve(std::size_t child_pairs);
    std::size_t bytes() const;
};

// Manifolds of child pairs, where there are more than are computed together: those that have contacts, of one owner after the other.
struct KeptManifolds {
    Vector<ChildPair> pairs;
    Vector<std::uint8_t> contact_count;
    Vector<ManifoldRecord> records;
    Vector<ContactTriangles> triangles;  // of surfaces

    std::uint32_t size() const { return static_cast<std::uint32_t>(pairs.size()); }
    void add(const CompoundPair& owner, const ChildPairs& children, const PairScratch& from);
    void add(const ChildPair& pair, std::uint32_t contacts, const ManifoldRecord& record);
    void add(const ChildPair& pair, std::uint32_t contacts, const ManifoldRecord& record, const ContactTriangles& of);
    void clear();
    void reserve(std::size_t child_pairs, bool with_triangles);
    std::size_t bytes() const;
};

// An owner's status alone: the worst of its child pairs.
void give_status(const CompoundPair& owner, const PairScratch& scratch, const OutputView& out);

// Writes each owner's status, and its hit or distance at its own index of `out`. Manifolds are moved to the owner's frame where they are:
// the caller's order of the bodies, points from the position of A's body.
void write_compound_pairs(const Frame& frame, std::span<const CompoundPair> owners, const ChildPairs& children, const QueryParameters& parameters,
                          const Executor& executor, ChildScratch& scratch, const OutputView& out);

}  // namespace abut
