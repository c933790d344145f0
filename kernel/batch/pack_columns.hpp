// Packs the answers that chunks wrote at each pair's index into the caller's columns, in pair order.
#pragma once

#include <cstdint>
#include <span>

#include <abut/host.hpp>
#include <abut/results.hpp>

#include "base/memory.hpp"
#include "base/scratch_columns.hpp"
#include "batch/child_pairs.hpp"
#include "convex/contract/chunk.hpp"
#include "surfaces/walk/surface_memory.hpp"

namespace abut {

// Numbers of manifolds and of contacts.
struct ManifoldNeeds {
    std::size_t manifolds = 0, contacts = 0;
};

// Per-pair scratch of one call; reuses its memory.
struct PairScratch {
    Vector<Status> status;
    Vector<std::uint8_t> flag;  // overlap: hit; collide: contact count
    Vector<ManifoldRecord> manifolds;
    Vector<ManifoldNeeds> packed;  // collide: where each block of pairs starts in the columns

    void reserve(std::size_t pairs);
    std::size_t bytes() const { return bytes_of(status, flag, manifolds, packed); }
};

// Packs one byte per pair to one bit per pair; returns the number of set bits.
std::size_t pack_bits(std::span<const std::uint8_t> hit, const Executor& executor, std::span<std::uint32_t> bits);

// Lists the indices of set bits, ascending, as many as fit.
void list_hits(std::span<const std::uint32_t> bits, std::span<std::uint32_t> hits);

// Set in the number of contacts of a record whose contacts continue the manifold of the record before.
inline constexpr std::uint32_t kContinues = 0x80;

// The manifolds of compound pairs or of surface pairs: the pairs, and the columns to which `first` and `count` refer.
// The number of a record's contacts may have kContinues.
struct ChildManifolds {
    std::span<const CompoundPair> compound_pairs = {};
    const ChildPair* pairs = nullptr;
    const std::uint8_t* contact_count = nullptr;
    const ManifoldRecord* records = nullptr;
    const ContactTriangles* triangles = nullptr;  // of surfaces
};

// The manifolds of a frame before packing: those of a convex pair at the pair's index, the others at child pairs.
struct ManifoldSources {
    std::span<const std::uint8_t> contact_count;  // by pair; 0 if the pair has child pairs
    const ManifoldRecord* records;
    ChildManifolds compounds = {}, surfaces = {};
};

// Returns the total sizes; `blocks` gets the start position of each block of pairs.
ManifoldNeeds count_manifolds(const ManifoldSources& sources, const Executor& executor, Vector<ManifoldNeeds>& blocks);

// Writes manifolds and contacts of all pairs in order. Pairs that do not fit get Status::no_room and no manifolds.
// `blocks` and `needs` are from count_manifolds.
void pack_manifolds(const ManifoldSources& sources, std::span<const ManifoldNeeds> blocks, ManifoldNeeds needs,
                    const Executor& executor, std::span<Status> status, ManifoldColumns& out);

}  // namespace abut
