#include "rays/kernels.hpp"

#define ABUT_BUILT_SET(name, lanes, runs) \
    namespace abut::name {                \
    extern const RayKernels ray_kernels;  \
    }
#include "isa/built.inc"
#undef ABUT_BUILT_SET

namespace abut {

const RayKernels* ray_kernels_for(Isa isa) {
#define ABUT_BUILT_SET(name, lanes, runs) \
    if (isa == Isa::name) return &name::ray_kernels;
#include "isa/built.inc"
#undef ABUT_BUILT_SET
    return nullptr;
}

}  // namespace abut
