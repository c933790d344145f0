// The function table of one instruction set.
#include "isa/kernels.hpp"
#include "wide/from_baseline.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void run_chunk(const Chunk& chunk, ChunkCounters& counters);
PairKindsFound find_pair_kinds(const PairKindsTask& task);
void place_chunk_pairs(const ChunkPairsTask& task, ChunkPairs& out);
void compose_poses(PosedShapes& posed);

extern const Kernels kernels;
constexpr Kernels kernels = {ABUT_ISA_LANES, FromBaseline<run_chunk>::call, FromBaseline<find_pair_kinds>::call,
                             FromBaseline<place_chunk_pairs>::call, FromBaseline<compose_poses>::call};

}  // namespace abut::ABUT_ISA_NAMESPACE
