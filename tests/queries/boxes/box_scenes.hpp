// Boxes in all arrangements, and every pair of them by the definition.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <abut/broad_phase.hpp>

namespace abut::boxes {

struct BoxScene {
    std::string name;
    std::vector<Bounds> bounds;
    std::vector<std::uint8_t> moving = {};  // empty: all
};

// "uniform": edges of 0.5 to 1.5 m in a cube where each box overlaps three others on average. "clustered": as many in
// clusters of 32, of which each is as wide as 32 boxes need. "flat": on a square. "huge": uniform, and one box around
// all. "sizes": edges from 1 cm to 10 m, three pairs per box.
BoxScene make_scene(const std::string& name, std::size_t count, std::uint64_t seed = 1);
// A share of the boxes moves.
void let_move(BoxScene& scene, double share, std::uint64_t seed = 2);
// All moving boxes by up to `distance` metres along each axis: each at a velocity of its own, that changes its sign
// after 16 frames.
void step(BoxScene& scene, float distance, std::uint64_t frame);

// All pairs, one by one.
std::vector<Pair> all_pairs(const Boxes& boxes);
std::vector<Pair> all_pairs(const Boxes& a, const Boxes& b);

}  // namespace abut::boxes
