// One cell of the table: a row and a query, asked of abut on each ISA and of every rival in turn, over and over within
// one run, so that a slow spell of the machine hits all of them.
#pragma once

#include <string>
#include <vector>

#include <abut/host.hpp>

#include "harness/row.hpp"
#include "query.hpp"

namespace abut::bench {

struct Effort {
    double sample_ns = 2e5;  // a sample is at least this long: short calls are repeated within it
    double cell_ns = 1.2e9;  // what a cell may take, about
    int min_rounds = 3, max_rounds = 25;
    double hopeless = 3;            // a rival so many times slower than its library's best right one is not timed
    double rival_ns = 2e8;          // a rival that would take longer for the row gets its first pairs only
    std::size_t rival_pairs = 512;  // ... but so many at least
    bool rivals = true;
};

// A rival whose 99th percentile of the error in distance exceeds this share of the smaller size counts, but is marked.
inline constexpr double kRoughError = 0.01;

struct Contestant {
    std::string library;   // "abut", "bullet", "fcl", "libccd"
    std::string variant;   // abut: the ISA
    bool counts = false;   // abut: right without exception; a rival: on at least kRivalShare of the pairs
    double hit_share = 0;  // of the pairs with the right hit or no hit
    double error_p99 = 0;  // a rival's error in distance over the smaller size; abut's worst over what promise 1 allows
    std::string trouble;   // abut: what was wrong first; a rival: how it ended
    std::size_t pairs = 0;             // it was checked and timed on; fewer than the row's for a very slow rival
    double ns_min = 0, ns_median = 0;  // a pair; 0 where not timed
    int rounds = 0;

    bool is_abut() const { return library == "abut"; }
    bool timed() const { return ns_min > 0; }
};

struct Cell {
    std::string row;
    Query query = Query::overlap;
    std::size_t pairs = 0;
    double hit_rate = -1;                 // of the exact answers; negative where nobody says
    std::vector<Contestant> contestants;  // abut first

    bool has(const std::string& library) const;
    // Null where there is none that is right.
    const Contestant* best_abut() const;
    const Contestant* abut_on(Isa isa) const;
    const Contestant* best_rival() const;
    const Contestant* best_rival(const std::string& library) const;
    // Nanoseconds of the best right rival over those of abut's best; 0 where either is missing.
    double ahead() const;
    // The library's best share of right hits among what does not count: 0 where it crashed, negative where it does not
    // answer.
    double best_wrong_share(const std::string& library) const;
};

Cell measure(const Row& row, Query query, const std::vector<Isa>& isas, const Effort& effort);

}  // namespace abut::bench
