// One function table per instruction set, and the choice of the set.
#pragma once

#include <abut/isa.hpp>
#include <abut/status.hpp>

#include "frame/chunk.hpp"
#include "frame/intake.hpp"
#include "frame/placed_shape.hpp"

namespace abut {

struct Kernels {
    unsigned lanes;
    void (*run_chunk)(const Chunk& chunk, ChunkCounters& counters);
    PairKindsFound (*find_pair_kinds)(const PairKindsTask& task);
    void (*place_chunk_pairs)(const ChunkPairsTask& task, ChunkPairs& out);
    void (*compose_poses)(PosedShapes& posed);
};

// Null if the set was not compiled in. `is_supported` says whether the CPU runs it.
const Kernels* kernels_for(Isa isa);
// Resolves `best`: to what read_environment found, otherwise to the widest that runs here. An error if the wanted set does not run.
Expected<Isa> resolve_isa(Isa wanted);

}  // namespace abut
