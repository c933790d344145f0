// What the tests of promise 5, "Contained", ask about.
#pragma once

#include <limits>
#include <vector>

#include "pair_answer.hpp"
#include "scenes/resting.hpp"

namespace abut::test {

inline constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr std::size_t kContained = kPairsAKind / 5;  // pairs

inline const scenes::Scene& contained_scene() {
    static const scenes::Scene made = scenes::make_medley(kContained);
    return made;
}

// A box a metre wide at `x`.
struct TwoBoxes {
    ShapeStore store;
    std::vector<Body> bodies;
    std::vector<Pair> pairs{{0, 1}};
    explicit TwoBoxes(float x = 1.25f) {
        const ShapeId box = *store.add_box({0.5f, 0.5f, 0.5f});
        bodies = {{{}, box, {}}, {{x, 0, 0}, box, {}}};
    }
    Frame frame() const { return {.shapes = &store, .bodies = bodies, .pairs = pairs}; }
};

}  // namespace abut::test
