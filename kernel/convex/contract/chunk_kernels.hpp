// The wide functions for pairs of convex shapes.
#pragma once

#include "convex/contract/chunk.hpp"
#include "convex/contract/intake_tasks.hpp"
#include "shapes/placed_shape.hpp"
#include "simd/kernel_table.hpp"

namespace abut {

struct Kernels {
    unsigned lanes;
    PoseKernels poses;
    PairKindsFound (*find_pair_kinds)(const PairKindsTask& task);
    void (*place_chunk_pairs)(const ChunkPairsTask& task, ChunkPairs& out);
    void (*run_chunk)(const Chunk& chunk, ChunkCounters& counters);
};
ABUT_KERNEL_TABLE(Kernels)

}  // namespace abut
