// The wide functions of one instruction set.
#include "queries/boxes/box_tree.hpp"
#include "simd/from_baseline.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

CentreRange find_centres(const BoxColumns& boxes, const BoxEntry* entries, std::size_t count);
void find_keys(const BoxColumns& boxes, const MortonCurve& curve, BoxEntry* entries, std::size_t count);
Bounds fill_block(const BoxColumns& boxes, const BoxEntry* entries, std::uint32_t count, BoxBlock& block,
                  std::uint32_t* ids);
void find_box_pairs(const BoxPairsTask& task, PairBuffer& out);
void find_ray_pairs(const RayPairsTask& task, PairBuffer& out);
std::uint32_t find_next_boxes(const BoxTree& in, BoxWalk& walk, std::uint32_t most, std::uint32_t* ids);
void run_bounds(const BoundsChunk& chunk);

constexpr BoxKernels kBoxKernels = {FromBaseline<find_centres>::call,   FromBaseline<find_keys>::call,
                                    FromBaseline<fill_block>::call,     FromBaseline<find_box_pairs>::call,
                                    FromBaseline<find_ray_pairs>::call, FromBaseline<find_next_boxes>::call,
                                    FromBaseline<run_bounds>::call};

}  // namespace abut::ABUT_ISA_NAMESPACE
