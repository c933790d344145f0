// The wide functions of one instruction set.
#include "simd/from_baseline.hpp"
#include "surfaces/distances/surface_kernels.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void bound_boxes(const BoxTask& task, double* bounds);
void place_leaf(const LeafTask& task, LeafTriangles& leaf);
std::uint32_t list_leaf_pairs(const LeafPairsTask& task);
void measure_triangles(const TrianglePairs& pairs, double* signed_distance);

constexpr SurfaceKernels kSurfaceKernels = {FromBaseline<bound_boxes>::call, FromBaseline<place_leaf>::call,
                                            FromBaseline<list_leaf_pairs>::call, FromBaseline<measure_triangles>::call};

}  // namespace abut::ABUT_ISA_NAMESPACE
