// The queries on one list of pairs in many configurations, by the kernel's queries on pairs.
#pragma once

#include "base/scratch_columns.hpp"
#include "queries/configurations/configuration_runs.hpp"
#include "queries/configurations/pair_sieve.hpp"
#include "queries/pairs/pair_queries.hpp"

namespace abut {

// A pair that overlaps, and its configuration: the first by pair, then by configuration.
struct FirstOverlap {
    std::uint32_t pair = kNoPair, configuration = kNoPair;
    bool operator<(const FirstOverlap& other) const {
        return pair != other.pair ? pair < other.pair : configuration < other.configuration;
    }
};
struct UnansweredPair {
    std::uint32_t group;
    FirstOverlap at;
};

// Scratch of a query. Reuses its memory. A group has one answer: it is a configuration, or a path of several
// configurations.
struct ConfigurationScratch {
    Vector<float> reach, distance;
    Vector<float> most;  // by undecided pair: an upper bound on the least distance of its configuration
    Vector<Vec3> normal, point_a, point_b;
    Vector<std::uint32_t> nearest;        // by configuration of the blocks: its undecided pair with the least bound
    Vector<std::uint32_t> least_pair;     // by configuration
    Vector<FirstOverlap> first_overlaps;  // by configuration or path
    Vector<UnansweredPair> unanswered;
    Vector<PairSieve::Block> blocks;
    ConfigurationPairs undecided;
    Vector<std::uint32_t> groups;  // of the undecided pairs
    Vector<std::uint32_t> active;  // paths without an answer

    std::size_t bytes() const {
        std::size_t bytes = bytes_of(reach, distance, most, normal, point_a, point_b, nearest, least_pair,
                                     first_overlaps, unanswered, groups, active, blocks, undecided);
        for (const PairSieve::Block& block : blocks) bytes += block.bytes();
        return bytes;
    }
};

struct ConfigurationQueries {
    PairQueries& pairs;
    ConfigurationRuns runs;
    PairSieve sieve;
    ConfigurationScratch scratch;

    explicit ConfigurationQueries(PairQueries& of_pairs) : pairs(of_pairs) {}

    // The functions fill columns whose sizes have been checked.
    void answer(OverlapColumns& out, const Configurations& all);
    void answer(DistanceColumns& out, const Configurations& all, const DistanceOptions& options);
    void answer(AnyOverlapColumns& out, const Configurations& all);
    void answer(PathOverlapColumns& out, const ConfigurationPaths& paths);
    void answer(LeastDistanceColumns& out, const Configurations& all, const DistanceOptions& options);
    std::size_t bytes() const { return bytes_of(runs, sieve, scratch); }
};

}  // namespace abut
