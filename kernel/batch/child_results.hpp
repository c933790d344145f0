// Combines the answers of child pairs into the answer of their compound pair: the nearest, or all.
#pragma once

#include <span>

#include "base/memory.hpp"
#include "batch/child_pairs.hpp"
#include "batch/pack_columns.hpp"
#include "batch/seams.hpp"
#include "convex/contract/chunk.hpp"

namespace abut {

// Manifolds of child pairs if they are computed in several batches: those with contacts, compound pair by compound
// pair.
struct KeptManifolds {
    Vector<ChildPair> pairs;
    Vector<std::uint8_t> contact_count;  // as in ChildManifolds
    Vector<ManifoldRecord> records;
    Vector<ContactTriangles> triangles;  // of surfaces

    std::uint32_t size() const { return static_cast<std::uint32_t>(pairs.size()); }
    ChildManifoldColumns columns() { return {pairs.data(), contact_count.data(), records.data()}; }
    void add(const CompoundPair& compound_pair, const ChildPairs& children);
    void add(const ChildPair& pair, std::uint32_t contacts, const ManifoldRecord& record);
    void add(const MergedManifold& manifold);
    void clear();
    void resize(std::size_t manifolds, bool with_triangles);
    void reserve(std::size_t child_pairs, bool with_triangles);
    std::size_t bytes() const;
};

// Sets only a compound pair's status: the worst of its child pairs.
void give_status(const PairCall& call, const CompoundPair& compound_pair, const ChildPairs& children);

// Writes the status and distance of each compound pair at its index of `call.out`. Manifolds stay at their child pairs:
// see place_manifolds.
void write_compound_pairs(const PairCall& call, std::span<const CompoundPair> compound_pairs, ChildPairs& children);

// Settles the manifolds of a compound pair at seams and transforms them: to the caller's order of the bodies, points
// relative to the position of A's body. All of the pair's manifolds must be there, as the kernels wrote them.
void place_manifolds(const PairCall& call, const CompoundPair& compound_pair, const ChildManifoldColumns& manifolds);

}  // namespace abut
