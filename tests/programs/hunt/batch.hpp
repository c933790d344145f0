// One batch of a family: its pairs asked on every instruction set and in both orders, judged and timed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "programs/hunt/trial.hpp"
#include "support/families/families.hpp"

namespace abut::hunt {

// Of the calling thread.
double cpu_seconds();

// A broken promise, as somebody has to see it.
struct Finding {
    std::string family, what, details, line;  // the line asks `abut query` about the pair
    double bounds = 0;
    float margin = 0;
    std::uint64_t batch_seed = 0;
    std::size_t pair = 0;
    bool is_short = false;     // no promise is broken (Mistake)
    const char* options = "";  // of `abut query`
};

// Findings of one kind (what they break): how many, and the worst of them.
struct Class {
    std::size_t count = 0;
    std::vector<Finding> worst;  // first

    void note(Finding finding, std::size_t keep);
};

struct Tally {
    std::size_t pairs = 0, wrong = 0, exact_path = 0;
    std::size_t shorts = 0;  // patches that fall short, of pairs that break no promise
    Quality quality;
    double seconds = 0;  // of one worker: making, asking, judging
    double slowest = 0;  // seconds of a pair's collide and distance, alone
    std::string slowest_line;
    std::map<std::string, Class> classes;

    void add(const Tally& other, std::size_t keep);
};

struct Plan {
    std::vector<Isa> isas;    // the first is judged, the others are compared with it
    std::size_t pairs = 512;  // a batch
    bool timed = true;        // look for slow pairs
    bool first_only = false;  // stop judging at the first finding
    std::size_t keep = 1;     // findings of a kind
};

Tally run_batch(const families::Family& family, std::uint64_t seed, const Plan& plan);

// A family as the hunt sees it.
struct Game {
    std::string name, what;
    std::function<Tally(std::uint64_t seed, const Plan& plan)> run_batch;
};
std::vector<Game> games();
std::vector<Game> plane_games();  // in two dimensions, plane_batch.cpp

}  // namespace abut::hunt
