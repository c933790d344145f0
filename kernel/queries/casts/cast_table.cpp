// The wide functions of one instruction set.
#include "queries/casts/cast_kernels.hpp"
#include "simd/from_baseline.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void start_motions(const MotionStarts& starts);
void advance_motions(const MotionChunk& chunk);

constexpr CastKernels kCastKernels = {FromBaseline<start_motions>::call, FromBaseline<advance_motions>::call};

}  // namespace abut::ABUT_ISA_NAMESPACE
