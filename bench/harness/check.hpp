// Are the answers right? A figure without a right answer does not count.
#pragma once

#include <cstddef>
#include <string>

#include "harness/row.hpp"
#include "query.hpp"

namespace abut::bench {

// Rivals: hit or no hit as the exact signed distance has it on at least this share of a row's pairs.
inline constexpr double kRivalShare = 0.99;

struct RivalCheck {
    double hit_share = 0;  // of the pairs: hit or no hit is right
    double error_p99 =
        0;  // 99th percentile of the error in signed distance over the smaller size, where that is answered
    bool counts() const { return hit_share >= kRivalShare; }
};
RivalCheck check_rival(const Row& row, Query query, const Answers& answers);

// abut: promise 1 without exception.
struct AbutCheck {
    std::size_t wrong = 0;    // pairs
    double worst = 0;         // error over what is allowed
    std::string first_wrong;  // what was wrong with the first such pair; empty where all is right
    bool right() const { return wrong == 0; }
};
AbutCheck check_abut(const Row& row, Query query, const Answers& answers, float margin);

}  // namespace abut::bench
