#include "broad/kernels.hpp"

#define ABUT_BUILT_SET(name, lanes, runs)                                    \
    namespace abut::name {                                                   \
    void find_box_pairs(const BoxPairsTask& task, PairBuffer& out);          \
    void find_ray_pairs(const RayPairsTask& task, PairBuffer& out);          \
    constexpr BroadKernels kBroadKernels = {find_box_pairs, find_ray_pairs}; \
    }
#include "isa/built.inc"
#undef ABUT_BUILT_SET

namespace abut {

const BroadKernels* broad_kernels_for(Isa isa) {
#define ABUT_BUILT_SET(name, lanes, runs) \
    if (isa == Isa::name) return &name::kBroadKernels;
#include "isa/built.inc"
#undef ABUT_BUILT_SET
    return nullptr;
}

}  // namespace abut
