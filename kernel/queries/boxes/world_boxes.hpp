// The boxes of a world's bodies, as queries read them. They are a little larger than the caller's: a query of pairs may
// find a hit where a body and its box end, or a rounding error beyond.
#pragma once

#include <abut/world.hpp>

#include "base/memory.hpp"
#include "queries/boxes/box_blocks.hpp"
#include "queries/boxes/box_filter.hpp"

namespace abut {

struct WorldBoxes {
    BoxBlocks blocks;
    DVec3 origin = {};
    std::size_t count = 0;
    Vector<std::uint32_t> groups, masks;

    BoxFilter filter() const { return {groups, masks}; }
};

// Null if the tree has no memory or settings that cannot be met.
const WorldBoxes* boxes_of(const WorldTree& tree);

// By how much a box grows, as a part of its longest finite edge. In the tree: a ray arrives at up to 1e-8 of a size
// (convex_ray.cpp), and promise 1 allows a body that is larger than a shape errors of 1e-6 of its size.
inline constexpr double kWorldGrowth = 1e-6;
// The boxes of shapes: promise 1's bound for the smaller of the two.
inline constexpr double kShapeGrowth = 1.2e-5;

// Metres; also covers the rounding of coordinates in double.
float growth_of(const Bounds& box, double part);

}  // namespace abut
