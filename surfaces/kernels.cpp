#include "surfaces/kernels.hpp"

#define ABUT_KERNELS SurfaceKernels
#define ABUT_TABLE surface_kernels
#define ABUT_KERNELS_FOR surface_kernels_for
#include "isa/kernels_for.inc"
