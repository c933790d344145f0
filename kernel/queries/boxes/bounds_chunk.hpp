// The interface between world_bounds and the lanes, as a plain struct.
#pragma once

#include <abut/properties.hpp>

#include "convex/contract/chunk.hpp"

namespace abut {

// Valid bodies of one convex kind. (Half-spaces and custom shapes have their own code.)
struct BoundsChunk {
    ShapeKind kind;
    std::uint32_t count;            // <= kChunkPairs
    const InstanceRecord* records;  // of the kind
    const HullGeometry* hulls;
    const Body* bodies[kChunkPairs];
    Bounds* bounds[kChunkPairs];
};

}  // namespace abut
