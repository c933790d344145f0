// The wide functions of one instruction set.
#include "cast/kernels.hpp"
#include "wide/from_baseline.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void start_motions(const MotionStarts& starts);
void advance_motions(const MotionChunk& chunk);

extern const CastKernels cast_kernels;
constexpr CastKernels cast_kernels = {FromBaseline<start_motions>::call, FromBaseline<advance_motions>::call};

}  // namespace abut::ABUT_ISA_NAMESPACE
