// Every answer of every query on a scene, held against the oracle: what test_right and abut_check have in common.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "scenes/scene.hpp"

namespace abut::judge {

struct Failure {
    std::size_t pair = 0;
    std::string why;
};

struct Report {
    std::size_t pairs = 0, hits = 0;  // hits by the oracle
    double worst = 0;                 // violation of promise 1 as a fraction of what it allows
    std::string worst_what;           // which part of the promise, and the pair
    double worst_distance = 0;        // the part of the signed distance alone
    std::size_t wrong_signs = 0;
    std::size_t exact_path = 0;             // pairs that `distance` sent there
    std::array<std::size_t, 8> statuses{};  // by Status, of `distance`
    std::size_t wrong = 0;                  // pairs with any failure
    std::vector<Failure> failures;          // the first few

    std::size_t manifolds = 0, contacts = 0;
    std::size_t patches = 0;        // manifolds whose patch has an extent that the oracle is sure of
    double least_share = 1;         // of such a patch that the contacts span
    std::size_t short_patches = 0;  // that span less than oracle::kLeastShare; not among `wrong`
    std::vector<Failure> shortest;  // the first few

    void add(const Report& other);
};

struct Answers {
    Overlaps overlaps;
    Distances distances, separations;
    Manifolds manifolds;
    std::size_t exact_path = 0;
};

// All three queries, and distance with separation_only. A refused call ends the program with its message.
Answers ask(const Frame& frame, const Settings& settings);
bool same_bits(const Answers& x, const Answers& y);

// Where the answer sits within the tolerance of a limit (touching, the margin), either side of it is right. The scene's
// own margins go before `margin`. The answers are those of the scene's pairs from `first` on, as many as there are.
Report judge(const scenes::Scene& scene, const Answers& answers, float margin, std::size_t first = 0);
Report judge_manifolds(const scenes::Scene& scene, const Manifolds& manifolds, float margin);

// For people: the counts, and the first failures as lines of `abut query`.
std::string summary(const scenes::Scene& scene, const Report& report);

}  // namespace abut::judge
