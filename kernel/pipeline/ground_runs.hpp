// The contacts of bodies on surfaces: from those of their triangles, which the kernels have answered, by way of planes, which they answer now.
#pragma once

#include <cstdint>
#include <span>

#include "ground/surface_manifolds.hpp"
#include "host/memory.hpp"
#include "pairs/sort.hpp"
#include "pipeline/chunk_runs.hpp"
#include "results/child_results.hpp"

namespace abut {

class GroundRuns {
public:
    // Takes the contacts of an owner's triangles (child pairs that were computed together), and those that are known; what one owner
    // has may come in parts.
    void add(const CompoundPair& part, const ChildPairs& children, const PairScratch& from);
    std::uint32_t size() const { return static_cast<std::uint32_t>(touching_.size()); }

    // `owners` have their part of what was added as `first` and `count`; they get their part of `kept`.
    void run(const Frame& frame, std::span<CompoundPair> owners, const QueryParameters& parameters, const ChunkRunner& runner, KeptManifolds& kept);

    // For contacts of as many triangles.
    void reserve(std::size_t owners, std::size_t triangles);
    std::size_t bytes() const;

private:
    struct Found {
        std::uint32_t planes, first_plane, merged;
    };

    void find_planes(const Frame& frame, std::span<const CompoundPair> owners, const Executor& executor);
    void place_planes(std::span<const CompoundPair> owners, const QueryParameters& parameters, const Executor& executor);
    void ask_planes(const Frame& frame, const QueryParameters& parameters, const ChunkRunner& runner);

    Vector<ContactPair> touching_;
    Vector<GroundPlane> planes_;     // an owner's from where its touching are
    Vector<MergedManifold> merged_;  // likewise
    Vector<Found> found_;            // by owner
    std::uint32_t plane_count_ = 0;  // of all owners
    // Columns of the pairs with a plane, owner by owner:
    Vector<Body> bodies_;
    Vector<Pair> pairs_;
    Vector<float> reaches_;
    AlignedVector<InstanceRecord> records_;
    Vector<std::uint32_t> plane_at_;  // in planes_
    SortedPairs sorted_;
    ChildScratch scratch_;
};

}  // namespace abut
