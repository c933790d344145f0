#include "broad/kernels.hpp"

#define ABUT_KERNELS BroadKernels
#define ABUT_TABLE broad_kernels
#define ABUT_KERNELS_FOR broad_kernels_for
#include "isa/kernels_for.inc"
