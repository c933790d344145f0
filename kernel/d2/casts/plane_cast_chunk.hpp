// The interface between baseline code and the wide kernels of casts in the plane: up to kChunkPairs pairs of two convex
// kinds, with their motions and answers.
#pragma once

#include "d2/convex/plane_chunk.hpp"

namespace abut::d2 {

// By position in the chunk, in canonical order.
struct PlaneCastAnswers {
    bool is_known[kChunkPairs];  // false: left to the exact path
    bool is_hit[kChunkPairs];
    double time[kChunkPairs];
    float distance[kChunkPairs];
    // World axes. The points are relative to A's position at that time; b_from_a is B's position relative to A's at
    // that time.
    Vec2 normal[kChunkPairs], point_a[kChunkPairs], point_b[kChunkPairs], b_from_a[kChunkPairs];
};

struct PlaneCastChunk {
    ShapeKind kind_a, kind_b;
    std::uint32_t count;
    // The last pair is repeated up to a whole number of lanes.
    const Body *const *starts_a, *const *starts_b, *const *ends_a, *const *ends_b;
    RecordTable records_a, records_b;  // of the two kinds
    const float *target, *latest;      // of each pair
    float tolerance;                   // a part of the smaller size
    bool stops;                        // CastStart::stop
    PlaneCastAnswers* answers;
};

}  // namespace abut::d2

namespace abut {

struct PlaneCastKernels {
    // The kernels leave pairs of which a body rotates, and all that float32 cannot certify, to the exact path.
    void (*run_plane_casts)(const d2::PlaneCastChunk& chunk);
};
ABUT_KERNEL_TABLE(PlaneCastKernels)

}  // namespace abut
