// Overlaps of pairs with a compound or a surface, in rounds. See child_runs.hpp.
#include <algorithm>

#include "base/parallel/blocks.hpp"
#include "base/scratch_columns.hpp"
#include "batch/child_runs.hpp"
#include "convex/contract/valid_pose.hpp"
#include "shapes/tables.hpp"

namespace abut {

// Answers overlap. The result is that of computing all child pairs.
void ChildRuns::run_overlaps(const PairCall& call, std::span<const Entry> entries) {
    Vector<CompoundPair>& compound_pairs = children_.compound_pairs;
    keeps_ = false;
    compound_pairs.assign(entries.size(), CompoundPair());
    searches_.assign(entries.size(), OverlapSearch());
    active_.clear();
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
        compound_pairs[i].entry = entries[i];
        const auto [a, b] = call.bodies_of(entries[i]);
        if (is_valid_parent_pose(a) && is_valid_parent_pose(b))
            active_.push_back(i);
        else
            call.out.status[entries[i].pair()] = Status::bad_pose;
    }
    for (std::uint32_t most = kFirstChildPairs; !active_.empty(); most = std::min(8 * most, block())) {
        const std::size_t together = block() / most;
        for (std::size_t first = 0; first < active_.size(); first += together)
            overlap_round(call, std::span(active_).subspan(first, std::min(together, active_.size() - first)), most);
        std::erase_if(active_, [&](std::uint32_t i) { return is_over(call, i); });
    }
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
        const OverlapSearch& search = searches_[i];
        Status& status = call.out.status[entries[i].pair()];
        call.out.hit[entries[i].pair()] = search.hits || search.may_hit;
        if (status == Status::ok && !search.hits) status = search.worst;
    }
}

// Computes the next child pairs of some pairs, at most `most` of each.
void ChildRuns::overlap_round(const PairCall& call, std::span<const std::uint32_t> some, std::uint32_t most) {
    grow(next_, some.size() * most);
    for_each_in_blocks(call.runner.executor, some.size(), kBlockCompoundPairs,
                       [&](std::size_t k) { list_next(call, some[k], most, &next_[k * most]); });
    group_.clear();
    std::uint32_t size = 0;
    for (const std::uint32_t i : some) {
        CompoundPair& compound_pair = group_.emplace_back(children_.compound_pairs[i]);
        compound_pair.few = &next_[(group_.size() - 1) * most], compound_pair.room = most;
        compound_pair.count = searches_[i].listed;
        size += compound_pair.count;
    }
    if (size == 0) return;
    list_compounds(call, group_, children_);
    const OutputView out = compute(call, group_);
    for (std::size_t k = 0; k < some.size(); ++k) {
        OverlapSearch& search = searches_[some[k]];
        for (std::uint32_t i = group_[k].first; i < group_[k].first + group_[k].count; ++i) {
            search.worst = std::max(search.worst, out.status[i]);
            search.may_hit |= out.hit[i] != 0;
            search.hits |= out.hit[i] != 0 && out.status[i] == Status::ok;
        }
    }
}

// Lists the child pairs that the walk meets next, in any order. If there are many, upper bounds may decide first.
void ChildRuns::list_next(const PairCall& call, std::uint32_t i, std::uint32_t most, ChildPair* next) {
    OverlapSearch& search = searches_[i];
    CompoundPair& compound_pair = children_.compound_pairs[i];
    const auto [a, b] = call.bodies_of(compound_pair.entry);
    const ChildWalk walk(call.tables(), a, b);
    const double reach = call.parameters.reach_of(compound_pair.entry.pair());
    std::uint32_t walked = 0;
    search.listed = 0;
    search.has_more =
        !walk(reach + walk.slack(reach), [&](std::uint32_t child_a, std::uint32_t child_b, const Probe& probe) {
            if (walked++ < search.all) return true;
            if (search.listed == most || walked == kMostWalked) return false;
            next[search.listed++] = {child_a, child_b, false,
                                     probe.is_inside ? TriangleContact::inside : TriangleContact::unknown};
            compound_pair.is_in_solid |= probe.is_inside;
            return true;
        });
    if (search.all == 0 && search.has_more && walk.is_surely_within(reach)) search.hits = true, search.listed = 0;
    search.all += search.listed;
}

// True if a pair is decided: it overlaps, no child pairs are left, or too many were computed.
bool ChildRuns::is_over(const PairCall& call, std::uint32_t i) {
    OverlapSearch& search = searches_[i];
    if (search.hits || !search.has_more) return true;
    if (search.all < std::max(call.max_child_pairs, kLongList)) return false;
    search.worst = std::max(search.worst, Status::not_converged);
    return true;
}

}  // namespace abut
