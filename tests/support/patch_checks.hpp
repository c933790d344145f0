// Stacks of two shapes that lie face on face, made so that what is hard about a contact patch is common: corners
// exactly on the other face's sides, faces that near-duplicate points split, partial overlaps, faces of many corners.
// The generator knows which faces meet, so that the exact patch is two polygons clipped in double.
#pragma once

#include <string>
#include <vector>

#include "scenes/scene.hpp"

namespace abut::test {

enum class StackFamily {
    lattice,  // sizes, offsets and turns are multiples of a few simple numbers: corners on sides, sides on sides
    turned,   // the same, in any orientation
    partial,  // any sizes, offsets and turns; up to 64 corners; cylinders
    bumps,    // near-duplicate points on faces and edges, 1e-8 to 3e-6 of the size high
    scaled,   // the same, and scaled unevenly after cooking
    cones,  // a flat cone below, its apex up, sharp or rounded, and anything above it at any tilt: no patch is asked for
    rims,   // a cylinder or cone in any orientation with anything
};
const char* to_string(StackFamily family);

// A pair's shapes stand on each other along their own Y axes: the lower one's top face meets the upper one's bottom
// face. Both orders.
struct Stacks {
    scenes::Scene scene;
    std::vector<bool> a_is_upper;  // by pair
    bool has_patches = true;       // that are known
};
Stacks make_stacks(StackFamily family, std::size_t pairs, std::uint64_t seed);

struct StackReport {
    std::size_t pairs = 0, wrong = 0, patches = 0, narrower = 0;  // narrower: patches below 90% of the best four
    double least = 1;
    std::vector<std::string> failures;  // the first few, as lines of `abut query`
};
StackReport judge_stacks(const Stacks& stacks, const Manifolds& manifolds);

}  // namespace abut::test
