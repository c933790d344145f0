// abut and the rivals on the same pairs, one pair at a time, judged alike.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "support/families/families.hpp"

namespace abut::hunt {

// What became of one pair.
enum class Fate : unsigned char { unsupported, answered, no_answer, crashed, hung };

struct PairAnswer {
    Fate fate = Fate::unsupported;
    bool hit = false, has_distance = false;
    float signed_distance = 0;
};

// A pair's bodies alone in a frame.
using Ask = std::function<PairAnswer(const Frame& frame)>;

// Asks about every pair in child processes: what ends one, or takes longer than `seconds`, costs that pair and no
// other.
std::vector<PairAnswer> ask_apart(const scenes::Scene& scene, const Ask& ask, double seconds);

struct Contestant {
    std::string library, variant;
    Ask ask;
};
// abut first; then the rivals of this build that tell a distance or a depth.
std::vector<Contestant> contestants();

// The family's pairs as every library can have them: scales are multiplied in, rounding is left out. `reference` is
// filled; pairs of which the oracle is not sure are left out.
scenes::Scene plain_scene(const families::Family& family, std::size_t pairs, std::uint64_t seed);
inline constexpr std::size_t kContestBatch = 50;  // pairs of a scene: each has its own shapes and scale

struct Score {
    std::size_t pairs = 0, supported = 0, hits_right = 0;
    std::size_t judged = 0;                         // of which a signed distance could be expected
    std::size_t within_bound = 0, within_size = 0;  // promise 1's bound; 1e-4 of the smaller size
    double worst = 0;                               // error in bounds
    std::size_t no_answer = 0, crashed = 0, hung = 0;
    void add(const Score& other);
};
Score score(const scenes::Scene& scene, const std::vector<PairAnswer>& answers, bool depth_only);

}  // namespace abut::hunt
