// Expands pairs with a compound or a surface (a mesh or a height field) into pairs of children whose bounds do not
// exclude an answer. The pairs of children form a frame of convex bodies. A surface's children are its triangles.
#pragma once

#include <cstdint>
#include <span>

#include "base/memory.hpp"
#include "batch/chunk_runs.hpp"
#include "convex/contract/chunk.hpp"
#include "shapes/child_poses.hpp"
#include "surfaces/walk/child_pair.hpp"
#include "surfaces/walk/surface_memory.hpp"

namespace abut {

// One pair of the frame with a compound or a surface, and its range of child pairs.
struct CompoundPair {
    // The capacity of a short list, for a compound and for a surface.
    static constexpr std::uint32_t kFewChildren = 24, kFewTriangles = 256;

    Entry entry;   // canonical: b is a compound or a surface, a may be a compound
    double reach;  // metres: child pairs farther apart cannot matter
    std::uint32_t first, count;
    // For a body on a surface. has_contacts: its contacts are known, so no child pair is examined. keeps_contacts: it
    // moved so little that its cache stores the contacts.
    bool has_contacts = false, keeps_contacts = false;
    bool is_in_solid = false;  // some child of A has its centre in B's solid
    // A short list of child pairs, ascending, which needs no second walk. The first `count` must be computed; those
    // after them have known contacts.
    // after them have known contacts.
    ChildPair* few = nullptr;  // of ChildPairs::few
    std::uint32_t room = 0;
    std::uint32_t known_count = 0;

    // The child pairs with known contacts; none if the list is not short.
    std::span<const ChildPair> known() const {
        return known_count == 0 ? std::span<const ChildPair>() : std::span<const ChildPair>(few + count, known_count);
    }
};

inline constexpr std::size_t kBlockCompoundPairs = 16;  // per task
// The largest number of child pairs that are counted or listed, which takes about a second. Further child pairs are
// ignored.
inline constexpr std::uint32_t kMostWalked = 1u << 26;

// Scratch and result of one frame's expansion; keeps its memory.
struct ChildPairs {
    Vector<CompoundPair> compound_pairs;  // in the order of the frame's pairs
    Vector<ChildPair> few;                // the compound pairs' short lists, each with its room
    // Child pairs that are computed together, sorted by their compound pair.
    Vector<ChildPair> pairs;
    PairBatch batch;

    explicit ChildPairs(Made shapes) : batch(shapes) {}
    void make_room(std::size_t child_pairs, bool with_reaches);
    void reserve(std::size_t compound_pair_count, std::size_t child_pairs);
    // The capacity of a short list.
    std::uint32_t room() const {
        return batch.made == Made::none ? CompoundPair::kFewChildren : CompoundPair::kFewTriangles;
    }
    std::size_t bytes() const;
};

// Fills the compound pairs of `collide`; counting stops at kMostWalked child pairs per compound pair. Writes
// Status::bad_pose. `entries`: the frame's pairs with a compound, or those with a surface. `has_contacts`: by entry, or
// empty.
void count_compounds(const PairCall& call, std::span<const Entry> entries, std::span<const std::uint8_t> has_contacts,
                     ChildPairs& out);

// Lists the child pairs of a compound pair, ascending. Precondition: its count is complete.
void list_children(const PairCall& call, const CompoundPair& compound_pair, ChildPair* pairs);

// Lists all child pairs of some compound pairs and sets the poses of their bodies. Precondition: the counts are
// complete.
void list_compounds(const PairCall& call, std::span<CompoundPair> group, ChildPairs& out);

// Sets a child pair's bodies, in the order of their kinds, and its triangles.
void place_child(const ChildPoses& a, const ChildPoses& b, const maths::Vec3d& b_from_a, bool is_self, ChildPair& child,
                 PairBatch& batch, std::size_t at);

// Fills the batch for child pairs of `compound_pair`, which must be listed.
void place_children(const PairCall& call, const CompoundPair& compound_pair, ChildPairs& out);

}  // namespace abut
