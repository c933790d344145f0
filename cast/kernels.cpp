#include "cast/kernels.hpp"

#define ABUT_KERNELS CastKernels
#define ABUT_TABLE cast_kernels
#define ABUT_KERNELS_FOR cast_kernels_for
#include "isa/kernels_for.inc"
