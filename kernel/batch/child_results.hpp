// Writes the answer of a child pair as that of its compound pair, or all manifolds.
#pragma once

#include <span>

#include "base/memory.hpp"
#include "batch/child_pairs.hpp"
#include "batch/pack_columns.hpp"
#include "batch/seams.hpp"
#include "convex/contract/chunk.hpp"

namespace abut {

// The manifolds of child pairs that are computed in several batches: only those with contacts, compound pair by
// compound pair.
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

// Sets a compound pair's status: the worst of its child pairs.
void give_status(const PairCall& call, const CompoundPair& compound_pair, const ChildPairs& children);

// Writes the distance of child pair `i` as that of its compound pair.
void write_distance(const PairCall& call, const Entry& entry, const ChildPairs& children, std::uint32_t i);
// Writes the distance of a compound pair of which no child pair is within reach: infinity.
void write_no_distance(const PairCall& call, const Entry& entry);

// Settles the manifolds of a compound pair at seams, and transforms them to the caller's order of the bodies, with
// points relative to the position of A's body. Precondition: all manifolds of the pair are there, as the kernels wrote
// them.
void place_manifolds(const PairCall& call, const CompoundPair& compound_pair, const ChildManifoldColumns& manifolds);

}  // namespace abut
