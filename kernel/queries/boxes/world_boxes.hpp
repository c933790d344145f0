// The boxes of a world's bodies, as queries read them. They are slightly larger than the caller's boxes, because a
// query on pairs may find a hit at the end of a body and its box, or a rounding error beyond.
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

// Null if the tree has no memory, or has settings that cannot be met.
const WorldBoxes* boxes_of(const WorldTree& tree);

// How much a box of the tree grows, as a part of its longest finite edge: a ray arrives at up to 1e-8 of a size
// (convex_ray.cpp), and promise 1 allows a body that is larger than a shape errors of 1e-6 of its size.
inline constexpr double kWorldGrowth = 1e-6;
// How much the box of a shape grows: promise 1's bound for the smaller of two shapes.
inline constexpr double kShapeGrowth = 1.2e-5;

// The growth of a box, metres. Also covers the rounding of coordinates in double.
float growth_of(const Bounds& box, double part);

}  // namespace abut
