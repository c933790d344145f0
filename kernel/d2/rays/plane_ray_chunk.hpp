// The interface between baseline code and the wide kernels of rays in the plane: up to kChunkPairs rays, each with a
// convex body; all bodies have one kind.
#pragma once

#include "d2/convex/plane_chunk.hpp"

namespace abut::d2 {

// By position in the chunk. Rows beyond `count`, up to a whole number of lanes, are also written.
struct PlaneRayAnswers {
    bool is_valid[kChunkPairs];  // the ray and the body's pose are valid
    bool is_hit[kChunkPairs], is_inside[kChunkPairs];
    double fraction[kChunkPairs];
    Vec2 point[kChunkPairs], normal[kChunkPairs];  // world axes, relative to the body's position
};

struct PlaneRayChunk {
    ShapeKind kind;
    std::uint32_t count;
    // The last ray is repeated up to a whole number of lanes.
    const Body* bodies[kChunkPairs];
    double origin_x[kChunkPairs], origin_y[kChunkPairs];  // world axes, relative to the body's position
    float direction_x[kChunkPairs], direction_y[kChunkPairs];
    float length[kChunkPairs];  // 0: the length of the direction
    RecordTable records;        // of the chunk's kind
    PlaneRayAnswers* answers;
};

}  // namespace abut::d2

namespace abut {

struct PlaneRayKernels {
    void (*run_plane_rays)(const d2::PlaneRayChunk& chunk);
};
ABUT_KERNEL_TABLE(PlaneRayKernels)

}  // namespace abut
