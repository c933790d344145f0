// The contacts of bodies on surfaces, made from contacts with triangles, which the kernels have computed, and contacts
// with planes, which the kernels compute here.
#pragma once

#include <cstdint>
#include <span>

#include "base/memory.hpp"
#include "batch/child_results.hpp"
#include "batch/chunk_runs.hpp"
#include "surfaces/contacts/surface_manifolds.hpp"

namespace abut {

class GroundRuns {
public:
    // Adds the contacts of a compound pair's triangles (child pairs computed together) and its contacts that are known
    // already. A compound pair may be added in several parts.
    void add(const CompoundPair& part, const ChildPairs& children);
    std::uint32_t size() const { return static_cast<std::uint32_t>(contact_pairs_.size()); }

    // Finds the contacts of bodies that have hardly moved since their caches were written. has_contacts() then says
    // which entries have contacts.
    void follow(const Frame& frame, std::span<const Entry> entries, const QueryParameters& parameters,
                const Executor& executor);
    std::span<const std::uint8_t> has_contacts() const { return has_contacts_; }
    std::span<const MergedManifold> followed(std::size_t entry) const {
        return {followed_.data() + slot_[entry] * KeptContacts::kMostRecords, has_contacts_[entry] - 1u};
    }

    // Stores the contacts of a compound pair, which are its part of `from`, in its cache.
    void keep(const Frame& frame, const CompoundPair& compound_pair, const QueryParameters& parameters,
              const KeptManifolds& from) const;

    // Computes the manifolds. `first` and `count` of each compound pair are its part of the added contacts before the
    // call, and its part of `kept` afterwards.
    void run(const PairCall& call, std::span<CompoundPair> compound_pairs, KeptManifolds& kept);

    // Reserves memory for the contacts of this many triangles.
    void reserve(std::size_t compound_pairs, std::size_t triangles);
    std::size_t bytes() const;

private:
    struct Found {
        std::uint32_t planes, first_plane, merged;
    };

    void find_planes(const PairCall& call, std::span<const CompoundPair> compound_pairs);
    OutputView ask_planes(const PairCall& call, std::span<const CompoundPair> compound_pairs);

    // has_contacts_, by entry: 0 if contacts must be computed, otherwise 1 + the number of manifolds. Then, by entry:
    // its slot in followed_.
    Vector<std::uint8_t> has_contacts_;
    Vector<std::uint32_t> slot_;
    Vector<MergedManifold> followed_;
    Vector<ContactPair> contact_pairs_;
    Vector<GroundPlane> planes_;         // the part of a compound pair starts at the same index as in contact_pairs_
    Vector<MergedManifold> merged_;      // as planes_
    Vector<Found> found_;                // by compound pair
    PairBatch on_planes_{Made::planes};  // bodies on planes, in the order of compound pairs
};

}  // namespace abut
