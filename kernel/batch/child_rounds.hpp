// One search for all queries that a single child pair answers: the first overlap found, the least distance, the first
// time. The children of a pair of bodies are computed a few at a time, in the order of a key (a bound, a time), until
// no later one can change the answer. All pairs advance together, so that the kernels have many child pairs at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/parallel/blocks.hpp"
#include "base/scratch_columns.hpp"
#include "surfaces/walk/first_children.hpp"

namespace abut {

struct ChildRounds {
    std::uint32_t first, growth, most;  // children of a pair that a round computes: at first, the next ones, at most
    std::uint32_t together;             // children of all pairs that are computed together
};

// Search: the progress of a pair, with its ChildOrder `order`. list(search, children, most) writes up to `most` next
// children of one pair; several pairs are listed concurrently. compute(searches, children, most) computes the listed
// children; those of search i begin at i * most. is_over(search): the pair is answered.
template <class Search, class List, class Compute, class IsOver>
void search_children(const Executor& executor, const ChildRounds& rounds, Vector<Search>& active,
                     Vector<OrderedChild>& children, const List& list, const Compute& compute, const IsOver& is_over) {
    constexpr std::size_t kSearchesPerTask = 16;
    for (std::uint32_t most = rounds.first; !active.empty(); most = std::min(rounds.growth * most, rounds.most)) {
        const std::size_t together = rounds.together / most;
        grow(children, std::min(active.size(), together) * most);
        for (std::size_t first = 0; first < active.size(); first += together) {
            const std::span some = std::span(active).subspan(first, std::min(together, active.size() - first));
            for_each_in_blocks(executor, some.size(), kSearchesPerTask,
                               [&](std::size_t i) { list(some[i], &children[i * most], most); });
            compute(some, children.data(), most);
        }
        std::erase_if(active, is_over);
    }
}

}  // namespace abut
