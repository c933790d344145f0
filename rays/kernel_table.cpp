// The wide functions of one instruction set.
#include "rays/kernels.hpp"
#include "wide/from_baseline.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

std::uint32_t find_entries(const MeshNode& node, const NodeRay& ray, float* bounds);

extern const RayKernels ray_kernels;
constexpr RayKernels ray_kernels = {FromBaseline<find_entries>::call};

}  // namespace abut::ABUT_ISA_NAMESPACE
