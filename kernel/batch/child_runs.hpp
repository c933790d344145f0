// Pairs with a compound or a surface: chooses the child pairs that are computed together, and ends when the others
// cannot matter.
//
// Overlap: all pairs advance together in rounds, a few child pairs each, until one overlaps. Contacts and distances: short
// lists are computed whole, several at a time; a long list is computed alone, for contacts in blocks, for distance in
// rounds, the lowest bounds first, until the rest cannot matter. The answer depends on the pair alone, not on groups,
// blocks or rounds.
#pragma once

#include <cstdint>
#include <span>

#include "base/memory.hpp"
#include "batch/child_pairs.hpp"
#include "batch/child_results.hpp"
#include "batch/chunk_runs.hpp"
#include "batch/ground_runs.hpp"
#include "batch/join_manifolds.hpp"
#include "surfaces/walk/child_walk.hpp"

namespace abut {

// Child pairs computed together: about 25 MB of scratch.
inline constexpr std::uint32_t kBlockChildPairs = 1u << 17;
// For distance, a list with more child pairs than this is long. This many child pairs of it are always computed.
inline constexpr std::uint32_t kLongList = 4096;
// For overlap, the child pairs of a pair that the first round computes.
inline constexpr std::uint32_t kFirstChildPairs = 16;

// A child pair before it is computed.
struct Candidate {
    float bound;  // lower bound on the signed distance
    std::uint32_t a, b;
};

// As kBlockChildPairs, for child pairs with a triangle each: fewer, because the contacts of all their bodies are
// processed together afterwards.
inline constexpr std::uint32_t kBlockTriangles = 1u << 15;

// The most child pairs that are counted or listed, which takes about a second. The rest is ignored.
inline constexpr std::uint32_t kMostWalked = 1u << 26;

// The progress of a pair's overlap.
struct OverlapSearch {
    std::uint32_t listed = 0, all = 0;  // child pairs in this round, and in all rounds
    Status worst = Status::ok;
    bool has_more = true, hits = false, may_hit = false;  // hits: certainly
};

class ChildRuns {
public:
    // Of triangles, if B is a surface.
    explicit ChildRuns(Made made) : children_(made) {}

    // Answers `entries`, pairs with a compound or a surface, in `call.out`, and keeps manifolds for add_to.
    void run(const PairCall& call, std::span<const Entry> entries);
    void clear() { children_.compound_pairs.clear(); }

    // Sets the columns of `manifolds` to the manifolds of the previous run.
    void add_to(ChildManifolds& manifolds) const;

    void reserve(std::size_t compound_pairs, std::size_t child_pairs);
    std::size_t bytes() const;

private:
    struct Exit {
        Entry entry;
        std::uint32_t child_pair;
    };

    void run_group(const PairCall& call, std::span<CompoundPair> group);
    void run_blocks(const PairCall& call, CompoundPair& compound_pair);
    void run_rounds(const PairCall& call, const CompoundPair& compound_pair);
    void run_overlaps(const PairCall& call, std::span<const Entry> entries);
    void overlap_round(const PairCall& call, std::span<const std::uint32_t> some, std::uint32_t most);
    void list_next(const PairCall& call, std::uint32_t i, std::uint32_t most, ChildPair* next);
    bool is_over(const PairCall& call, std::uint32_t i);
    void remember(const PairCall& call);
    bool list_candidates(const ChildWalk& walk, const CompoundPair& compound_pair, std::uint32_t most);
    OutputView compute(const PairCall& call, std::span<const CompoundPair> compound_pairs);
    void leave_solids(const PairCall& call, std::span<const CompoundPair> compound_pairs, const OutputView& out);
    OutputView compute(const PairCall& call, const CompoundPair& compound_pair, std::span<ChildPair> some);

    // True if contacts of triangles become contacts of their surface.
    bool merges(const PairCall& call) const { return with_triangles() && call.parameters.query == Query::collide; }
    bool with_triangles() const { return children_.batch.made == Made::triangles; }
    std::uint32_t block() const { return with_triangles() ? kBlockTriangles : kBlockChildPairs; }
    std::uint32_t most_together(Query query) const { return query == Query::collide ? block() : kLongList; }

    ChildPairs children_;
    Vector<Candidate> candidates_;
    Vector<ChildBox> boxes_;
    // For overlap: by pair; those that are not decided.
    Vector<OverlapSearch> searches_;
    Vector<std::uint32_t> active_;
    // Child pairs that are computed next, and the compound pairs that they are of.
    Vector<ChildPair> next_;
    Vector<CompoundPair> group_;
    KeptManifolds kept_;
    ManifoldJoin join_;
    GroundRuns ground_;
    PairBatch exits_{Made::planes};  // children in solids, and the planes through which they leave
    Vector<Exit> exit_of_;           // by pair of exits_
    bool keeps_ = false;             // the manifolds are in kept_ instead of the batch
};

}  // namespace abut
