#include "rays/kernels.hpp"

#define ABUT_KERNELS RayKernels
#define ABUT_TABLE ray_kernels
#define ABUT_KERNELS_FOR ray_kernels_for
#include "isa/kernels_for.inc"
