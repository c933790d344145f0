// The function table of one instruction set.
#include "convex/contract/chunk_kernels.hpp"
#include "simd/from_baseline.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void compose_poses(PosedShapes& posed);
PairKindsFound find_pair_kinds(const PairKindsTask& task);
void place_chunk_pairs(const ChunkPairsTask& task, ChunkPairs& out);
void run_chunk(const Chunk& chunk, ChunkCounters& counters);

constexpr Kernels kKernels = {ABUT_ISA_LANES,
                              {FromBaseline<compose_poses>::call},
                              FromBaseline<find_pair_kinds>::call,
                              FromBaseline<place_chunk_pairs>::call,
                              FromBaseline<run_chunk>::call};

}  // namespace abut::ABUT_ISA_NAMESPACE
