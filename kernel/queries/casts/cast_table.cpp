// The wide functions of one instruction set.
#include "queries/casts/cast_kernels.hpp"
#include "simd/from_baseline.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void start_motions(const MotionStarts& starts);
void advance_motions(const MotionChunk& chunk);
void measure_gaps(const AxisGaps& gaps);

constexpr CastKernels kCastKernels = {FromBaseline<start_motions>::call, FromBaseline<advance_motions>::call,
                                      FromBaseline<measure_gaps>::call};

}  // namespace abut::ABUT_ISA_NAMESPACE
