// Pairs with a compound or a surface: chooses the child pairs that are computed together, and ends when no other child
// pair can matter.
//
// Contacts need all child pairs within reach: short lists are computed several at a time, a long list in blocks.
// Overlap and distance need one child pair, and search for it (child_rounds.hpp):
// - overlap: a child pair that certainly overlaps ends the search;
//   - distance: the least signed distance is the answer, of equal ones that of the lowest children. The search ends
//     when the next bound is larger.
// If there are few child pairs, they are computed as the walk meets them; otherwise those with the nearest bounds come
// first. Upper bounds of visited child pairs shorten the reach of a distance. The answer depends on the pair alone, not
// on groups, blocks or rounds.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "base/memory.hpp"
#include "batch/child_pairs.hpp"
#include "batch/child_results.hpp"
#include "batch/child_rounds.hpp"
#include "batch/chunk_runs.hpp"
#include "batch/ground_runs.hpp"
#include "batch/join_manifolds.hpp"
#include "surfaces/walk/child_walk.hpp"

namespace abut {

// Child pairs computed together: about 25 MB of scratch.
inline constexpr std::uint32_t kBlockChildPairs = 1u << 17;
// A list with more child pairs than this is long: a search may leave out some that can be nearer, but not by enough.
inline constexpr std::uint32_t kLongList = 4096;
// The number of a pair's child pairs that the first round of a search computes, and the factor for each further round.
inline constexpr std::uint32_t kFirstOverlaps = 16, kFirstDistances = 64, kGrowth = 8;

// As kBlockChildPairs, for child pairs with triangles: fewer, because the contacts of all their bodies are processed
// together afterwards.
inline constexpr std::uint32_t kBlockTriangles = 1u << 15;

// The progress of a pair's overlap or distance.
struct ChildSearch {
    Entry entry;
    ChildOrder order;
    double reach = 0;  // metres: child pairs farther apart do not matter
    DistanceLimits limits;
    float limit = 0;  // child pairs with a larger bound do not matter
    Status worst = Status::ok;
    bool hits = false, may_hit = false;  // hits: certainly; may_hit: possibly
    bool is_over = false;
    bool has_joined = false;  // a child that has seams with siblings is computed
    // The distance of the nearest child pair; later child pairs count only if they are nearer by enough.
    float distance = std::numeric_limits<float>::infinity();
    std::uint32_t child_a = 0, child_b = 0;
    double nearer = std::numeric_limits<double>::infinity();
};

class ChildRuns {
public:
    // `made`: the shapes that chunks make for child pairs: triangles if B is a surface, otherwise none.
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
    void remember(const PairCall& call);
    OutputView compute(const PairCall& call, std::span<const CompoundPair> compound_pairs);
    void leave_solids(const PairCall& call, std::span<const CompoundPair> compound_pairs, const OutputView& out);
    OutputView compute(const PairCall& call, const CompoundPair& compound_pair, std::span<ChildPair> some);

    // child_searches.cpp
    void run_searches(const PairCall& call, std::span<const Entry> entries);
    static bool list_few(const ChildWalk& walk, bool is_overlap, double reach, ChildSearch& search, OrderedChild* next,
                         std::uint32_t most);
    static void list_next(const PairCall& call, ChildSearch& search, OrderedChild* next, std::uint32_t most);
    void compute(const PairCall& call, std::span<ChildSearch> some, const OrderedChild* next, std::uint32_t most);
    static void keep_hits(ChildSearch& search, std::uint32_t first, const OutputView& out);
    void settle_joined(const PairCall& call, ChildSearch& search, std::uint32_t first, const OutputView& out) const;
    void keep_nearest(const PairCall& call, ChildSearch& search, std::uint32_t first, const OutputView& out,
                      const OrderedChild* next) const;
    static void finish(const PairCall& call, const ChildSearch& search);

    // True if contacts of triangles become contacts of their surface.
    bool merges(const PairCall& call) const { return with_triangles() && call.parameters.query == Query::collide; }
    bool with_triangles() const { return children_.batch.made == Made::triangles; }
    std::uint32_t block() const { return with_triangles() ? kBlockTriangles : kBlockChildPairs; }

    ChildPairs children_;
    Vector<ChildSearch> searches_;  // searches that are not over
    Vector<OrderedChild> next_;     // the child pairs that the searches compute next
    Vector<ChildPair> listed_;      // of one long list
    Vector<CompoundPair> group_;    // the compound pairs that are computed together
    KeptManifolds kept_;
    ManifoldJoin join_;
    GroundRuns ground_;
    PairBatch exits_{Made::planes};  // children in solids, and the planes through which they leave
    Vector<Exit> exit_of_;           // by pair of exits_
    bool keeps_ = false;             // the manifolds are in kept_ instead of the batch
};

}  // namespace abut
