#include "cast/kernels.hpp"

#define ABUT_BUILT_SET(name, lanes, runs)  \
    namespace abut::name {                 \
    extern const CastKernels cast_kernels; \
    }
#include "isa/built.inc"
#undef ABUT_BUILT_SET

namespace abut {

const CastKernels* cast_kernels_for(Isa isa) {
#define ABUT_BUILT_SET(name, lanes, runs) \
    if (isa == Isa::name) return &name::cast_kernels;
#include "isa/built.inc"
#undef ABUT_BUILT_SET
    return nullptr;
}

}  // namespace abut
