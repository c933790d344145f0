// The queries on one list of pairs in many configurations, by the kernel's queries on pairs.
#pragma once

#include "base/scratch_columns.hpp"
#include "queries/configurations/configuration_runs.hpp"
#include "queries/configurations/pair_sieve.hpp"
#include "queries/pairs/pair_queries.hpp"

namespace abut {

// Scratch of a query: the configurations to compute, and the answers of one block of them. Reuses its memory.
struct ConfigurationScratch {
    Vector<std::uint32_t> some;  // configurations: all, or the undecided ones
    Vector<float> reach, distance;
    Vector<float> most;  // by configuration of the block: an upper bound on its least distance
    Vector<Vec3> normal, point_a, point_b;
    Vector<PairSieve::Block> blocks;
    ConfigurationPairs unsure;

    std::size_t bytes() const {
        return bytes_of(some, reach, distance, most, normal, point_a, point_b, unsure) + blocks_bytes();
    }
    std::size_t blocks_bytes() const {
        std::size_t bytes = bytes_of(blocks);
        for (const PairSieve::Block& block : blocks) bytes += bytes_of(block.unsure);
        return bytes;
    }
};

struct ConfigurationQueries {
    PairQueries& pairs;
    ConfigurationRuns runs;
    PairSieve sieve;
    ConfigurationScratch scratch;

    explicit ConfigurationQueries(PairQueries& of_pairs) : pairs(of_pairs) {}

    // Fill columns that have been checked.
    void answer(OverlapColumns& out, const Configurations& all);
    void answer(DistanceColumns& out, const Configurations& all, const DistanceOptions& options);
    void answer(AnyOverlapColumns& out, const Configurations& all);
    void answer(LeastDistanceColumns& out, const Configurations& all, const DistanceOptions& options);
    std::size_t bytes() const { return bytes_of(runs, sieve, scratch); }
};

}  // namespace abut
