// The wide functions of one instruction set.
#include "queries/rays/ray_kernels.hpp"
#include "simd/from_baseline.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void meet_bodies(const RayChunk& chunk);
PlanesSpan meet_planes(const HullGeometry& hull, const double* origin, const double* direction);
std::uint32_t find_near_triangles(PointWalk& walk);

constexpr RayKernels kRayKernels = {FromBaseline<meet_bodies>::call, FromBaseline<meet_planes>::call,
                                    FromBaseline<find_near_triangles>::call};

}  // namespace abut::ABUT_ISA_NAMESPACE
