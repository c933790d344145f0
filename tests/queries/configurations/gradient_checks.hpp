// Gradients against central differences of the oracle's signed distance, in double.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <abut/configurations.hpp>

#include "scenes/scene.hpp"

namespace abut::robots {

struct GradientTally {
    std::size_t pairs = 0;
    std::size_t smooth = 0;  // whose features do not change within the step: differences of two steps agree
    std::size_t wrong = 0;   // of those: a relative error of 1e-3 or more
    double worst = 0;
    std::vector<std::string> examples;

    void add(const GradientTally& other);
};

// Relative: a body's gradient as a vector of six, rotations in units of the body's size.
GradientTally judge_gradients(const scenes::Scene& scene, const Gradients& gradients);

// The rows that are judged: every two convex kinds.
std::vector<std::string> gradient_rows();

}  // namespace abut::robots
