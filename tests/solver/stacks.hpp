// The stacks that people build, on a half-space and on a box.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "world.hpp"

namespace abut::solver {

struct Stack {
    std::string name;  // e.g. "cylinders-10/box": what stands, and on what
    std::string what;
    double size = 1;     // metres: of one body, roughly
    double mass = 1000;  // of one body
    bool large = false;  // hundreds of bodies
    std::function<void(World&)> build;
    // Substeps and stiffness where the scene needs its own; the margin in proportion to the size.
    void adjust(WorldSettings& settings) const;
};

const std::vector<Stack>& stacks();

}  // namespace abut::solver
